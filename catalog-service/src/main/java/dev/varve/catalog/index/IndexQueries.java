package dev.varve.catalog.index;

import dev.varve.catalog.index.FactsCodec.FileStats;
import dev.varve.catalog.index.Lines.Level;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.FileFacts;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The index's questions to the database. Each stays with one index or joins an array by primary
 * key: more than that H2 does not plan.
 */
final class IndexQueries {
  private static final String FACTS =
      "f.file_id, f.path, f.size_bytes, f.record_count, f.spec_id, f.schema_id, f.enc_version,"
          + " f.stats, g.enc_version, g.stats, f.etag, f.stats_state"
          + " from unnest(cast(? as bigint array)) u(x) join lh_file f on f.table_id = ? and ";

  private IndexQueries() {}

  /** A snapshot that the index knows. */
  record Point(long lineId, long seq, long files, long records, long bytes) {}

  /** A sort order's leading key, which may find files by a range. */
  record LeadingKey(int orderId, int fieldId, KeyType type, SortDirection direction) {}

  /** Facts with the size of what they were unpacked from. */
  record StoredFacts(long fileId, FileFacts facts, int packedBytes) {}

  /** A table and how often facts of its files changed. */
  record Known(long tableId, long factsVersion) {}

  static Optional<Known> table(Sql sql, String tableUuid) throws SQLException {
    return sql.first(
        "select table_id, facts_seq from lh_table where table_uuid = ?",
        row -> new Known(row.getLong(1), row.getLong(2)),
        tableUuid);
  }

  static Optional<Point> point(Sql sql, long tableId, long snapshotId) throws SQLException {
    return sql.first(
        "select line_id, seq, files, records, bytes from lh_snapshot"
            + " where table_id = ? and snapshot_id = ?",
        row ->
            new Point(
                row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)),
        tableId,
        snapshotId);
  }

  static List<LeadingKey> leadingKeys(Sql sql, long tableId) throws SQLException {
    return sql.list(
        "select order_id, lead_field_id, lead_type, lead_desc from lh_order where table_id = ?"
            + " order by order_id",
        row ->
            new LeadingKey(
                row.getInt(1),
                row.getInt(2),
                StoredKeyType.of(row.getInt(3)),
                row.getInt(4) != 0 ? SortDirection.DESC : SortDirection.ASC),
        tableId);
  }

  /** The split keys of an order id; they never change. */
  static SplitKeys splits(Sql sql, long tableId, int orderId) throws SQLException {
    return sql.first(
            "select n, splits from lh_key_split where table_id = ? and order_id = ?",
            row -> SplitKeys.unpack(row.getBytes(2), row.getInt(1)),
            tableId,
            orderId)
        .orElse(SplitKeys.NONE);
  }

  /** The files with a row that is alive at a point of a line. */
  static List<Long> live(Sql sql, long tableId, Level at) throws SQLException {
    return sql.list(
        "select file_id from lh_file_live"
            + " where table_id = ? and line_id = ? and removed_seq > ? and added_seq <= ?",
        row -> row.getLong(1),
        tableId,
        at.lineId(),
        at.seq(),
        at.seq());
  }

  /** The files that a line shadows, see {@link Lines}; a line without a parent shadows nothing. */
  static List<Long> shadows(Sql sql, long tableId, long lineId) throws SQLException {
    return sql.list(
        "select l.file_id from lh_line n join lh_file_live l"
            + " on l.table_id = n.table_id and l.line_id = n.line_id and l.added_seq <= n.fork_seq"
            + " where n.table_id = ? and n.line_id = ?",
        row -> row.getLong(1),
        tableId,
        lineId);
  }

  /** Those of some files that a line shadows. */
  static List<Long> shadowing(Sql sql, long tableId, long lineId, long[] fileIds)
      throws SQLException {
    return sql.list(
        "select l.file_id from unnest(cast(? as bigint array)) u(x)"
            + " join lh_file_live l on l.table_id = ? and l.line_id = ? and l.file_id = u.x"
            + " join lh_line n on n.table_id = l.table_id and n.line_id = l.line_id"
            + " where l.added_seq <= n.fork_seq",
        row -> row.getLong(1),
        fileIds,
        tableId,
        lineId);
  }

  /** The files alive at a point of a line whose rows have none of some order ids, ascending. */
  static List<Long> liveOutsideOrders(Sql sql, long tableId, Level at, int[] orderIds)
      throws SQLException {
    StringBuilder text = new StringBuilder();
    List<@Nullable Object> parameters = new ArrayList<>();
    for (int gap = 0; gap <= orderIds.length; gap++) {
      text.append(gap == 0 ? "" : " union all ")
          .append("select file_id from lh_file_live where table_id = ? and line_id = ?");
      parameters.addAll(List.of(tableId, at.lineId()));
      if (gap > 0) {
        text.append(" and order_id > ?");
        parameters.add(orderIds[gap - 1]);
      }
      if (gap < orderIds.length) {
        text.append(" and order_id < ?");
        parameters.add(orderIds[gap]);
      }
      text.append(" and removed_seq > ? and added_seq <= ?");
      parameters.addAll(List.of(at.seq(), at.seq()));
    }
    return sql.list(text.toString(), row -> row.getLong(1), parameters.toArray());
  }

  /** One branch for each width class, then the rows that were removed after the point. */
  private static final String BETWEEN = between();

  private static String between() {
    StringBuilder text = new StringBuilder();
    for (int width = 0; width <= SplitKeys.WIDEST; width++) {
      text.append(
          ("select file_id from lh_file_live where table_id = ? and line_id = ? and order_id = ?"
                  + " and removed_seq = 9223372036854775807 and width_class = %d"
                  + " and k_lo between ? and ? and k_hi >= ? and added_seq <= ? union all ")
              .formatted(width));
    }
    return text
        + "select file_id from lh_file_live where table_id = ? and line_id = ? and order_id = ?"
        + " and removed_seq > ? and removed_seq < 9223372036854775807"
        + " and k_lo <= ? and k_hi >= ? and added_seq <= ?";
  }

  /** The files alive at a point of a line whose keys of an order id can lie between two keys. */
  static List<Long> liveBetween(
      Sql sql,
      long tableId,
      Level at,
      int orderId,
      SplitKeys splits,
      EncodedKey lower,
      EncodedKey upper)
      throws SQLException {
    byte[] least = lower.toByteArray();
    byte[] greatest = upper.toByteArray();
    List<@Nullable Object> parameters = new ArrayList<>();
    for (int width = 0; width <= SplitKeys.WIDEST; width++) {
      parameters.addAll(List.of(tableId, at.lineId(), orderId));
      parameters.add(splits.leastStart(width, lower).toByteArray());
      parameters.addAll(List.of(greatest, least, at.seq()));
    }
    parameters.addAll(List.of(tableId, at.lineId(), orderId, at.seq(), greatest, least, at.seq()));
    return sql.list(BETWEEN, row -> row.getLong(1), parameters.toArray());
  }

  static List<StoredFacts> facts(Sql sql, long tableId, long[] fileIds) throws SQLException {
    return sql.list(
        "select "
            + FACTS
            + "f.file_id = u.x left join lh_file_rowgroups g"
            + " on g.table_id = f.table_id and g.file_id = f.file_id",
        IndexQueries::stored,
        fileIds,
        tableId);
  }

  /** The facts of all files with these paths, whether the files live or not, oldest first. */
  static List<StoredFacts> factsOfPaths(Sql sql, long tableId, long[] pathHashes)
      throws SQLException {
    return sql.list(
        "select "
            + FACTS
            + "f.path_hash = u.x left join lh_file_rowgroups g"
            + " on g.table_id = f.table_id and g.file_id = f.file_id order by f.file_id",
        IndexQueries::stored,
        pathHashes,
        tableId);
  }

  /** Facts that we found out ourselves. */
  record OwnFacts(FileFacts facts, StatsState state) {}

  /**
   * Facts of our own writer, from footers that we read, or that a check of ours has been at, of
   * files with these paths, whether the files live or not, oldest first.
   */
  static List<OwnFacts> ownFacts(Sql sql, long tableId, long[] pathHashes) throws SQLException {
    return sql.list(
        "select "
            + FACTS
            + "f.path_hash = u.x left join lh_file_rowgroups g"
            + " on g.table_id = f.table_id and g.file_id = f.file_id"
            + " where (f.stats_state in (?, ?) or f.sort_verified in (?, ?)) and f.enc_version <= ?"
            + " order by f.file_id",
        row -> new OwnFacts(stored(row).facts(), StatsState.of(row.getInt(12))),
        pathHashes,
        tableId,
        StatsState.FOOTER.code(),
        StatsState.WRITER.code(),
        CheckedFacts.VERIFIED,
        CheckedFacts.VIOLATED,
        FactsCodec.VERSION);
  }

  private static StoredFacts stored(ResultSet row) throws SQLException {
    byte[] stats = FactsCodec.reads(row.getInt(7)) ? row.getBytes(8) : null;
    byte[] groups = FactsCodec.reads(row.getInt(9)) ? row.getBytes(10) : null;
    FileStats unpacked = stats == null ? FileStats.NONE : FactsCodec.decodeStats(stats);
    List<RowGroupFacts> rowGroups = groups == null ? List.of() : FactsCodec.decodeRowGroups(groups);
    return new StoredFacts(
        row.getLong(1),
        new FileFacts(
            row.getString(2),
            row.getLong(3),
            row.getLong(4),
            row.getInt(5),
            row.getInt(6),
            unpacked.columns(),
            rowGroups,
            unpacked.orderings(),
            Optional.ofNullable(row.getString(11))),
        (stats == null ? 0 : stats.length) + (groups == null ? 0 : groups.length));
  }
}
