package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/** Passes some rows and then closes its input, so that nothing works on for rows nobody wants. */
final class LimitStream extends OperatorStream {
  private final BatchStream input;
  private long toSkip;
  private long toFetch;

  LimitStream(PhysicalPlan node, BatchStream input, long skip, long fetch, TaskContext context) {
    super(node, context);
    this.input = input;
    this.toSkip = skip;
    this.toFetch = fetch;
  }

  @Override
  @Nullable Batch produce() {
    if (toFetch == 0) {
      input.close();
      return null;
    }
    Batch batch = pull(input);
    if (batch == null) {
      return null;
    }
    int from = (int) Math.min(toSkip, batch.rowCount());
    int count = (int) Math.min(toFetch, batch.rowCount() - from);
    toSkip -= from;
    toFetch -= count;
    if (toFetch == 0) {
      input.close();
    }
    return batch.slice(from, count);
  }

  @Override
  void release() {
    input.close();
  }
}
