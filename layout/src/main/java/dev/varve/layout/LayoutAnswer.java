package dev.varve.layout;

import java.util.List;

/**
 * The index's answer. On {@link NotIndexed} the planner reads the manifests: a row is never
 * missing.
 */
public sealed interface LayoutAnswer {
  /**
   * Every file of the snapshot that can hold rows within the query's ranges, with {@code
   * totalFiles} and {@code totalRows} of the snapshot for counters and estimates.
   */
  record Complete(
      long snapshotId, List<FileFacts> files, long totalFiles, long totalRows, long totalBytes)
      implements LayoutAnswer {
    public Complete {
      files = List.copyOf(files);
    }
  }

  /** The index does not (yet) know this snapshot entirely. */
  record NotIndexed(long snapshotId, String reason) implements LayoutAnswer {}
}
