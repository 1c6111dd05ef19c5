package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexChange.Delta;
import dev.varve.catalog.index.IndexChange.KeyOrder;
import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.index.LineFiles.Life;
import dev.varve.catalog.index.Lines.Line;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.FileFacts;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
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
  private final LineFiles lives;
  private final Optional<OrderInUse> order;
  private long seq;
  private long nextFileId;
  private long nextLineId;

  private IndexWriter(Sql sql, long tableId, Optional<OrderInUse> order, Counters counters) {
    this.sql = sql;
    this.lives = new LineFiles(sql, tableId);
    this.tableId = tableId;
    this.order = order;
    this.seq = counters.seq();
    this.nextFileId = counters.nextFileId();
    this.nextLineId = counters.nextLineId();
  }

  private record Counters(long seq, long nextFileId, long nextLineId) {}

  /**
   * Applies a change.
   *
   * @throws IndexMismatch when the change removes what does not live
   */
  public static void apply(Sql sql, long tableId, IndexChange change) throws SQLException {
    if (!change.deltas().isEmpty()) {
      Counters counters =
          sql.first(
                  "select seq, next_file_id, next_line_id from lh_table where table_id = ?",
                  row -> new Counters(row.getLong(1), row.getLong(2), row.getLong(3)),
                  tableId)
              .orElseThrow(() -> new IllegalStateException("table " + tableId + " has no row"));
      Optional<KeyOrder> key = change.sortOrder();
      Optional<OrderInUse> order =
          key.isPresent() ? Optional.of(OrderInUse.of(sql, tableId, key.get())) : Optional.empty();
      new IndexWriter(sql, tableId, order, counters).apply(change);
      StagedFacts.delete(sql, change.staged());
    }
    // Last, because a delta may stand on a snapshot that goes.
    for (Long snapshotId : change.forgotten()) {
      sql.update(
          "delete from lh_snapshot where table_id = ? and snapshot_id = ?", tableId, snapshotId);
    }
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
            "lh_key_split",
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
    for (Delta delta : change.deltas()) {
      // It may have been indexed belatedly since the change was prepared.
      if (IndexQueries.point(sql, tableId, delta.snapshotId()).isEmpty()) {
        apply(delta, start(delta));
      }
    }
    sql.update(
        "update lh_table set seq = ?, next_file_id = ?, next_line_id = ? where table_id = ?",
        seq,
        nextFileId,
        nextLineId,
        tableId);
  }

  /** The point to go on from: the head of a line, or the start of a new one. */
  private Point start(Delta delta) throws SQLException {
    if (delta.parentId().isEmpty()) {
      return new Point(startLine(), seq, 0, 0, 0);
    }
    Point parent =
        IndexQueries.point(sql, tableId, delta.parentId().getAsLong())
            .orElseThrow(
                () ->
                    new IndexMismatch("the ancestor " + delta.parentId().getAsLong() + " is gone"));
    boolean isHead =
        Lines.find(sql, tableId, parent.lineId())
            .filter(line -> line.headSeq() == parent.seq())
            .isPresent();
    return isHead ? parent : fork(parent);
  }

  private Point fork(Point from) throws SQLException {
    long lineId = startLine();
    sql.update(
        "update lh_line set parent_line_id = ?, fork_seq = ?, inherited = ?"
            + " where table_id = ? and line_id = ?",
        from.lineId(),
        from.seq(),
        from.files(),
        tableId,
        lineId);
    return new Point(lineId, seq, from.files(), from.records(), from.bytes());
  }

  private long startLine() throws SQLException {
    long lineId = nextLineId++;
    sql.update(
        "insert into lh_line(table_id, line_id, head_seq) values (?,?,?)", tableId, lineId, seq);
    return lineId;
  }

  private void apply(Delta delta, Point before) throws SQLException {
    seq++;
    Line line =
        Lines.find(sql, tableId, before.lineId())
            .orElseThrow(() -> new IllegalStateException("line " + before.lineId() + " is gone"));
    List<Life> removed = removed(delta.removed(), line);
    long files = before.files() + delta.added().size() - removed.size();
    if (delta.files().isPresent() && delta.files().getAsLong() != files) {
      throw new IndexMismatch(
          "snapshot "
              + delta.snapshotId()
              + " has "
              + delta.files().getAsLong()
              + " files by its manifest list, "
              + files
              + " by what it changed");
    }
    lives.end(removed, line, seq);
    add(delta, before.lineId());
    long records = before.records();
    long bytes = before.bytes();
    for (Life life : removed) {
      records -= life.records();
      bytes -= life.bytes();
    }
    for (FileEntry entry : delta.added()) {
      records += entry.facts().recordCount();
      bytes += entry.facts().sizeBytes();
    }
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
    sql.update(
        "update lh_line set head_seq = ? where table_id = ? and line_id = ?",
        seq,
        tableId,
        before.lineId());
  }

  /** The lives that end; every path must have as many as the snapshot removes of it. */
  private List<Life> removed(List<String> paths, Line line) throws SQLException {
    List<Life> removed = new ArrayList<>(paths.size());
    // All entries of a path at once, however often it is removed.
    List<String> distinct = List.copyOf(new LinkedHashSet<>(paths));
    for (int from = 0; from < distinct.size(); from += LOOKUP_FILES) {
      removed.addAll(
          lives.alive(
              Set.copyOf(distinct.subList(from, Math.min(distinct.size(), from + LOOKUP_FILES))),
              line));
    }
    if (removed.size() != paths.size()) {
      throw new IndexMismatch(
          paths.size() + " files are removed, but the index has " + removed.size() + " of them");
    }
    return removed;
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
            key.widthClass(),
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
      entry.state().code(),
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
}
