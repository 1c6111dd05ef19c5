package dev.varve.writer.order;

import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.types.Types;

/**
 * The part of a table's sort order that the writer demands and checks: its longest prefix of plain
 * columns, none twice.
 *
 * @param columns by position in the table's schema
 * @param sortOrderId what verified files carry in their metadata; 0 (unsorted) if the prefix is
 *     shorter than the table's order
 */
public record TableOrder(
    List<ColumnOrder> columns, Optional<TableOrdering> ordering, int sortOrderId) {

  /** Rows may come as they like. */
  public static final TableOrder NONE =
      new TableOrder(List.of(), Optional.empty(), SortOrder.unsorted().orderId());

  public TableOrder {
    columns = List.copyOf(columns);
  }

  public static TableOrder of(Schema schema, SortOrder order) {
    List<ColumnOrder> columns = new ArrayList<>();
    List<OrderingField> fields = new ArrayList<>();
    for (SortField field : order.fields()) {
      int position = position(schema, field.sourceId());
      if (position < 0
          || !field.transform().isIdentity()
          || fields.stream().anyMatch(f -> f.fieldId() == field.sourceId())) {
        break;
      }
      boolean descending = field.direction() == org.apache.iceberg.SortDirection.DESC;
      boolean nullsFirst = field.nullOrder() == org.apache.iceberg.NullOrder.NULLS_FIRST;
      columns.add(new ColumnOrder(position, new SortOptions(descending, nullsFirst)));
      fields.add(
          new OrderingField(
              field.sourceId(),
              descending ? SortDirection.DESC : SortDirection.ASC,
              nullsFirst ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST));
    }
    boolean whole = columns.size() == order.fields().size();
    return new TableOrder(
        columns,
        fields.isEmpty() ? Optional.empty() : Optional.of(new TableOrdering(fields)),
        whole ? order.orderId() : SortOrder.unsorted().orderId());
  }

  private static int position(Schema schema, int fieldId) {
    List<Types.NestedField> columns = schema.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).fieldId() == fieldId) {
        return i;
      }
    }
    return -1;
  }
}
