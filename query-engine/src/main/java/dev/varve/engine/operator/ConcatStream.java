package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Drains the partitions of its input in their sequence; tasks of their own read them ahead. With a
 * fetch, which the first partition may fill, nothing is read ahead at first, and one partition more
 * with each that was not enough.
 */
final class ConcatStream extends OperatorStream {
  private final PhysicalPlan input;
  private final int partitions;
  private final ReadAhead ahead;
  private final int window;
  private final boolean startsSlowly;
  private @Nullable BatchStream direct;
  private int drained;
  private int started;
  private long left;

  ConcatStream(PhysicalPlan node, PhysicalPlan input, OptionalLong fetch, TaskContext context) {
    super(node, context);
    this.input = input;
    this.partitions = input.properties().partitioning().count();
    this.left = fetch.orElse(Long.MAX_VALUE);
    this.startsSlowly = fetch.isPresent();
    this.window = Math.max(1, context.query().settings().targetPartitions());
    this.ahead =
        new ReadAhead(
            context.query(),
            new OperatorMemory(context.reserve("ConcatPartitionsExec", false), node.metrics()));
  }

  @Override
  @Nullable Batch produce() {
    while (left > 0 && drained < partitions) {
      Batch batch = partitions == 1 ? pullDirectly() : takeAhead();
      if (batch == null) {
        drained++;
        continue;
      }
      int count = (int) Math.min(left, batch.rowCount());
      left -= count;
      if (left == 0) {
        stop();
      }
      return batch.slice(0, count);
    }
    stop();
    return null;
  }

  private @Nullable Batch pullDirectly() {
    BatchStream stream = direct;
    if (stream == null) {
      stream = input.execute(0, context);
      direct = stream;
    }
    return pull(stream);
  }

  private @Nullable Batch takeAhead() {
    int open = startsSlowly ? Math.min(window, drained + 1) : window;
    while (started < Math.min(partitions, drained + open)) {
      ahead.start(input, started++, context);
    }
    long start = System.nanoTime();
    Batch batch = ahead.take(drained, context);
    metrics().exclude(System.nanoTime() - start);
    return batch;
  }

  private void stop() {
    ahead.close();
    BatchStream stream = direct;
    if (stream != null) {
      stream.close();
    }
  }

  @Override
  void release() {
    stop();
  }
}
