package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexChange.Anchor;
import dev.varve.catalog.index.IndexChange.Delta;
import dev.varve.catalog.index.IndexChange.KeyOrder;
import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.FileFacts;
import dev.varve.layout.SortDirection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a change live within the transaction that swaps the table's pointer, which holds the lock
 * of the table's row: sequence numbers, file ids and lines are handed out under it.
 */
public final class IndexWriter {
  private static final int LOOKUP_FILES = 1_000;

  private final Sql sql;
  private final long tableId;
  private final Optional<KeyOrder> order;
  private long seq;
  private long nextFileId;
  private long nextLineId;

  private IndexWriter(Sql sql, long tableId, Optional<KeyOrder> order, Counters counters) {
    this.sql = sql;
    this.tableId = tableId;
    this.order = order;
    this.seq = counters.seq();
    this.nextFileId = counters.nextFileId();
    this.nextLineId = counters.nextLineId();
  }

  private record Counters(long seq, long nextFileId, long nextLineId) {}

  /** A file that lives in a line. */
  private record Life(long fileId, long addedSeq, long records, long bytes) {}

  /**
   * Applies a change.
   *
   * @throws IndexMismatch when the change removes what does not live
   */
  public static void apply(Sql sql, long tableId, IndexChange change) throws SQLException {
    for (Long snapshotId : change.forgotten()) {
      sql.update(
          "delete from lh_snapshot where table_id = ? and snapshot_id = ?", tableId, snapshotId);
    }
    if (change.deltas().isEmpty()) {
      return;
    }
    Counters counters =
        sql.first(
                "select seq, next_file_id, next_line_id from lh_table where table_id = ?",
                row -> new Counters(row.getLong(1), row.getLong(2), row.getLong(3)),
                tableId)
            .orElseThrow(() -> new IllegalStateException("table " + tableId + " has no row"));
    new IndexWriter(sql, tableId, change.sortOrder(), counters).apply(change);
    StagedFacts.delete(sql, change.staged());
  }

  /** Removes all that the index knows of a table. */
  public static void drop(Sql sql, long tableId, String tableUuid) throws SQLException {
    for (String table :
        List.of(
            "lh_snapshot",
            "lh_line",
            "lh_order",
            "lh_index_work",
            "lh_footer_failure",
            "lh_file_live",
            "lh_page_files",
            "lh_stat_page",
            "lh_file_rowgroups",
            "lh_file")) {
      sql.update("delete from " + table + " where table_id = ?", tableId);
    }
    sql.update("delete from lh_staged where table_uuid = ?", tableUuid);
  }

  private void apply(IndexChange change) throws SQLException {
    registerOrder();
    Point at = line(change.anchor());
    for (Delta delta : change.deltas()) {
      at = apply(delta, at);
    }
    sql.update(
        "update lh_line set head_seq = ? where table_id = ? and line_id = ?",
        seq,
        tableId,
        at.lineId());
    sql.update(
        "update lh_table set seq = ?, next_file_id = ?, next_line_id = ? where table_id = ?",
        seq,
        nextFileId,
        nextLineId,
        tableId);
  }

  /** The point to go on from: the head of a line, or the start of a new one. */
  private Point line(Optional<Anchor> anchor) throws SQLException {
    if (anchor.isEmpty()) {
      return new Point(startLine(), seq, 0, 0, 0);
    }
    Anchor known = anchor.get();
    Point from =
        IndexQueries.point(sql, tableId, known.snapshotId())
            .filter(point -> point.lineId() == known.lineId() && point.seq() == known.seq())
            .orElseThrow(() -> new IndexMismatch("the ancestor " + known + " is gone"));
    boolean isHead =
        sql.first(
                "select head_seq from lh_line where table_id = ? and line_id = ?",
                row -> row.getLong(1),
                tableId,
                from.lineId())
            .filter(head -> head == from.seq())
            .isPresent();
    return isHead ? from : fork(from);
  }

  private Point fork(Point from) throws SQLException {
    long lineId = startLine();
    seq++;
    sql.update(
        "insert into lh_file_live(table_id, line_id, file_id, added_seq, order_id, width_class,"
            + " k_lo, k_hi) select table_id, cast(? as bigint), file_id, cast(? as bigint), order_id,"
            + " width_class, k_lo, k_hi from lh_file_live"
            + " where table_id = ? and line_id = ? and removed_seq > ? and added_seq <= ?",
        lineId,
        seq,
        tableId,
        from.lineId(),
        from.seq(),
        from.seq());
    return new Point(lineId, seq, from.files(), from.records(), from.bytes());
  }

  private long startLine() throws SQLException {
    long lineId = nextLineId++;
    sql.update(
        "insert into lh_line(table_id, line_id, head_seq) values (?,?,?)", tableId, lineId, seq);
    return lineId;
  }

  private Point apply(Delta delta, Point before) throws SQLException {
    seq++;
    List<Life> removed = removed(delta.removed(), before.lineId());
    List<@Nullable Object[]> ends = new ArrayList<>(removed.size());
    long files = before.files() + delta.added().size() - removed.size();
    long records = before.records();
    long bytes = before.bytes();
    for (Life life : removed) {
      records -= life.records();
      bytes -= life.bytes();
      ends.add(
          new @Nullable Object[] {seq, tableId, before.lineId(), life.fileId(), life.addedSeq()});
    }
    sql.batch(
        "update lh_file_live set removed_seq = ?"
            + " where table_id = ? and line_id = ? and file_id = ? and added_seq = ?",
        ends);
    for (FileEntry entry : delta.added()) {
      records += entry.facts().recordCount();
      bytes += entry.facts().sizeBytes();
    }
    add(delta, before.lineId());
    sql.update(
        "insert into lh_snapshot(table_id, snapshot_id, line_id, seq, files, records, bytes)"
            + " values (?,?,?,?,?,?,?)",
        tableId,
        delta.snapshotId(),
        before.lineId(),
        seq,
        files,
        records,
        bytes);
    return new Point(before.lineId(), seq, files, records, bytes);
  }

  /** The lives that end; every path must have as many as the snapshot removes of it. */
  private List<Life> removed(List<String> paths, long lineId) throws SQLException {
    List<Life> removed = new ArrayList<>(paths.size());
    for (int from = 0; from < paths.size(); from += LOOKUP_FILES) {
      Set<String> wanted =
          new HashSet<>(paths.subList(from, Math.min(paths.size(), from + LOOKUP_FILES)));
      removed.addAll(alive(wanted, lineId));
    }
    if (new HashSet<>(removed).size() != paths.size()) {
      throw new IndexMismatch(
          paths.size() + " files are removed, but the index has " + removed.size() + " of them");
    }
    return removed;
  }

  private List<Life> alive(Set<String> paths, long lineId) throws SQLException {
    long[] hashes = paths.stream().mapToLong(PathHash::of).toArray();
    long[] fileIds =
        sql
            .list(
                "select f.file_id, f.path from unnest(cast(? as bigint array)) u(x)"
                    + " join lh_file f on f.table_id = ? and f.path_hash = u.x",
                row -> paths.contains(row.getString(2)) ? row.getLong(1) : -1L,
                hashes,
                tableId)
            .stream()
            .mapToLong(Long::longValue)
            .filter(id -> id >= 0)
            .toArray();
    return sql.list(
        "select l.file_id, l.added_seq, f.record_count, f.size_bytes"
            + " from unnest(cast(? as bigint array)) u(x)"
            + " join lh_file_live l on l.table_id = ? and l.line_id = ? and l.file_id = u.x"
            + " join lh_file f on f.table_id = l.table_id and f.file_id = l.file_id"
            + " where l.removed_seq = 9223372036854775807",
        row -> new Life(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)),
        Arrays.stream(fileIds).distinct().toArray(),
        tableId,
        lineId);
  }

  private void add(Delta delta, long lineId) throws SQLException {
    List<@Nullable Object[]> files = new ArrayList<>();
    List<@Nullable Object[]> rowGroups = new ArrayList<>();
    List<@Nullable Object[]> lives = new ArrayList<>();
    for (FileEntry entry : delta.added()) {
      long fileId = nextFileId++;
      files.add(fileRow(entry, fileId, delta.snapshotId()));
      byte @Nullable [] groups = RowGroupBlob.of(entry.facts());
      if (groups != null) {
        rowGroups.add(
            new @Nullable Object[] {
              tableId, fileId, FactsCodec.VERSION, entry.facts().rowGroups().size(), groups
            });
      }
      LifeKey key = LifeKey.of(entry.facts(), order);
      lives.add(
          new @Nullable Object[] {
            tableId,
            lineId,
            fileId,
            seq,
            key.orderId(),
            WidthClass.WIDEST,
            key.lower().toByteArray(),
            key.upper().toByteArray()
          });
      if (files.size() == LOOKUP_FILES) {
        insert(files, rowGroups, lives);
      }
    }
    insert(files, rowGroups, lives);
  }

  private @Nullable Object[] fileRow(FileEntry entry, long fileId, long snapshotId) {
    FileFacts facts = entry.facts();
    return new @Nullable Object[] {
      tableId,
      fileId,
      facts.path(),
      PathHash.of(facts.path()),
      entry.format(),
      0,
      facts.specId(),
      entry.sortOrderId(),
      CheckedFacts.state(facts),
      facts.recordCount(),
      facts.sizeBytes(),
      snapshotId,
      entry.dataSequence(),
      entry.origin().code(),
      FactsCodec.VERSION,
      facts.schemaId(),
      FactsCodec.encodeStats(facts),
      facts.etag().orElse(null),
      entry.task()
    };
  }

  private void insert(
      List<@Nullable Object[]> files,
      List<@Nullable Object[]> rowGroups,
      List<@Nullable Object[]> lives)
      throws SQLException {
    sql.batch(
        "insert into lh_file(table_id, file_id, path, path_hash, format, content, spec_id,"
            + " sort_order_id, sort_verified, record_count, size_bytes, added_snapshot, data_seq,"
            + " stats_state, enc_version, schema_id, stats, etag, task)"
            + " values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        files);
    sql.batch(
        "insert into lh_file_rowgroups(table_id, file_id, enc_version, row_groups, stats)"
            + " values (?,?,?,?,?)",
        rowGroups);
    sql.batch(
        "insert into lh_file_live(table_id, line_id, file_id, added_seq, order_id, width_class,"
            + " k_lo, k_hi) values (?,?,?,?,?,?,?,?)",
        lives);
    files.clear();
    rowGroups.clear();
    lives.clear();
  }

  private void registerOrder() throws SQLException {
    if (order.isEmpty()) {
      return;
    }
    KeyOrder key = order.get();
    boolean known =
        sql.first(
                "select order_id from lh_order where table_id = ? and order_id = ?",
                row -> row.getInt(1),
                tableId,
                key.orderId())
            .isPresent();
    if (!known) {
      var lead = key.ordering().fields().getFirst();
      sql.update(
          "insert into lh_order(table_id, order_id, lead_field_id, lead_type, lead_desc)"
              + " values (?,?,?,?,?)",
          tableId,
          key.orderId(),
          lead.fieldId(),
          StoredKeyType.code(key.leadType()),
          lead.direction() == SortDirection.DESC ? 1 : 0);
    }
  }
}
