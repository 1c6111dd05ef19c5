package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.index.Lines.Level;
import dev.varve.catalog.index.Lines.Line;
import dev.varve.catalog.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files alive at the head of a line by their paths, and ends their lives in it. Confined
 * to the transaction, which holds the lock of the table's row.
 */
final class LineFiles {
  private static final long NEVER = Long.MAX_VALUE;

  private final Sql sql;
  private final long tableId;

  LineFiles(Sql sql, long tableId) {
    this.sql = sql;
    this.tableId = tableId;
  }

  /**
   * A row of a file that is alive; {@code lineId} is the line's own or one that it inherits from.
   */
  record Life(
      long lineId,
      long fileId,
      long addedSeq,
      long removedSeq,
      int orderId,
      int widthClass,
      byte[] lower,
      byte[] upper,
      long records,
      long bytes) {}

  List<Life> alive(Set<String> paths, Line line) throws SQLException {
    long[] hashes = paths.stream().mapToLong(PathHash::of).toArray();
    Set<Long> open = new HashSet<>();
    sql
        .list(
            "select f.file_id, f.path from unnest(cast(? as bigint array)) u(x)"
                + " join lh_file f on f.table_id = ? and f.path_hash = u.x",
            row -> paths.contains(row.getString(2)) ? row.getLong(1) : -1L,
            hashes,
            tableId)
        .stream()
        .filter(id -> id >= 0)
        .forEach(open::add);
    List<Life> alive = new ArrayList<>();
    Point head = new Point(line.lineId(), line.headSeq(), 0, 0, 0);
    long shadowedUpTo = line.forkSeq();
    for (Level level : Lines.levels(sql, tableId, head)) {
      boolean own = level.lineId() == line.lineId();
      if (open.isEmpty()) {
        break;
      }
      if (!own) {
        shadowedUpTo =
            Lines.find(sql, tableId, level.lineId()).map(Line::forkSeq).orElse(Long.MIN_VALUE);
      }
      Set<Long> shadowed = new HashSet<>();
      for (Life life : rows(level.lineId(), open)) {
        long end = own ? NEVER - 1 : level.seq();
        if (life.addedSeq() <= level.seq() && life.removedSeq() > end) {
          alive.add(life);
          shadowed.add(life.fileId());
        } else if (life.addedSeq() <= shadowedUpTo) {
          shadowed.add(life.fileId());
        }
      }
      open.removeAll(shadowed);
    }
    return alive;
  }

  private List<Life> rows(long lineId, Set<Long> fileIds) throws SQLException {
    return sql.list(
        "select l.line_id, l.file_id, l.added_seq, l.removed_seq, l.order_id, l.width_class,"
            + " l.k_lo, l.k_hi, f.record_count, f.size_bytes"
            + " from unnest(cast(? as bigint array)) u(x)"
            + " join lh_file_live l on l.table_id = ? and l.line_id = ? and l.file_id = u.x"
            + " join lh_file f on f.table_id = l.table_id and f.file_id = l.file_id",
        LineFiles::life,
        fileIds.stream().mapToLong(Long::longValue).toArray(),
        tableId,
        lineId);
  }

  private static Life life(ResultSet row) throws SQLException {
    return new Life(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getInt(5),
        row.getInt(6),
        row.getBytes(7),
        row.getBytes(8),
        row.getLong(9),
        row.getLong(10));
  }

  /** Ends lives in a line: its own rows, or by rows that shadow those of lines below. */
  void end(List<Life> lives, Line line, long seq) throws SQLException {
    List<@Nullable Object[]> ended = new ArrayList<>();
    List<@Nullable Object[]> shadows = new ArrayList<>();
    for (Life life : lives) {
      if (life.lineId() == line.lineId()) {
        ended.add(
            new @Nullable Object[] {seq, tableId, line.lineId(), life.fileId(), life.addedSeq()});
      } else {
        shadows.add(
            new @Nullable Object[] {
              tableId,
              line.lineId(),
              life.fileId(),
              line.forkSeq(),
              seq,
              life.orderId(),
              life.widthClass(),
              life.lower(),
              life.upper()
            });
      }
    }
    sql.batch(
        "update lh_file_live set removed_seq = ?"
            + " where table_id = ? and line_id = ? and file_id = ? and added_seq = ?",
        ended);
    insert(sql, shadows);
    shadowed(sql, tableId, line.lineId(), shadows.size());
  }

  /** Inserts rows of table, line, file, added, removed, order, width class and the key's ends. */
  static void insert(Sql sql, List<@Nullable Object[]> rows) throws SQLException {
    sql.batch(
        "insert into lh_file_live(table_id, line_id, file_id, added_seq, removed_seq, order_id,"
            + " width_class, k_lo, k_hi) values (?,?,?,?,?,?,?,?,?)",
        rows);
  }

  /** Counts files that a line shadows now. */
  static void shadowed(Sql sql, long tableId, long lineId, int files) throws SQLException {
    if (files > 0) {
      sql.update(
          "update lh_line set shadowed = shadowed + ? where table_id = ? and line_id = ?",
          files,
          tableId,
          lineId);
    }
  }
}
