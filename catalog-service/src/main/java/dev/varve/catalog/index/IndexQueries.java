package dev.varve.catalog.index;

import dev.varve.catalog.index.FactsCodec.FileStats;
import dev.varve.catalog.index.FileEntry.Origin;
import dev.varve.catalog.index.IndexChange.Anchor;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.FileFacts;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The index's questions to the database. Each stays with one index or joins an array by primary
 * key: more than that H2 does not plan.
 */
final class IndexQueries {
  private static final String FACTS =
      "f.file_id, f.path, f.size_bytes, f.record_count, f.spec_id, f.schema_id, f.enc_version,"
          + " f.stats, g.enc_version, g.stats, f.etag from unnest(cast(? as bigint array)) u(x) join lh_file"
          + " f on f.table_id = ? and ";

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

  static Optional<Anchor> anchor(Sql sql, long tableId, long snapshotId) throws SQLException {
    return point(sql, tableId, snapshotId)
        .map(point -> new Anchor(snapshotId, point.lineId(), point.seq()));
  }

  static List<Long> lines(Sql sql, long tableId) throws SQLException {
    return sql.list(
        "select line_id from lh_line where table_id = ? order by line_id",
        row -> row.getLong(1),
        tableId);
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

  /** All files alive at a point. */
  static List<Long> live(Sql sql, long tableId, Point at) throws SQLException {
    return sql.list(
        "select file_id from lh_file_live"
            + " where table_id = ? and line_id = ? and removed_seq > ? and added_seq <= ?",
        row -> row.getLong(1),
        tableId,
        at.lineId(),
        at.seq(),
        at.seq());
  }

  /** The files alive at a point that were not added under one sort order. */
  static List<Long> liveOutsideOrder(Sql sql, long tableId, Point at, int orderId)
      throws SQLException {
    String half =
        "select file_id from lh_file_live where table_id = ? and line_id = ? and order_id %s ?"
            + " and removed_seq > ? and added_seq <= ?";
    return sql.list(
        half.formatted("<") + " union all " + half.formatted(">"),
        row -> row.getLong(1),
        tableId,
        at.lineId(),
        orderId,
        at.seq(),
        at.seq(),
        tableId,
        at.lineId(),
        orderId,
        at.seq(),
        at.seq());
  }

  /**
   * The files alive at a point whose keys in one sort order can lie between two keys. All files are
   * of the widest class ({@link IndexWriter}).
   */
  static List<Long> liveBetween(
      Sql sql, long tableId, Point at, int orderId, EncodedKey lower, EncodedKey upper)
      throws SQLException {
    String part =
        "select file_id from lh_file_live where table_id = ? and line_id = ? and order_id = ?"
            + " and removed_seq %s and width_class = 10 and k_lo <= ? and k_hi >= ?"
            + " and added_seq <= ?";
    byte[] least = lower.toByteArray();
    byte[] greatest = upper.toByteArray();
    return sql.list(
        part.formatted("= 9223372036854775807")
            + " union all "
            + part.formatted("> ? and removed_seq < 9223372036854775807"),
        row -> row.getLong(1),
        tableId,
        at.lineId(),
        orderId,
        greatest,
        least,
        at.seq(),
        tableId,
        at.lineId(),
        orderId,
        at.seq(),
        greatest,
        least,
        at.seq());
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

  /**
   * Facts that our own writer gave, or that a check of ours has been at, of files with these paths,
   * whether the files live or not, oldest first.
   */
  static List<FileFacts> ownFacts(Sql sql, long tableId, long[] pathHashes) throws SQLException {
    return sql.list(
        "select "
            + FACTS
            + "f.path_hash = u.x left join lh_file_rowgroups g"
            + " on g.table_id = f.table_id and g.file_id = f.file_id"
            + " where (f.stats_state = ? or f.sort_verified between 1 and 2) and f.enc_version <= ?"
            + " order by f.file_id",
        row -> stored(row).facts(),
        pathHashes,
        tableId,
        Origin.WRITER.code(),
        FactsCodec.VERSION);
  }

  private static StoredFacts stored(ResultSet row) throws SQLException {
    byte[] stats = FactsCodec.reads(row.getInt(7)) ? row.getBytes(8) : null;
    byte[] groups = FactsCodec.reads(row.getInt(9)) ? row.getBytes(10) : null;
    FileStats unpacked =
        stats == null ? FileStats.NONE : FactsCodec.decodeStats(stats, row.getInt(7));
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
            unpacked.equivalences(),
            Optional.ofNullable(row.getString(11))),
        (stats == null ? 0 : stats.length) + (groups == null ? 0 : groups.length));
  }
}
