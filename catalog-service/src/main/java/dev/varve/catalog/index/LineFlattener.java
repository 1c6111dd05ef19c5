package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.index.Lines.Level;
import dev.varve.catalog.index.Lines.Line;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives a line rows of its own for all that it inherits, in small transactions, and then cuts it
 * off from the line that it forked from. Between two of them, and while commits go on in the line,
 * it has the same files: a copied row shadows the one that it is a copy of.
 */
final class LineFlattener {
  /** A line that inherits no more files is flattened whatever it does with them. */
  private static final int FEW_FILES = 1_000;

  /** Lines that are read one through the other. */
  private static final int MOST_LEVELS = 4;

  private final Database database;
  private final int batchFiles;

  LineFlattener(Database database, int batchFiles) {
    this.database = database;
    this.batchFiles = batchFiles;
  }

  /**
   * Whether it is time: the line inherits little, more than half of it is shadowed, or lines are
   * stacked up.
   */
  private static boolean isWorthwhile(Line line, int levels) {
    return line.parent().isPresent()
        && (line.inherited() <= FEW_FILES
            || levels > MOST_LEVELS
            || 2 * line.shadowed() > line.inherited());
  }

  /** Flattens the lines of a table for which it is time. */
  void flatten(long tableId) {
    List<Long> lines =
        database.read(
            sql -> {
              List<Long> due = new ArrayList<>();
              for (Line line : Lines.all(sql, tableId)) {
                int levels =
                    Lines.levels(sql, tableId, new Point(line.lineId(), 0, 0, 0, 0)).size();
                if (isWorthwhile(line, levels)) {
                  due.add(line.lineId());
                }
              }
              return due;
            });
    for (long line : lines) {
      flatten(tableId, line);
    }
  }

  private void flatten(long tableId, long lineId) {
    long[] missing = database.read(sql -> missing(sql, tableId, lineId));
    for (int from = 0; from == 0 || from < missing.length; from += batchFiles) {
      long[] batch = Arrays.copyOfRange(missing, from, Math.min(missing.length, from + batchFiles));
      database.write(
          sql -> {
            if (lock(sql, tableId)) {
              copyAll(sql, tableId, lineId, batch);
            }
            return null;
          });
    }
  }

  private static boolean lock(Sql sql, long tableId) throws SQLException {
    return sql.first(
            "select table_id from lh_table where table_id = ? for update",
            row -> row.getLong(1),
            tableId)
        .isPresent();
  }

  /** What the line inherits and does not shadow: never more than now. */
  private static long[] missing(Sql sql, long tableId, long lineId) throws SQLException {
    Optional<Line> line = Lines.find(sql, tableId, lineId);
    if (line.isEmpty() || line.get().parent().isEmpty()) {
      return SortedIds.NONE;
    }
    // First what is shadowed, because the line can only shadow more.
    long[] shadows = SortedIds.of(IndexQueries.shadows(sql, tableId, lineId));
    return SortedIds.minus(new LiveFiles().all(sql, tableId, fork(line.get())), shadows);
  }

  private static Point fork(Line line) {
    return new Point(line.parent().orElseThrow(), line.forkSeq(), 0, 0, 0);
  }

  /**
   * Copies the rows of files that are not shadowed yet, and cuts the line off once all are. The
   * caller holds the lock of the table's row.
   */
  private static void copyAll(Sql sql, long tableId, long lineId, long[] fileIds)
      throws SQLException {
    Optional<Line> line = Lines.find(sql, tableId, lineId);
    if (line.isEmpty() || line.get().parent().isEmpty()) {
      return;
    }
    long[] shadows = SortedIds.of(IndexQueries.shadowing(sql, tableId, lineId, fileIds));
    copy(sql, tableId, line.get(), SortedIds.minus(fileIds, shadows));
    sql.update(
        "update lh_line set parent_line_id = null, inherited = 0, shadowed = 0"
            + " where table_id = ? and line_id = ? and shadowed = inherited",
        tableId,
        lineId);
  }

  private static void copy(Sql sql, long tableId, Line line, long[] fileIds) throws SQLException {
    List<@Nullable Object[]> copies = new ArrayList<>(fileIds.length);
    Set<Long> copied = new HashSet<>();
    for (Level level : Lines.levels(sql, tableId, fork(line))) {
      copies.addAll(
          sql.list(
              "select l.file_id, l.order_id, l.width_class, l.k_lo, l.k_hi"
                  + " from unnest(cast(? as bigint array)) u(x)"
                  + " join lh_file_live l on l.table_id = ? and l.line_id = ? and l.file_id = u.x"
                  + " where l.added_seq <= ? and l.removed_seq > ?",
              row ->
                  new @Nullable Object[] {
                    tableId,
                    line.lineId(),
                    row.getLong(1),
                    line.forkSeq(),
                    Long.MAX_VALUE,
                    row.getInt(2),
                    row.getInt(3),
                    row.getBytes(4),
                    row.getBytes(5)
                  },
              fileIds,
              tableId,
              level.lineId(),
              level.seq(),
              level.seq()));
    }
    // Of a file that a level shadows, the upper level's row counts.
    copies.removeIf(copy -> !copied.add((Long) copy[2]));
    if (copied.size() != fileIds.length) {
      throw new IllegalStateException(
          fileIds.length + " inherited files have " + copied.size() + " rows");
    }
    LineFiles.insert(sql, copies);
    LineFiles.shadowed(sql, tableId, line.lineId(), copies.size());
  }
}
