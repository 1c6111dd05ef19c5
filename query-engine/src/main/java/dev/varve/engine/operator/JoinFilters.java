package dev.varve.engine.operator;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.join.KeyBounds;
import dev.varve.engine.kernel.join.KeySet;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;

/**
 * Publishes which keys a build side has, once all of it has been read. Where there is no memory for
 * that the filters stay without content, which changes no row.
 */
final class JoinFilters {
  private JoinFilters() {}

  /** One filter of a join: about the key with this position. */
  record KeyFilter(int key, DynamicFilter filter) {}

  static void publish(
      JoinSpec spec,
      JoinIndexBuilder.Rows rows,
      int count,
      OperatorMemory memory,
      TaskContext context) {
    for (KeyFilter filter : spec.filters()) {
      JoinKey key = spec.on().get(filter.key());
      publish(filter.filter(), key, evaluate(key.left(), rows, count, context), memory, context);
    }
  }

  private static Column evaluate(
      PhysicalExpr key, JoinIndexBuilder.Rows rows, int count, TaskContext context) {
    return key.evaluate(rows.slice(0, count), context.query().eval()).flat();
  }

  private static void publish(
      DynamicFilter filter,
      JoinKey key,
      Column values,
      OperatorMemory memory,
      TaskContext context) {
    KeyBounds bounds = new KeyBounds();
    bounds.add(values);
    if (!bounds.hasValues() || !memory.tryGrow(KeySet.bytes(bounds, values.length()))) {
      return;
    }
    KeySet set = KeySet.of(bounds, List.of(values));
    filter
        .slot(context.query())
        .publish(new JoinKeyTest(key.left().type(), bounds, set, key.nullsEqual()));
  }
}
