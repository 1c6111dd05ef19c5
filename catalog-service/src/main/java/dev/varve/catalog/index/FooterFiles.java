package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.StoredFacts;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.FileFacts;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Files of which the index knows the manifest's word only, and what comes of reading their footers.
 * Safe for concurrent use.
 */
public final class FooterFiles {
  private static final int PARQUET = 0;

  private final Database database;

  public FooterFiles(Database database) {
    this.database = database;
  }

  /**
   * A file whose footer was not read.
   *
   * @param parquet whether it has a footer that can be read
   * @param attempts how often reading failed
   * @param notBefore when it may be tried again
   */
  public record Waiting(
      long fileId,
      String path,
      long sizeBytes,
      long recordCount,
      boolean parquet,
      int attempts,
      long notBefore) {}

  /** The next files behind one, in the order of their ids. */
  public List<Waiting> after(long tableId, long fileId, int limit) {
    return database.read(
        sql ->
            sql.list(
                "select f.file_id, f.path, f.size_bytes, f.record_count, f.format,"
                    + " coalesce(x.attempts, 0), coalesce(x.next_attempt, 0) from lh_file f"
                    + " left join lh_footer_failure x"
                    + " on x.table_id = f.table_id and x.file_id = f.file_id"
                    + " where f.table_id = ? and f.stats_state = ? and f.file_id > ?"
                    + " order by f.table_id, f.stats_state, f.file_id fetch first "
                    + limit
                    + " rows only",
                row ->
                    new Waiting(
                        row.getLong(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getInt(5) == PARQUET,
                        row.getInt(6),
                        row.getLong(7)),
                tableId,
                StatsState.MANIFEST.code(),
                fileId));
  }

  /** Takes up footers by file id; files that were dropped or read by another meanwhile stay. */
  public int store(long tableId, Map<Long, FileFacts> footers) {
    if (footers.isEmpty()) {
      return 0;
    }
    return database.write(
        sql -> {
          boolean exists =
              sql.first(
                      "select table_id from lh_table where table_id = ? for update",
                      row -> row.getLong(1),
                      tableId)
                  .isPresent();
          if (!exists) {
            return 0;
          }
          long version = FactsVersion.raise(sql, tableId);
          List<@Nullable Object[]> files = new ArrayList<>();
          List<@Nullable Object[]> keys = new ArrayList<>();
          List<@Nullable Object[]> groups = new ArrayList<>();
          // Read under the lock: what a check of the rows found meanwhile is not lost.
          long[] ids = footers.keySet().stream().mapToLong(Long::longValue).toArray();
          for (StoredFacts stored : IndexQueries.facts(sql, tableId, ids)) {
            FileFacts footer = footers.get(stored.fileId());
            if (footer == null) {
              continue;
            }
            FileFacts merged = FooterMerge.merge(stored.facts(), footer);
            files.add(
                new @Nullable Object[] {
                  FactsCodec.encodeStats(merged),
                  FactsCodec.VERSION,
                  CheckedFacts.state(merged),
                  StatsState.FOOTER.code(),
                  version,
                  tableId,
                  stored.fileId(),
                  StatsState.MANIFEST.code()
                });
            keys.add(new @Nullable Object[] {tableId, stored.fileId()});
            byte @Nullable [] blob = RowGroupBlob.of(merged);
            if (blob != null) {
              groups.add(
                  new @Nullable Object[] {
                    tableId, stored.fileId(), FactsCodec.VERSION, merged.rowGroups().size(), blob
                  });
            }
          }
          int stored =
              (int)
                  sql.batch(
                      "update lh_file set stats = ?, enc_version = ?, sort_verified = ?,"
                          + " stats_state = ?, facts_seq = ?"
                          + " where table_id = ? and file_id = ? and stats_state = ?",
                      files);
          sql.batch("delete from lh_file_rowgroups where table_id = ? and file_id = ?", keys);
          sql.batch(
              "insert into lh_file_rowgroups(table_id, file_id, enc_version, row_groups, stats)"
                  + " values (?,?,?,?,?)",
              groups);
          sql.batch("delete from lh_footer_failure where table_id = ? and file_id = ?", keys);
          return stored;
        });
  }

  /** Remembers that a footer could not be read; without a next attempt there will be none. */
  public void failed(long tableId, Waiting file, String error, Optional<Long> nextAttemptMillis) {
    database.write(
        sql -> {
          sql.update(
              "delete from lh_footer_failure where table_id = ? and file_id = ?",
              tableId,
              file.fileId());
          sql.update(
              "insert into lh_footer_failure(table_id, file_id, attempts, next_attempt, error)"
                  + " select f.table_id, f.file_id, cast(? as integer), cast(? as bigint),"
                  + " cast(? as varchar) from lh_file f where f.table_id = ? and f.file_id = ?",
              file.attempts() + 1,
              nextAttemptMillis.orElse(Long.MAX_VALUE),
              error,
              tableId,
              file.fileId());
          if (nextAttemptMillis.isEmpty()) {
            withoutFooter(sql, tableId, file.fileId());
          }
          return null;
        });
  }

  /** A file of another format is known by its manifest for good. */
  public void withoutFooter(long tableId, long fileId) {
    database.write(
        sql -> {
          withoutFooter(sql, tableId, fileId);
          return null;
        });
  }

  private static void withoutFooter(Sql sql, long tableId, long fileId) throws SQLException {
    sql.update(
        "update lh_file set stats_state = ? where table_id = ? and file_id = ? and stats_state = ?",
        StatsState.MANIFEST_ONLY.code(),
        tableId,
        fileId,
        StatsState.MANIFEST.code());
  }
}
