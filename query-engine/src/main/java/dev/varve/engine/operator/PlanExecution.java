package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.BatchQueue;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.QueryTasks;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.jspecify.annotations.Nullable;

/**
 * One run of a physical plan: it works in tasks of the query and hands batches through a short
 * queue to one fetching thread, which need not be a task. {@link #cancel} may be called by any
 * thread. The query's context stays open; whoever made it closes it after this.
 */
public final class PlanExecution implements AutoCloseable {
  private static final int QUEUED_BATCHES = 4;

  private final Schema schema;
  private final QueryContext query;
  private final QueryTasks tasks;
  private final BatchQueue queue;
  private boolean ended;

  private PlanExecution(Schema schema, QueryContext query, QueryTasks tasks) {
    this.schema = schema;
    this.query = query;
    this.tasks = tasks;
    this.queue = new BatchQueue(query, QUEUED_BATCHES, 1);
  }

  /** Starts the plan; several partitions are brought together in no order. */
  public static PlanExecution start(PhysicalPlan plan, QueryContext query, QueryTasks tasks) {
    PhysicalPlan root =
        plan.properties().partitioning().count() == 1 ? plan : new CoalescePartitionsExec(plan);
    PlanExecution execution = new PlanExecution(plan.schema(), query, tasks);
    tasks.spawn(
        "root",
        task -> {
          Producers.run(root, 0, execution.queue, task);
          execution.queue.done();
        });
    return execution;
  }

  public static PlanExecution start(PhysicalPlan plan, QueryContext query) {
    return start(plan, query, new QueryTasks(query));
  }

  public Schema schema() {
    return schema;
  }

  /**
   * Waits for the next batch; null at the end.
   *
   * @throws VarveException what ended the query, if it did not end well
   */
  public @Nullable Batch nextBatch() {
    Batch batch = queue.takeOutside();
    Throwable cause = query.cancellation().cause();
    if (cause != null) {
      throw failure(cause);
    }
    ended |= batch == null;
    return batch;
  }

  /** What a failed task threw, as the fetching thread throws it. */
  public static VarveException failure(Throwable cause) {
    return switch (cause) {
      case VarveException failure ->
          new VarveException(
              failure.code(),
              String.valueOf(failure.getMessage()),
              failure.position(),
              failure.hint(),
              failure);
      case OutOfMemoryError error ->
          new VarveException(ErrorCode.MEMORY_LIMIT_EXCEEDED, "the heap is exhausted", error);
      default -> new VarveException(ErrorCode.INTERNAL_ERROR, "internal error: " + cause, cause);
    };
  }

  public void cancel() {
    query.cancellation().cancelByUser();
  }

  /** Stops what still runs and waits for all tasks. */
  @Override
  public void close() {
    if (!ended) {
      cancel();
    }
    queue.close();
    tasks.close();
  }
}
