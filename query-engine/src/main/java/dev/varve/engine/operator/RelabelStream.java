package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/** An input's batches under the node's own schema. */
final class RelabelStream extends OperatorStream {
  private final BatchStream input;

  RelabelStream(PhysicalPlan node, BatchStream input, TaskContext context) {
    super(node, context);
    this.input = input;
  }

  @Override
  @Nullable Batch produce() {
    Batch batch = pull(input);
    return batch == null ? null : batch.withSchema(schema());
  }

  @Override
  void release() {
    input.close();
  }
}
