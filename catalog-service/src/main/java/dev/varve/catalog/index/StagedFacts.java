package dev.varve.catalog.index;

import dev.varve.catalog.index.FactsCodec.FileStats;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.FileFacts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Facts on their way: written before the commit they belong to, taken by its transaction. They are
 * in the database, so that facts of a commit survive whatever happens between the two; those whose
 * commit never came are deleted after a week.
 */
final class StagedFacts {
  private static final Duration KEPT = Duration.ofDays(7);

  private final Clock clock;

  StagedFacts(Clock clock) {
    this.clock = clock;
  }

  /** A staged row. */
  record Staged(long id, FileFacts facts) {}

  void put(Sql sql, String tableUuid, List<FileFacts> files) throws SQLException {
    long now = clock.millis();
    sql.update("delete from lh_staged where staged_at < ?", now - KEPT.toMillis());
    List<@Nullable Object[]> rows = new ArrayList<>(files.size());
    for (FileFacts file : files) {
      byte @Nullable [] groups = RowGroupBlob.of(file);
      rows.add(
          new @Nullable Object[] {
            tableUuid,
            PathHash.of(file.path()),
            file.path(),
            file.sizeBytes(),
            file.recordCount(),
            file.specId(),
            file.schemaId(),
            now,
            FactsCodec.VERSION,
            groups == null ? 0 : file.rowGroups().size(),
            FactsCodec.encodeStats(file),
            groups,
            file.etag().orElse(null)
          });
    }
    sql.batch(
        "insert into lh_staged(table_uuid, path_hash, path, size_bytes, record_count, spec_id,"
            + " schema_id, staged_at, enc_version, row_groups, stats, row_group_stats, etag)"
            + " values (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        rows);
  }

  static List<Staged> find(Sql sql, String tableUuid, long[] pathHashes) throws SQLException {
    return sql.list(
        "select s.staged_id, s.path, s.size_bytes, s.record_count, s.spec_id, s.schema_id,"
            + " s.enc_version, s.stats, s.row_group_stats, s.etag"
            + " from unnest(cast(? as bigint array)) u(x)"
            + " join lh_staged s on s.table_uuid = ? and s.path_hash = u.x"
            + " where s.enc_version = ? order by s.staged_id",
        StagedFacts::read,
        pathHashes,
        tableUuid,
        FactsCodec.VERSION);
  }

  static void delete(Sql sql, List<Long> ids) throws SQLException {
    List<@Nullable Object[]> rows = new ArrayList<>(ids.size());
    for (Long id : ids) {
      rows.add(new @Nullable Object[] {id});
    }
    sql.batch("delete from lh_staged where staged_id = ?", rows);
  }

  private static Staged read(ResultSet row) throws SQLException {
    FileStats stats = FactsCodec.decodeStats(row.getBytes(8));
    byte[] groups = row.getBytes(9);
    return new Staged(
        row.getLong(1),
        new FileFacts(
            row.getString(2),
            row.getLong(3),
            row.getLong(4),
            row.getInt(5),
            row.getInt(6),
            stats.columns(),
            groups == null ? List.of() : FactsCodec.decodeRowGroups(groups),
            stats.orderings(),
            Optional.ofNullable(row.getString(10))));
  }
}
