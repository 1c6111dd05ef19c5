package dev.varve.engine.operator;

import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.port.WorkContext;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * What a sink or procedure may use of the query that runs it. Safe for concurrent use: each task
 * that was started here has its own task context, bound to its thread.
 */
public final class TaskWork implements WorkContext {
  private final TaskContext root;
  private final MetricSet metrics;
  private final ScopedValue<TaskContext> current = ScopedValue.newInstance();

  public TaskWork(TaskContext root, MetricSet metrics) {
    this.root = root;
    this.metrics = metrics;
  }

  /** Runs something in the task that made this. */
  public <T> T call(Supplier<T> work) {
    return ScopedValue.where(current, root).call(work::get);
  }

  private TaskContext task() {
    if (!current.isBound()) {
      throw new IllegalStateException("work of a query outside its tasks");
    }
    return current.get();
  }

  @Override
  public String queryId() {
    return root.query().queryId();
  }

  @Override
  public void checkCanceled() {
    if (current.isBound()) {
      current.get().checkpoint();
    } else {
      root.query().cancellation().check();
    }
  }

  @Override
  public MemoryReservation reserve(String consumer, boolean canSpill) {
    return root.reserve(consumer, canSpill);
  }

  @Override
  public <T> T blocking(Callable<T> wait) {
    return task().blocking(wait);
  }

  @Override
  public void spawn(String name, Runnable work) {
    root.spawn(name, context -> ScopedValue.where(current, context).run(work));
  }

  @Override
  public void count(String metric, long amount) {
    metrics.add(metric, amount);
  }
}
