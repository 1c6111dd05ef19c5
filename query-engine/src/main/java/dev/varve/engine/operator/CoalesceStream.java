package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.BatchQueue;
import dev.varve.engine.runtime.TaskContext;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Runs every partition of its input in a task and passes on batches as they come. */
final class CoalesceStream extends OperatorStream {
  private final PhysicalPlan input;
  private final int partitions;
  private final BatchQueue queue;
  private @Nullable BatchStream direct;
  private boolean started;
  private long left;

  CoalesceStream(PhysicalPlan node, PhysicalPlan input, OptionalLong fetch, TaskContext context) {
    super(node, context);
    this.input = input;
    this.partitions = input.properties().partitioning().count();
    this.queue = new BatchQueue(context.query(), 2 * partitions, partitions);
    this.left = fetch.orElse(Long.MAX_VALUE);
  }

  @Override
  @Nullable Batch produce() {
    if (left == 0) {
      return null;
    }
    if (!started) {
      started = true;
      if (partitions == 1) {
        direct = input.execute(0, context);
      } else {
        for (int p = 0; p < partitions; p++) {
          Producers.start(input, p, queue, context);
        }
      }
    }
    BatchStream single = direct;
    Batch batch = single != null ? pull(single) : waitFor();
    if (batch == null) {
      return null;
    }
    int count = (int) Math.min(left, batch.rowCount());
    left -= left == Long.MAX_VALUE ? 0 : count;
    if (left == 0) {
      release();
    }
    return batch.slice(0, count);
  }

  private @Nullable Batch waitFor() {
    long start = System.nanoTime();
    Batch batch = queue.take(context);
    metrics().exclude(System.nanoTime() - start);
    return batch;
  }

  @Override
  void release() {
    queue.close();
    BatchStream single = direct;
    if (single != null) {
      single.close();
    }
  }
}
