package dev.varve.writer.parquet;

import dev.varve.layout.KeyRange;
import java.util.List;
import java.util.Optional;

/**
 * A complete file.
 *
 * @param range the least and greatest sort key, if the rows were checked to be in the order; empty
 *     if no order was asked for or they are not in it
 */
public record WrittenFile(
    String location,
    long sizeBytes,
    long rows,
    List<WrittenRowGroup> rowGroups,
    Optional<KeyRange> range) {
  public WrittenFile {
    rowGroups = List.copyOf(rowGroups);
  }

  /** Columns by position. */
  public record WrittenRowGroup(long startOffset, long rows, List<WrittenColumn> columns) {
    public WrittenRowGroup {
      columns = List.copyOf(columns);
    }
  }
}
