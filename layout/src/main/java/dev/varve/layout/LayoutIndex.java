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
