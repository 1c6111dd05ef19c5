package dev.varve.catalog.index;

import dev.varve.catalog.index.Lines.Line;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes lives that no indexed snapshot sees any more, and files without a life, in small
 * transactions. A reader that meets a gap sees that its snapshot's row is gone, because that row
 * was deleted first.
 */
final class IndexCleaner {
  private final Database database;
  private final int batchRows;

  IndexCleaner(Database database, int batchRows) {
    this.database = database;
    this.batchRows = batchRows;
  }

  /**
   * The interval of sequence numbers that a line's snapshots still need; empty when lower > upper.
   */
  private record Needed(Line line, long lower, long upper) {
    boolean isNothing() {
      return lower > upper;
    }
  }

  private record Life(long fileId, long addedSeq) {}

  /** Cleans a table's lines to the end. */
  void clean(long tableId) {
    // Looked at first without the lock, which commits wait for.
    while (database.read(sql -> hasWork(sql, tableId))
        && database.write(sql -> cleanBatch(sql, tableId))) {
      // The next batch is a transaction of its own, so that commits come in between.
    }
  }

  private boolean hasWork(Sql sql, long tableId) throws SQLException {
    List<Line> lines = Lines.all(sql, tableId);
    for (Line line : lines) {
      Needed needed = needed(sql, tableId, line, lines);
      if (needed.isNothing() || !dead(sql, tableId, needed).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether there may be more. */
  private boolean cleanBatch(Sql sql, long tableId) throws SQLException {
    // The lock keeps commits from adding lives above the interval that is read here.
    boolean exists =
        sql.first(
                "select table_id from lh_table where table_id = ? for update",
                row -> row.getLong(1),
                tableId)
            .isPresent();
    if (!exists) {
      return false;
    }
    List<Line> lines = Lines.all(sql, tableId);
    for (Line line : lines) {
      Needed needed = needed(sql, tableId, line, lines);
      List<Life> dead = dead(sql, tableId, needed);
      if (!dead.isEmpty()) {
        delete(sql, tableId, line, lines, dead);
        return true;
      }
      if (needed.isNothing()) {
        sql.update(
            "delete from lh_line where table_id = ? and line_id = ?", tableId, line.lineId());
        // The line that it forked from may be needed less now.
        return true;
      }
    }
    return false;
  }

  /** A line is needed for its snapshots and, at their forks, for the lines that inherit from it. */
  private static Needed needed(Sql sql, long tableId, Line line, List<Line> lines)
      throws SQLException {
    String point =
        "select seq from lh_snapshot where table_id = ? and line_id = ?"
            + " order by table_id %1$s, line_id %1$s, seq %1$s fetch first 1 rows only";
    long lower =
        sql.first(point.formatted("asc"), row -> row.getLong(1), tableId, line.lineId())
            .orElse(Long.MAX_VALUE);
    long upper =
        sql.first(point.formatted("desc"), row -> row.getLong(1), tableId, line.lineId())
            .orElse(-1L);
    for (Line other : lines) {
      if (other.parent().isPresent() && other.parent().getAsLong() == line.lineId()) {
        lower = Math.min(lower, other.forkSeq());
        upper = Math.max(upper, other.forkSeq());
      }
    }
    return new Needed(line, lower, upper);
  }

  private List<Life> dead(Sql sql, long tableId, Needed needed) throws SQLException {
    // A row that shadows an inherited one is needed as long as that one is inherited.
    boolean shadows = needed.line().parent().isPresent() && !needed.isNothing();
    List<Life> ended =
        sql.list(
            ("select file_id, added_seq from lh_file_live"
                    + " where table_id = ? and line_id = ? and removed_seq <= ? and added_seq > ?"
                    + " order by table_id, line_id, removed_seq, file_id"
                    + " fetch first %d rows only")
                .formatted(batchRows),
            row -> new Life(row.getLong(1), row.getLong(2)),
            tableId,
            needed.line().lineId(),
            needed.lower(),
            shadows ? needed.line().forkSeq() : -1L);
    return !ended.isEmpty()
        ? ended
        : sql.list(
            ("select file_id, added_seq from lh_file_live"
                    + " where table_id = ? and line_id = ? and added_seq > ?"
                    + " order by table_id, line_id, added_seq, file_id fetch first %d rows only")
                .formatted(batchRows),
            row -> new Life(row.getLong(1), row.getLong(2)),
            tableId,
            needed.line().lineId(),
            needed.upper());
  }

  private static void delete(Sql sql, long tableId, Line line, List<Line> lines, List<Life> dead)
      throws SQLException {
    List<@Nullable Object[]> lives = new ArrayList<>(dead.size());
    Set<Long> files = new HashSet<>();
    for (Life life : dead) {
      lives.add(new @Nullable Object[] {tableId, line.lineId(), life.fileId(), life.addedSeq()});
      files.add(life.fileId());
    }
    sql.batch(
        "delete from lh_file_live"
            + " where table_id = ? and line_id = ? and file_id = ? and added_seq = ?",
        lives);
    long[] candidates = files.stream().mapToLong(Long::longValue).toArray();
    for (Line other : lines) {
      sql.list(
              "select l.file_id from unnest(cast(? as bigint array)) u(x)"
                  + " join lh_file_live l on l.table_id = ? and l.line_id = ? and l.file_id = u.x",
              row -> row.getLong(1),
              candidates,
              tableId,
              other.lineId())
          .forEach(files::remove);
    }
    List<@Nullable Object[]> keys = new ArrayList<>(files.size());
    for (Long file : files) {
      keys.add(new @Nullable Object[] {tableId, file});
    }
    sql.batch("delete from lh_file_rowgroups where table_id = ? and file_id = ?", keys);
    sql.batch("delete from lh_footer_failure where table_id = ? and file_id = ?", keys);
    sql.batch("delete from lh_file where table_id = ? and file_id = ?", keys);
  }
}
