package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexChange.KeyOrder;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.SortDirection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A sort order with the split keys that files added now are classed by. Its id is the greatest that
 * the sort order has: files of lesser ids were classed by other split keys.
 */
record OrderInUse(int orderId, KeyOrder key, SplitKeys splits) {

  /** What is in use for a sort order; the caller holds the lock of the table's row. */
  static OrderInUse of(Sql sql, long tableId, KeyOrder key) throws SQLException {
    Optional<Integer> known =
        sql.first(
            "select order_id from lh_order where table_id = ? and sort_order_id = ?"
                + " order by order_id desc fetch first 1 rows only",
            row -> row.getInt(1),
            tableId,
            key.sortOrderId());
    int orderId = known.isPresent() ? known.get() : register(sql, tableId, key);
    return new OrderInUse(orderId, key, IndexQueries.splits(sql, tableId, orderId));
  }

  private static int register(Sql sql, long tableId, KeyOrder key) throws SQLException {
    int orderId = nextId(sql, tableId);
    var lead = key.ordering().fields().getFirst();
    sql.update(
        "insert into lh_order(table_id, order_id, sort_order_id, lead_field_id, lead_type,"
            + " lead_desc) values (?,?,?,?,?,?)",
        tableId,
        orderId,
        key.sortOrderId(),
        lead.fieldId(),
        StoredKeyType.code(key.leadType()),
        lead.direction() == SortDirection.DESC ? 1 : 0);
    return orderId;
  }

  /** Takes another id for the sort order that an id stands for. */
  static int registerAgain(Sql sql, long tableId, int known) throws SQLException {
    int orderId = nextId(sql, tableId);
    sql.update(
        "insert into lh_order(table_id, order_id, sort_order_id, lead_field_id, lead_type,"
            + " lead_desc) select table_id, cast(? as integer), sort_order_id, lead_field_id,"
            + " lead_type, lead_desc from lh_order where table_id = ? and order_id = ?",
        orderId,
        tableId,
        known);
    return orderId;
  }

  private static int nextId(Sql sql, long tableId) throws SQLException {
    return 1
        + sql.first(
                "select max(order_id) from lh_order where table_id = ?",
                row -> row.getInt(1),
                tableId)
            .orElse(0);
  }
}
