package dev.varve.writer.verify;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.Schema;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.key.KeyTruncation;
import dev.varve.writer.order.RowKeys;
import dev.varve.writer.order.RowOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the rows of one file have one ordering. Confined to one task. */
final class OrderCheck {
  private final TableOrdering ordering;
  private final RowOrder order;
  private long rows;
  private @Nullable String violation;

  /**
   * @param fieldIds what the columns of the rows are
   */
  OrderCheck(TableOrdering ordering, List<Integer> fieldIds, Schema schema) {
    this.ordering = ordering;
    List<ColumnOrder> columns = new ArrayList<>();
    for (OrderingField field : ordering.fields()) {
      columns.add(
          new ColumnOrder(
              fieldIds.indexOf(field.fieldId()),
              new SortOptions(
                  field.direction() == SortDirection.DESC,
                  field.nullOrder() == NullOrder.NULLS_FIRST)));
    }
    this.order = new RowOrder(columns, new RowKeys(columns, schema));
    order.restart();
  }

  TableOrdering ordering() {
    return ordering;
  }

  boolean isViolated() {
    return violation != null;
  }

  /** Takes the next rows; nothing more is looked at after a violation. */
  void accept(Batch batch) {
    if (violation != null) {
      return;
    }
    int row = order.check(batch);
    if (row >= 0) {
      violation =
          "row "
              + (rows + row + 1)
              + " "
              + order.describe(batch, row)
              + " comes after "
              + (row == 0 ? order.describeLast() : order.describe(batch, row - 1));
    }
    rows += batch.rowCount();
  }

  /** Where the order is broken; only after a violation. */
  String violation() {
    String found = violation;
    if (found == null) {
      throw new IllegalStateException("no violation of " + ordering);
    }
    return found;
  }

  /** The range of the keys of all rows, which are in order; empty if there are none. */
  Optional<KeyRange> range() {
    if (violation != null) {
      throw new IllegalStateException("rows are not in the order " + ordering);
    }
    return rows == 0
        ? Optional.empty()
        : Optional.of(KeyTruncation.range(order.firstKey(), order.lastKey()));
  }
}
