package dev.varve.catalog.index;

import dev.varve.layout.TableOrdering;
import dev.varve.layout.key.KeyType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a commit does to the index.
 *
 * @param deltas the snapshots to be indexed, parents before children
 * @param sortOrder the table's order, by which files added now are found
 * @param staged the staged facts that the deltas use up
 * @param forgotten snapshots that are no longer in the table's metadata
 */
public record IndexChange(
    List<Delta> deltas, Optional<KeyOrder> sortOrder, List<Long> staged, List<Long> forgotten) {
  public IndexChange {
    deltas = List.copyOf(deltas);
    staged = List.copyOf(staged);
    forgotten = List.copyOf(forgotten);
  }

  /**
   * What one snapshot adds to and removes from its parent; a path may stand there twice.
   *
   * @param parentId the snapshot that the others refer to; without one the snapshot has the added
   *     files and no others
   * @param files how many files the snapshot then has, where its manifest list says so
   */
  record Delta(
      long snapshotId,
      OptionalLong parentId,
      List<FileEntry> added,
      List<String> removed,
      OptionalLong files) {
    Delta {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /** A sort order of the table, as far as it is over plain columns. */
  record KeyOrder(int sortOrderId, TableOrdering ordering, KeyType leadType) {}

  static IndexChange none(List<Long> forgotten) {
    return new IndexChange(List.of(), Optional.empty(), List.of(), forgotten);
  }

  /** The snapshots that are indexed. */
  public List<Long> snapshotIds() {
    return deltas.stream().map(Delta::snapshotId).toList();
  }
}
