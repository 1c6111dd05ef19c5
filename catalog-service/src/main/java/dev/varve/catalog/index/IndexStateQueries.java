package dev.varve.catalog.index;

import dev.varve.catalog.store.Sql;
import dev.varve.layout.IndexState;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** How far the index of a table is, as the database says. */
final class IndexStateQueries {
  private IndexStateQueries() {}

  private record Work(
      boolean working, int attempts, long nextAttempt, Optional<String> error, long errorAt) {
    static final Work NONE = new Work(false, 0, 0, Optional.empty(), 0);
  }

  static IndexState state(Sql sql, long tableId, List<Long> snapshots, long now)
      throws SQLException {
    Map<Integer, Long> files = new HashMap<>();
    sql.list(
        "select stats_state, count(*) from lh_file where table_id = ? group by stats_state",
        row -> files.put(row.getInt(1), row.getLong(2)),
        tableId);
    long claimed =
        sql.first(
                "select count(*) from lh_file where table_id = ? and sort_verified = ?",
                row -> row.getLong(1),
                tableId,
                CheckedFacts.CLAIMED)
            .orElse(0L);
    Work work = work(sql, tableId, now);
    return new IndexState(
        indexed(sql, tableId, snapshots),
        count(files, StatsState.MANIFEST),
        count(files, StatsState.FOOTER),
        count(files, StatsState.WRITER),
        count(files, StatsState.MANIFEST_ONLY),
        claimed,
        work.working(),
        work.attempts() > 0 ? OptionalLong.of(work.nextAttempt()) : OptionalLong.empty(),
        work.error().isPresent() ? work.error() : footerError(sql, tableId),
        work.errorAt() > 0 ? OptionalLong.of(work.errorAt()) : OptionalLong.empty());
  }

  private static long count(Map<Integer, Long> files, StatsState state) {
    return files.getOrDefault(state.code(), 0L);
  }

  private static Work work(Sql sql, long tableId, long now) throws SQLException {
    return sql.first(
            "select lease_until, attempts, next_attempt, error, error_at from lh_index_work"
                + " where table_id = ?",
            row ->
                new Work(
                    row.getLong(1) > now,
                    row.getInt(2),
                    row.getLong(3),
                    Optional.ofNullable(row.getString(4)),
                    row.getLong(5)),
            tableId)
        .orElse(Work.NONE);
  }

  private static Optional<String> footerError(Sql sql, long tableId) throws SQLException {
    return sql.first(
        "select error from lh_footer_failure where table_id = ?"
            + " order by table_id, file_id fetch first 1 rows only",
        row -> row.getString(1),
        tableId);
  }

  private static OptionalLong indexed(Sql sql, long tableId, List<Long> snapshots)
      throws SQLException {
    long[] ids = snapshots.stream().mapToLong(Long::longValue).toArray();
    Set<Long> known =
        new HashSet<>(
            sql.list(
                "select s.snapshot_id from unnest(cast(? as bigint array)) u(x)"
                    + " join lh_snapshot s on s.table_id = ? and s.snapshot_id = u.x",
                row -> row.getLong(1),
                ids,
                tableId));
    return snapshots.stream().filter(known::contains).mapToLong(Long::longValue).findFirst();
  }
}
