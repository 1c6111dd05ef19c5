package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * States of tables that still have to be cleaned up after, and the snapshots that are being
 * removed. Safe for concurrent use.
 */
final class Discarded {
  /** How long a statement may take from looking a table up to pinning its snapshot. */
  private static final Duration REMEMBERED = Duration.ofDays(7);

  private final Database database;
  private final Clock clock;

  Discarded(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** A state of a table; all of it is to go where the table was dropped. */
  record State(
      long id, String tableUuid, String metadataLocation, boolean dropped, long sinceMillis) {}

  /** Writes down, before anything is done, that snapshots are to go. */
  State add(String tableUuid, String location, boolean dropped, Collection<Long> snapshots) {
    return database.write(
        sql -> {
          long id = insert(sql, tableUuid, location, dropped);
          mark(sql, tableUuid, snapshots);
          return new State(id, tableUuid, location, dropped, clock.millis());
        });
  }

  long insert(Sql sql, String tableUuid, String location, boolean dropped) throws SQLException {
    return sql.insert(
        "insert into lh_discarded(table_uuid, metadata_location, dropped, discarded_at)"
            + " values (?,?,?,?)",
        "discarded_id",
        tableUuid,
        location,
        dropped ? 1 : 0,
        clock.millis());
  }

  void mark(Sql sql, String tableUuid, Collection<Long> snapshots) throws SQLException {
    long now = clock.millis();
    sql.update("delete from lh_removed_snapshot where removed_at < ?", now - REMEMBERED.toMillis());
    List<@Nullable Object[]> rows = new ArrayList<>(snapshots.size());
    for (Long snapshot : snapshots) {
      rows.add(new @Nullable Object[] {tableUuid, snapshot});
    }
    sql.batch("delete from lh_removed_snapshot where table_uuid = ? and snapshot_id = ?", rows);
    rows.replaceAll(row -> new @Nullable Object[] {row[0], row[1], now});
    sql.batch(
        "insert into lh_removed_snapshot(table_uuid, snapshot_id, removed_at) values (?,?,?)",
        rows);
  }

  /** These snapshots stay after all. */
  void unmark(String tableUuid, Collection<Long> snapshots) {
    List<@Nullable Object[]> rows = new ArrayList<>(snapshots.size());
    for (Long snapshot : snapshots) {
      rows.add(new @Nullable Object[] {tableUuid, snapshot});
    }
    database.write(
        sql ->
            sql.batch(
                "delete from lh_removed_snapshot where table_uuid = ? and snapshot_id = ?", rows));
  }

  List<State> all() {
    return database.read(
        sql ->
            sql.list(
                "select discarded_id, table_uuid, metadata_location, dropped, discarded_at"
                    + " from lh_discarded"
                    + " order by discarded_id",
                row ->
                    new State(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getInt(4) == 1,
                        row.getLong(5))));
  }

  void done(State state) {
    database.write(
        sql -> sql.update("delete from lh_discarded where discarded_id = ?", state.id()));
  }

  /** Where the metadata of a table is now; empty if there is no such table. */
  Optional<String> current(String tableUuid) {
    return database.read(
        sql ->
            sql.first(
                "select metadata_location from lh_table where table_uuid = ?",
                row -> row.getString(1),
                tableUuid));
  }
}
