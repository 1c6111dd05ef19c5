package dev.varve.catalog.background;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.TransactionFailure;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which tables' indexes want work, and who does it: a table is held under a lease in the database,
 * which a node that dies lets run out. Two nodes whose clocks differ may do the same work twice; it
 * comes to the same. Safe for concurrent use.
 */
final class TableWork {
  static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);
  private static final int MAX_ERROR_LENGTH = 1_000;
  private static final int TABLES_A_ROUND = 1_000;

  private final Database database;
  private final Clock clock;
  private final String owner = UUID.randomUUID().toString();

  TableWork(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * A table that this node holds.
   *
   * @param location its current metadata file when it was taken
   * @param indexed whether all of that is indexed
   */
  record Held(long tableId, String name, String location, boolean indexed, int attempts) {}

  /** Tables with snapshots to be indexed or footers to be read, which nobody holds. */
  List<Long> due() {
    long now = clock.millis();
    return database.read(
        sql ->
            sql.list(
                "select t.table_id from lh_table t"
                    + " left join lh_index_work w on w.table_id = t.table_id"
                    + " where coalesce(w.lease_until, 0) <= ? and coalesce(w.next_attempt, 0) <= ?"
                    + " and (w.indexed_location is null"
                    + " or w.indexed_location <> t.metadata_location"
                    + " or (w.footers_after <= ? and exists (select f.file_id from lh_file f"
                    + " where f.table_id = t.table_id and f.stats_state = 0)))"
                    + " order by t.table_id fetch first "
                    + TABLES_A_ROUND
                    + " rows only",
                row -> row.getLong(1),
                now,
                now,
                now));
  }

  /** Takes a table; empty when another node has it, or it is gone. */
  Optional<Held> take(long tableId) {
    ensureRow(tableId);
    long now = clock.millis();
    return database.write(
        sql -> {
          int taken =
              sql.update(
                  "update lh_index_work set owner = ?, lease_until = ?"
                      + " where table_id = ? and lease_until <= ?",
                  owner,
                  now + LEASE.toMillis(),
                  tableId,
                  now);
          if (taken == 0) {
            return Optional.empty();
          }
          return sql.first(
              "select t.namespace, t.name, t.metadata_location, w.indexed_location, w.attempts"
                  + " from lh_table t join lh_index_work w on w.table_id = t.table_id"
                  + " where t.table_id = ?",
              row ->
                  new Held(
                      tableId,
                      row.getString(1) + "." + row.getString(2),
                      row.getString(3),
                      row.getString(3).equals(row.getString(4)),
                      row.getInt(5)),
              tableId);
        });
  }

  private void ensureRow(long tableId) {
    try {
      database.write(
          sql ->
              sql.update(
                  "insert into lh_index_work(table_id) select t.table_id from lh_table t"
                      + " where t.table_id = ? and not exists (select w.table_id"
                      + " from lh_index_work w where w.table_id = t.table_id)",
                  tableId));
    } catch (TransactionFailure e) {
      if (e.kind() != TransactionFailure.Kind.DUPLICATE) {
        throw e;
      }
      // Another node was faster: the row is there.
    }
  }

  /** Holds the table for longer; false when it is held no more. */
  boolean renew(Held held) {
    return database.write(
            sql ->
                sql.update(
                    "update lh_index_work set lease_until = ? where table_id = ? and owner = ?",
                    clock.millis() + LEASE.toMillis(),
                    held.tableId(),
                    owner))
        > 0;
  }

  /** Remembers that everything of the table's metadata file is indexed. */
  void indexed(Held held, String location) {
    database.write(
        sql ->
            sql.update(
                "update lh_index_work set indexed_location = ?, attempts = 0, next_attempt = 0,"
                    + " footers_after = 0, error = null, error_at = 0"
                    + " where table_id = ? and owner = ?",
                location,
                held.tableId(),
                owner));
  }

  /**
   * Gives the table back.
   *
   * @param footersAfter when to look for footers again
   */
  void giveBack(Held held, long footersAfter) {
    database.write(
        sql ->
            sql.update(
                "update lh_index_work set owner = null, lease_until = 0, footers_after = ?"
                    + " where table_id = ? and owner = ?",
                footersAfter,
                held.tableId(),
                owner));
  }

  /** Gives the table back after a failure; the next attempt waits the longer, the more failed. */
  void failed(Held held, String error) {
    long now = clock.millis();
    int attempts = held.attempts() + 1;
    database.write(
        sql ->
            sql.update(
                "update lh_index_work set owner = null, lease_until = 0, attempts = ?,"
                    + " next_attempt = ?, error = ?, error_at = ? where table_id = ? and owner = ?",
                attempts,
                now + backoff(attempts).toMillis(),
                shortened(error),
                now,
                held.tableId(),
                owner));
  }

  static Duration backoff(int attempts) {
    Duration wait = Duration.ofSeconds(1L << Math.min(attempts - 1, 20));
    return wait.compareTo(LONGEST_BACKOFF) < 0 ? wait : LONGEST_BACKOFF;
  }

  static String shortened(@Nullable String error) {
    String text = String.valueOf(error);
    return text.length() <= MAX_ERROR_LENGTH ? text : text.substring(0, MAX_ERROR_LENGTH);
  }
}
