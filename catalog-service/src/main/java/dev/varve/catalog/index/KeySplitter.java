package dev.varve.catalog.index;

import dev.varve.catalog.index.Lines.Line;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.key.EncodedKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses split keys for the sort orders of tables with many files, and others once new files pile
 * up beyond the last ones. New split keys come under a new order id: files added from then on are
 * classed by them, the others are moved over in small transactions, and meanwhile questions go by
 * both ids.
 */
final class KeySplitter {
  /** The growth at which cells are counted again, and what the last one may hold of all files. */
  private static final double WATCHED_SHARE = 0.03;

  private static final int MOST_SAMPLED = 50_000;

  private final Database database;
  private final int batchFiles;
  private final long leastFiles;

  /**
   * @param leastFiles fewer are found fast enough without split keys
   */
  KeySplitter(Database database, int batchFiles, long leastFiles) {
    this.database = database;
    this.batchFiles = batchFiles;
    this.leastFiles = leastFiles;
  }

  /** The order ids of one sort order, the newest last. */
  private record Order(int sortOrderId, List<Integer> orderIds) {
    int newest() {
      return orderIds.getLast();
    }
  }

  /** Splits what is due and moves what is left over from an earlier time. */
  void split(long tableId) {
    for (Order order : database.read(sql -> orders(sql, tableId))) {
      Order now = order;
      Optional<SplitKeys> due = database.read(sql -> due(sql, tableId, order.newest()));
      if (due.isPresent()) {
        now = database.write(sql -> begin(sql, tableId, order, due.get()));
      }
      move(tableId, now);
    }
  }

  private static List<Order> orders(Sql sql, long tableId) throws SQLException {
    record Row(int sortOrderId, int orderId) {}
    List<Order> orders = new ArrayList<>();
    for (Row row :
        sql.list(
            "select sort_order_id, order_id from lh_order where table_id = ?"
                + " order by sort_order_id, order_id",
            row -> new Row(row.getInt(1), row.getInt(2)),
            tableId)) {
      if (orders.isEmpty() || orders.getLast().sortOrderId() != row.sortOrderId()) {
        orders.add(new Order(row.sortOrderId(), new ArrayList<>()));
      }
      orders.getLast().orderIds().add(row.orderId());
    }
    return orders;
  }

  /** New split keys, if there are enough files and the present ones no longer fit them. */
  private Optional<SplitKeys> due(Sql sql, long tableId, int orderId) throws SQLException {
    Optional<Line> line = newestLine(sql, tableId);
    if (line.isEmpty()) {
      return Optional.empty();
    }
    long lineId = line.get().lineId();
    long files = filesOf(sql, tableId, line.get());
    SplitKeys present = IndexQueries.splits(sql, tableId, orderId);
    long splitFiles = splitFiles(sql, tableId, orderId);
    if (files < leastFiles || files < splitFiles * (1 + WATCHED_SHARE)) {
      return Optional.empty();
    }
    if (!present.keys().isEmpty()) {
      long last = filesFrom(sql, tableId, lineId, orderId, present.keys().getLast());
      if (last <= files * WATCHED_SHARE) {
        return Optional.empty();
      }
    }
    List<EncodedKey> keys = sample(sql, tableId, lineId, orderId, files);
    return keys.isEmpty() ? Optional.empty() : Optional.of(SplitKeys.quantiles(keys));
  }

  /** The line of the newest snapshot. */
  private static Optional<Line> newestLine(Sql sql, long tableId) throws SQLException {
    Optional<Line> newest = Optional.empty();
    for (Line line : Lines.all(sql, tableId)) {
      if (newest.isEmpty() || line.headSeq() > newest.get().headSeq()) {
        newest = Optional.of(line);
      }
    }
    return newest;
  }

  private static long filesOf(Sql sql, long tableId, Line line) throws SQLException {
    return sql.first(
            "select files from lh_snapshot where table_id = ? and line_id = ? and seq = ?",
            row -> row.getLong(1),
            tableId,
            line.lineId(),
            line.headSeq())
        .orElse(0L);
  }

  private static long splitFiles(Sql sql, long tableId, int orderId) throws SQLException {
    return sql.first(
            "select files from lh_key_split where table_id = ? and order_id = ?",
            row -> row.getLong(1),
            tableId,
            orderId)
        .orElse(0L);
  }

  private static long filesFrom(Sql sql, long tableId, long lineId, int orderId, EncodedKey from)
      throws SQLException {
    return sql.first(
            "select count(*) from lh_file_live where table_id = ? and line_id = ? and order_id = ?"
                + " and removed_seq = 9223372036854775807 and k_lo >= ?",
            row -> row.getLong(1),
            tableId,
            lineId,
            orderId,
            from.toByteArray())
        .orElse(0L);
  }

  /** The least keys of live files, of so many that they fit into memory; ascending. */
  private static List<EncodedKey> sample(
      Sql sql, long tableId, long lineId, int orderId, long files) throws SQLException {
    long each = 1 + files / MOST_SAMPLED;
    List<EncodedKey> keys =
        sql.list(
            "select k_lo from lh_file_live where table_id = ? and line_id = ? and order_id = ?"
                + " and removed_seq = 9223372036854775807 and mod(file_id, ?) = 0"
                + " and octet_length(k_lo) > 0",
            row -> EncodedKey.of(row.getBytes(1)),
            tableId,
            lineId,
            orderId,
            each);
    keys.sort(null);
    return keys;
  }

  private static Order begin(Sql sql, long tableId, Order order, SplitKeys splits)
      throws SQLException {
    boolean exists =
        sql.first(
                "select table_id from lh_table where table_id = ? for update",
                row -> row.getLong(1),
                tableId)
            .isPresent();
    List<Order> now = exists ? orders(sql, tableId) : List.of();
    for (Order same : now) {
      // Another node may have been faster.
      if (same.sortOrderId() == order.sortOrderId() && same.newest() == order.newest()) {
        int orderId = OrderInUse.registerAgain(sql, tableId, order.newest());
        long files =
            newestLine(sql, tableId).isPresent()
                ? filesOf(sql, tableId, newestLine(sql, tableId).get())
                : 0;
        sql.update(
            "insert into lh_key_split(table_id, order_id, n, splits, files) values (?,?,?,?,?)",
            tableId,
            orderId,
            splits.keys().size(),
            splits.pack(),
            files);
        List<Integer> ids = new ArrayList<>(same.orderIds());
        ids.add(orderId);
        return new Order(order.sortOrderId(), ids);
      }
    }
    return order;
  }

  private void move(long tableId, Order order) {
    for (int orderId : order.orderIds().subList(0, order.orderIds().size() - 1)) {
      while (database.write(sql -> moveBatch(sql, tableId, orderId, order.newest()))) {
        // The next batch is a transaction of its own, so that commits come in between.
      }
    }
  }

  /** Returns whether there may be more; at the end nobody needs the old id. */
  private boolean moveBatch(Sql sql, long tableId, int from, int to) throws SQLException {
    boolean exists =
        sql.first(
                "select table_id from lh_table where table_id = ? for update",
                row -> row.getLong(1),
                tableId)
            .isPresent();
    if (!exists) {
      return false;
    }
    SplitKeys splits = IndexQueries.splits(sql, tableId, to);
    for (Line line : Lines.all(sql, tableId)) {
      List<@Nullable Object[]> moved =
          sql.list(
              "select file_id, added_seq, k_lo, k_hi from lh_file_live"
                  + " where table_id = ? and line_id = ? and order_id = ?"
                  + " order by table_id, line_id, order_id, removed_seq, width_class, k_lo"
                  + " fetch first "
                  + batchFiles
                  + " rows only",
              row ->
                  new @Nullable Object[] {
                    to,
                    splits.widthClass(
                        EncodedKey.of(row.getBytes(3)), EncodedKey.of(row.getBytes(4))),
                    tableId,
                    line.lineId(),
                    row.getLong(1),
                    row.getLong(2)
                  },
              tableId,
              line.lineId(),
              from);
      if (!moved.isEmpty()) {
        sql.batch(
            "update lh_file_live set order_id = ?, width_class = ?"
                + " where table_id = ? and line_id = ? and file_id = ? and added_seq = ?",
            moved);
        return true;
      }
    }
    sql.update("delete from lh_order where table_id = ? and order_id = ?", tableId, from);
    sql.update("delete from lh_key_split where table_id = ? and order_id = ?", tableId, from);
    return false;
  }
}
