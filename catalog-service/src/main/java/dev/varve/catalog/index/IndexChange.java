package dev.varve.catalog.index;

import dev.varve.layout.TableOrdering;
import dev.varve.layout.key.KeyType;
import java.util.List;
import java.util.Optional;

/**
 * What a commit does to the index.
 *
 * @param anchor the newest ancestor that the index knows; without one the deltas start from no
 *     files
 * @param deltas the snapshots above the anchor, oldest first; none when nothing is to be indexed
 * @param sortOrder the table's order, by which files added now are found
 * @param staged the staged facts that the deltas use up
 * @param forgotten snapshots that are no longer in the table's metadata
 */
public record IndexChange(
    Optional<Anchor> anchor,
    List<Delta> deltas,
    Optional<KeyOrder> sortOrder,
    List<Long> staged,
    List<Long> forgotten) {
  public IndexChange {
    deltas = List.copyOf(deltas);
    staged = List.copyOf(staged);
    forgotten = List.copyOf(forgotten);
  }

  /** A snapshot's point in a line. */
  record Anchor(long snapshotId, long lineId, long seq) {}

  /** What one snapshot adds to and removes from the one before it; a path may stand there twice. */
  record Delta(long snapshotId, List<FileEntry> added, List<String> removed) {
    Delta {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /** A sort order of the table, as far as it is over plain columns. */
  record KeyOrder(int orderId, TableOrdering ordering, KeyType leadType) {}

  static IndexChange none(List<Long> forgotten) {
    return new IndexChange(Optional.empty(), List.of(), Optional.empty(), List.of(), forgotten);
  }

  /** The snapshots that it indexes. */
  public List<Long> snapshotIds() {
    return deltas.stream().map(Delta::snapshotId).toList();
  }

  /** Whether space can be freed once the change is committed. */
  public boolean forgets() {
    return !forgotten.isEmpty();
  }
}
