package dev.varve.catalog.index;

import dev.varve.catalog.store.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the node's cache of a table reads: ids, lives and single columns of many files. */
final class CacheQueries {
  private static final int LOOKUP_FILES = 1_000;

  private CacheQueries() {}

  /** A life of a file in a line, as it is stored. */
  record Life(long fileId, long addedSeq, long removedSeq) {}

  /** Where a line comes from: nowhere, if {@code parent} is empty. */
  record Fork(Optional<Long> parent, long seq) {}

  static Fork fork(Sql sql, long tableId, long lineId) throws SQLException {
    return sql.first(
            "select parent_line_id, fork_seq from lh_line where table_id = ? and line_id = ?",
            row -> {
              long parent = row.getLong(1);
              return new Fork(
                  row.wasNull() ? Optional.empty() : Optional.of(parent), row.getLong(2));
            },
            tableId,
            lineId)
        .orElseThrow(() -> new IllegalStateException("line " + lineId + " has no row"));
  }

  /** The ids of files above one. */
  static long[] fileIds(Sql sql, long tableId, long above) throws SQLException {
    return sql
        .list(
            "select file_id from lh_file where table_id = ? and file_id > ?"
                + " order by table_id, file_id",
            row -> row.getLong(1),
            tableId,
            above)
        .stream()
        .mapToLong(Long::longValue)
        .toArray();
  }

  /** Lives that begin after one point and not after another. */
  static List<Life> begun(Sql sql, long tableId, long lineId, long after, long through)
      throws SQLException {
    return sql.list(
        "select file_id, added_seq, removed_seq from lh_file_live"
            + " where table_id = ? and line_id = ? and added_seq > ? and added_seq <= ?",
        row -> new Life(row.getLong(1), row.getLong(2), row.getLong(3)),
        tableId,
        lineId,
        after,
        through);
  }

  /** Lives that end after one point and not after another. */
  static List<Life> ended(Sql sql, long tableId, long lineId, long after, long through)
      throws SQLException {
    return sql.list(
        "select file_id, added_seq, removed_seq from lh_file_live"
            + " where table_id = ? and line_id = ? and removed_seq > ? and removed_seq <= ?",
        row -> new Life(row.getLong(1), row.getLong(2), row.getLong(3)),
        tableId,
        lineId,
        after,
        through);
  }

  /** Columns of files, each a page over the files in the order of their ids. */
  static StatPage[] columns(Sql sql, long tableId, long[] fileIds, int[] fields)
      throws SQLException {
    Map<Long, StatPage.Entry[]> found = HashMap.newHashMap(fileIds.length);
    for (int from = 0; from < fileIds.length; from += LOOKUP_FILES) {
      long[] wanted =
          Arrays.copyOfRange(fileIds, from, Math.min(fileIds.length, from + LOOKUP_FILES));
      sql.list(
          "select f.file_id, f.record_count, f.enc_version, f.stats"
              + " from unnest(cast(? as bigint array)) u(x)"
              + " join lh_file f on f.table_id = ? and f.file_id = u.x",
          row -> {
            byte[] stats = FactsCodec.reads(row.getInt(3)) ? row.getBytes(4) : null;
            long records = row.getLong(2);
            PackedColumns columns = stats == null ? null : new PackedColumns(stats, 0);
            StatPage.Entry[] entries = new StatPage.Entry[fields.length];
            for (int i = 0; i < fields.length; i++) {
              entries[i] =
                  new StatPage.Entry(columns == null ? null : columns.get(fields[i]), records);
            }
            long fileId = row.getLong(1);
            found.put(fileId, entries);
            return fileId;
          },
          wanted,
          tableId);
    }
    StatPage[] pages = new StatPage[fields.length];
    for (int i = 0; i < fields.length; i++) {
      List<StatPage.Entry> entries = new ArrayList<>(fileIds.length);
      for (long id : fileIds) {
        // A file that is gone lives at no point that is asked about.
        StatPage.Entry @Nullable [] file = found.get(id);
        entries.add(file == null ? new StatPage.Entry(null, 1) : file[i]);
      }
      pages[i] = StatPage.of(entries);
    }
    return pages;
  }
}
