package dev.varve.catalog.index;

import dev.varve.catalog.store.Database;
import java.util.List;
import java.util.Optional;

/**
 * Indexes snapshots after their commit: what a commit does to the index within its own transaction,
 * in one of its own. Safe for concurrent use.
 */
public final class SnapshotFacts {
  private final Database database;

  public SnapshotFacts(Database database) {
    this.database = database;
  }

  /** What came of a change. */
  public sealed interface Outcome {
    record Applied() implements Outcome {}

    /** The pointer stands on another metadata file, or none if the table is gone. */
    record Moved(Optional<String> location) implements Outcome {}
  }

  /** The snapshots of these that the index knows. */
  public List<Long> known(long tableId, List<Long> snapshotIds) {
    long[] ids = snapshotIds.stream().mapToLong(Long::longValue).toArray();
    return database.read(
        sql ->
            sql.list(
                "select s.snapshot_id from unnest(cast(? as bigint array)) u(x)"
                    + " join lh_snapshot s on s.table_id = ? and s.snapshot_id = u.x",
                row -> row.getLong(1),
                ids,
                tableId));
  }

  /**
   * Applies a change while the table's pointer stands where it was read.
   *
   * @throws IndexMismatch when the change removes what does not live
   */
  public Outcome apply(long tableId, String location, IndexChange change) {
    return database.write(
        sql -> {
          Optional<String> now =
              sql.first(
                  "select metadata_location from lh_table where table_id = ? for update",
                  row -> row.getString(1),
                  tableId);
          if (!now.equals(Optional.of(location))) {
            return new Outcome.Moved(now);
          }
          if (!change.snapshotIds().isEmpty()) {
            IndexWriter.apply(sql, tableId, change);
            FactsVersion.raise(sql, tableId);
          }
          return new Outcome.Applied();
        });
  }
}
