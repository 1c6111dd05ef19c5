package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.BatchQueue;
import dev.varve.engine.runtime.TaskContext;

/** Tasks that fill queues from partitions. */
final class Producers {
  private Producers() {}

  /** Starts a task that puts one partition's batches into the queue until that wants no more. */
  static void start(PhysicalPlan plan, int partition, BatchQueue queue, TaskContext context) {
    context.spawn(
        plan.name() + "[" + partition + "]",
        task -> {
          run(plan, partition, queue, task);
          // Only a partition that came to its end is done: after a failure the consumer must see
          // the query's end, never what looks like the end of the rows.
          queue.done();
        });
  }

  /**
   * Opens and closes the partition's stream even if nobody wants its batches any more: an exchange
   * below must learn that this reader has gone, or its producers would wait for it.
   */
  static void run(PhysicalPlan plan, int partition, BatchQueue queue, TaskContext task) {
    try (BatchStream stream = plan.execute(partition, task)) {
      Batch batch;
      boolean wanted = !queue.isClosed();
      while (wanted && (batch = stream.next()) != null) {
        task.checkpoint();
        wanted = queue.put(batch, task);
      }
    }
  }
}
