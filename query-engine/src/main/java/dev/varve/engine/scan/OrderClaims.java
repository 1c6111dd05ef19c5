package dev.varve.engine.scan;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Between a table's orderings, which name fields, and those of a scan's output columns. */
final class OrderClaims {
  /** More would only cost planning time. */
  private static final int MAX_ORDERINGS = 8;

  private OrderClaims() {}

  /** The different orderings that facts of these files speak of. */
  static List<TableOrdering> orderings(List<FileFacts> files, boolean verifiedOnly) {
    Set<TableOrdering> found = new LinkedHashSet<>();
    for (FileFacts file : files) {
      for (OrderingFact fact : file.orderings()) {
        boolean counts = verifiedOnly ? fact.trust() == Trust.VERIFIED : true;
        if (counts && found.size() < MAX_ORDERINGS) {
          found.add(fact.ordering());
        }
      }
    }
    return List.copyOf(found);
  }

  /** As much of the ordering as the output has columns for; empty if that is nothing. */
  static Optional<LexOrdering> overOutput(
      TableOrdering ordering, ScanTable table, List<Integer> output, Schema schema) {
    List<SortExpr> keys = new ArrayList<>();
    for (OrderingField field : ordering.fields()) {
      int index = table.position(field.fieldId()).map(output::indexOf).orElse(-1);
      if (index < 0) {
        break;
      }
      keys.add(new SortExpr(ColumnExpr.of(schema, index), options(field)));
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new LexOrdering(keys));
  }

  /** The order of the same rows read from the last to the first. */
  static LexOrdering reversed(LexOrdering ordering) {
    return new LexOrdering(
        ordering.keys().stream()
            .map(
                key ->
                    new SortExpr(
                        key.expr(),
                        new SortOptions(!key.options().descending(), !key.options().nullsFirst())))
            .toList());
  }

  static SortOptions options(OrderingField field) {
    return new SortOptions(
        field.direction() == SortDirection.DESC, field.nullOrder() == NullOrder.NULLS_FIRST);
  }

  static OrderingField field(int fieldId, SortOptions options) {
    return new OrderingField(
        fieldId,
        options.descending() ? SortDirection.DESC : SortDirection.ASC,
        options.nullsFirst() ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST);
  }

  /** {@code [k ASC, l DESC]}. */
  static String describe(TableOrdering ordering, ScanTable table) {
    List<String> keys = new ArrayList<>();
    for (OrderingField field : ordering.fields()) {
      String name =
          table
              .position(field.fieldId())
              .map(p -> table.columns().get(p).name())
              .orElse("field " + field.fieldId());
      keys.add(name + " " + options(field));
    }
    return keys.toString();
  }
}
