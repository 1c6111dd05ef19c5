package dev.varve.catalog.background;

import dev.varve.catalog.background.TableWork.Held;
import dev.varve.catalog.index.CommitIndexer;
import dev.varve.catalog.index.IndexChange;
import dev.varve.catalog.index.IndexMismatch;
import dev.varve.catalog.index.SnapshotFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;

/** Indexes the snapshots of a table's branches and tags that no commit indexed. */
final class SnapshotJob {
  private final CommitIndexer indexer;
  private final SnapshotFacts facts;
  private final Function<String, Table> tableAt;

  SnapshotJob(CommitIndexer indexer, SnapshotFacts facts, Function<String, Table> tableAt) {
    this.indexer = indexer;
    this.facts = facts;
    this.tableAt = tableAt;
  }

  /**
   * Indexes what is missing of a table.
   *
   * @return whether all of it is indexed; not when the table moved on or is to be left meanwhile
   */
  boolean run(Held held, Table table, BooleanSupplier goOn) {
    TableMetadata metadata = metadata(table);
    if (missing(held, metadata).isEmpty()) {
      return true;
    }
    if (!goOn.getAsBoolean()) {
      return false;
    }
    OptionalLong tableId = OptionalLong.of(held.tableId());
    boolean applied;
    try {
      applied = apply(held, metadata, indexer.prepare(tableId, metadata, metadata, table));
    } catch (IndexMismatch e) {
      applied = apply(held, metadata, indexer.rebuild(tableId, metadata, metadata, table));
    }
    if (applied && !missing(held, metadata).isEmpty()) {
      throw new IllegalStateException(
          "snapshots " + missing(held, metadata) + " cannot be indexed; the log says why");
    }
    return applied;
  }

  /** Commits come in between: the change holds as long as its snapshots are the table's. */
  private boolean apply(Held held, TableMetadata metadata, IndexChange change) {
    String location = held.location();
    TableMetadata now = metadata;
    while (contains(now, change)) {
      switch (facts.apply(held.tableId(), location, change)) {
        case SnapshotFacts.Outcome.Applied _ -> {
          return true;
        }
        case SnapshotFacts.Outcome.Moved(Optional<String> to) -> {
          if (to.isEmpty()) {
            return false;
          }
          location = to.get();
          now = metadata(tableAt.apply(location));
        }
      }
    }
    return false;
  }

  private static boolean contains(TableMetadata metadata, IndexChange change) {
    return change.snapshotIds().stream().allMatch(id -> metadata.snapshot(id) != null);
  }

  private List<Long> missing(Held held, TableMetadata metadata) {
    Set<Long> wanted = new HashSet<>();
    for (SnapshotRef ref : metadata.refs().values()) {
      wanted.add(ref.snapshotId());
    }
    List<Long> missing = new ArrayList<>(wanted);
    missing.removeAll(facts.known(held.tableId(), List.copyOf(wanted)));
    return missing;
  }

  private static TableMetadata metadata(Table table) {
    return ((HasTableOperations) table).operations().current();
  }
}
