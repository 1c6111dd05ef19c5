package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/** Selects the rows of each batch; a batch whose rows all pass goes on as it is. */
final class FilterStream extends OperatorStream {
  private final PhysicalExpr predicate;
  private final BatchStream input;
  private int[] selection = {};

  FilterStream(FilterExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.predicate = node.predicate();
    this.input = input;
  }

  @Override
  @Nullable Batch produce() {
    Batch batch = pull(input);
    if (batch == null) {
      return null;
    }
    if (selection.length < batch.rowCount()) {
      selection = new int[batch.rowCount()];
    }
    int count = Predicates.select(predicate, batch, context.query().eval(), selection);
    return count == batch.rowCount() ? batch : batch.take(selection, count);
  }

  @Override
  void release() {
    input.close();
  }
}
