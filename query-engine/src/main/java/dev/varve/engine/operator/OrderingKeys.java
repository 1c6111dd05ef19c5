package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;

/** Evaluates key expressions over batches and encodes the results. Confined to one task. */
final class OrderingKeys {
  private final List<PhysicalExpr> expressions;
  private final KeyEncoder encoder;
  private final TaskContext context;

  /** Keys that compare as the ordering says. */
  OrderingKeys(LexOrdering ordering, TaskContext context) {
    this(
        ordering.keys().stream().map(SortExpr::expr).toList(),
        new KeyLayout(
            ordering.keys().stream().map(k -> k.expr().type()).toList(),
            ordering.keys().stream().map(SortExpr::options).toList()),
        context);
  }

  /** Keys for equality. */
  static OrderingKeys unordered(List<PhysicalExpr> expressions, TaskContext context) {
    return new OrderingKeys(
        expressions,
        KeyLayout.unordered(expressions.stream().map(PhysicalExpr::type).toList()),
        context);
  }

  private OrderingKeys(List<PhysicalExpr> expressions, KeyLayout layout, TaskContext context) {
    this.expressions = expressions;
    this.encoder = new KeyEncoder(layout);
    this.context = context;
  }

  KeyLayout layout() {
    return encoder.layout();
  }

  Column[] columns(Batch batch) {
    Column[] columns = new Column[expressions.size()];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = expressions.get(k).evaluate(batch, context.query().eval());
    }
    return columns;
  }

  RowKeys of(Batch batch) {
    return encode(columns(batch), batch.rowCount());
  }

  RowKeys encode(Column[] columns, int count) {
    return encoder.encode(columns, count);
  }
}
