package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/** Spends the task's budget at each batch. */
final class CooperativeStream extends OperatorStream {
  private final BatchStream input;

  CooperativeStream(CooperativeExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.input = input;
  }

  @Override
  @Nullable Batch produce() {
    context.checkpoint();
    return pull(input);
  }

  @Override
  void release() {
    input.close();
  }
}
