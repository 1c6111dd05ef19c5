package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/** Aggregates without group columns: there is one group, and a row even if there was no input. */
final class GlobalAggregateStream extends OperatorStream {
  private final BatchStream input;
  private final AggregateStates states;
  private final OperatorMemory memory;
  private boolean ended;

  GlobalAggregateStream(AggregateExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.input = input;
    this.states = new AggregateStates(node);
    this.memory =
        new OperatorMemory(context.reserve("AggregateExec " + node.mode(), false), node.metrics());
  }

  @Override
  @Nullable Batch produce() {
    if (ended) {
      return null;
    }
    long fixed = states.bytesPerGroup();
    memory.grow(fixed);
    states.resize(1);
    EvalContext eval = context.query().eval();
    Batch batch;
    while ((batch = pull(input)) != null) {
      states.updateAll(batch, states.inputs(batch, eval), eval);
      memory.resize(fixed + states.varyingBytes());
    }
    input.close();
    ended = true;
    return new Batch(schema(), states.output(0, 1), 1);
  }

  @Override
  void release() {
    input.close();
    memory.close();
  }
}
