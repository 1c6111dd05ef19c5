package dev.varve.layout;

import java.util.List;
import java.util.Optional;

/**
 * The port between planner, writer and catalog. Implementations are safe for concurrent use and
 * never throw for a table or snapshot they do not know: that is {@link LayoutAnswer.NotIndexed}.
 */
public interface LayoutIndex {

  LayoutAnswer plan(LayoutQuery query);

  /**
   * Totals of a snapshot and a sample of its files; empty where {@link #plan} would be {@link
   * LayoutAnswer.NotIndexed}.
   */
  default Optional<TableSummary> summary(String tableUuid, long snapshotId) {
    return Optional.empty();
  }

  /**
   * Remembers facts about files that a coming commit will add to a table. They become visible in
   * the transaction of that commit, matched by path and size, and are forgotten if it never comes.
   * Only Varve's own writer may call this: these facts may say {@link Trust#VERIFIED}.
   */
  void stage(String tableUuid, List<FileFacts> files);

  /**
   * Takes up what comparisons of all rows found about files that the table has. A file that the
   * index does not have, or whose size or etag is another, is left out: what was found is not about
   * it. Only Varve's own checks may call this.
   *
   * @return how many files the index now knows it of
   */
  default int record(String tableUuid, List<FileCheck> checks) {
    return 0;
  }

  /**
   * Grows whenever an answer about a snapshot of the table may have become another without a
   * commit: facts of files that it had were checked, or a snapshot was indexed belatedly. Facts
   * that were read when it was the same are the facts of now.
   */
  default long factsVersion(String tableUuid) {
    return 0;
  }

  /**
   * How far the index of a table is; empty where there is none.
   *
   * @param snapshots those of interest, the most interesting first
   */
  default Optional<IndexState> state(String tableUuid, List<Long> snapshots) {
    return Optional.empty();
  }

  /** An index that knows nothing: every plan comes from the manifests. */
  static LayoutIndex none() {
    return new LayoutIndex() {
      @Override
      public LayoutAnswer plan(LayoutQuery query) {
        return new LayoutAnswer.NotIndexed(query.snapshotId(), "no layout index");
      }

      @Override
      public void stage(String tableUuid, List<FileFacts> files) {}
    };
  }
}
