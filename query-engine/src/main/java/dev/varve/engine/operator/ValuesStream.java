package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches that are there already, cut to the batch size. */
final class ValuesStream extends OperatorStream {
  private final Iterator<Batch> batches;
  private @Nullable Batch current;
  private int position;

  ValuesStream(PhysicalPlan node, List<Batch> batches, TaskContext context) {
    super(node, context);
    this.batches = batches.iterator();
  }

  @Override
  @Nullable Batch produce() {
    context.checkpoint();
    Batch batch = current;
    if (batch == null || position == batch.rowCount()) {
      if (!batches.hasNext()) {
        return null;
      }
      batch = batches.next();
      current = batch;
      position = 0;
    }
    int count = Math.min(context.batchSize(), batch.rowCount() - position);
    position += count;
    return batch.slice(position - count, count);
  }

  @Override
  void release() {
    current = null;
  }
}
