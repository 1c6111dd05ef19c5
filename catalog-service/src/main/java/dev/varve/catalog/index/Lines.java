package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The linear histories of a table. Commits on the head of a line go on in it; a commit on an older
 * point starts a line that forks there. Such a line has, of the files alive at its fork, those
 * without a row of its own from before its first change; a row like that, with added_seq at the
 * fork, shadows the inherited one: it says when the file was removed in the fork, or was copied so
 * that the line needs its parent no more.
 */
final class Lines {
  private Lines() {}

  /**
   * A line as it is stored.
   *
   * @param parent the line that it forked from, as long as it needs that one
   * @param forkSeq the point of the parent at which it did
   * @param inherited how many files were alive there
   * @param shadowed how many of them have a row of their own by now
   */
  record Line(
      long lineId,
      long headSeq,
      OptionalLong parent,
      long forkSeq,
      long inherited,
      long shadowed) {}

  /** A line and a point of it, of which everything below is seen unless it is shadowed. */
  record Level(long lineId, long seq) {}

  static Optional<Line> find(Sql sql, long tableId, long lineId) throws SQLException {
    return sql.first(
        "select line_id, head_seq, parent_line_id, fork_seq, inherited, shadowed from lh_line"
            + " where table_id = ? and line_id = ?",
        Lines::read,
        tableId,
        lineId);
  }

  static List<Line> all(Sql sql, long tableId) throws SQLException {
    return sql.list(
        "select line_id, head_seq, parent_line_id, fork_seq, inherited, shadowed from lh_line"
            + " where table_id = ? order by line_id",
        Lines::read,
        tableId);
  }

  private static Line read(ResultSet row) throws SQLException {
    long parent = row.getLong(3);
    return new Line(
        row.getLong(1),
        row.getLong(2),
        row.wasNull() ? OptionalLong.empty() : OptionalLong.of(parent),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6));
  }

  /** The line of a point and those that it inherits from, each with the point that is seen. */
  static List<Level> levels(Sql sql, long tableId, Point at) throws SQLException {
    List<Level> levels = new ArrayList<>();
    Optional<Level> next = Optional.of(new Level(at.lineId(), at.seq()));
    while (next.isPresent()) {
      levels.add(next.get());
      next =
          find(sql, tableId, next.get().lineId())
              .filter(line -> line.parent().isPresent())
              .map(line -> new Level(line.parent().getAsLong(), line.forkSeq()));
    }
    return levels;
  }
}
