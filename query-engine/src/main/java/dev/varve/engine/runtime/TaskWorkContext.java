package dev.varve.engine.runtime;

import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.port.WorkContext;
import java.util.concurrent.Callable;

/**
 * What a sink or procedure is lent while it runs in a task. Work that it spawns runs in tasks of
 * its own, so waiting there gives back that task's core. Safe for concurrent use by the task and
 * what it spawned.
 */
public class TaskWorkContext implements WorkContext {
  private static final ScopedValue<TaskContext> CURRENT = ScopedValue.newInstance();

  private final TaskContext owner;
  private final MetricSet metrics;

  public TaskWorkContext(TaskContext owner, MetricSet metrics) {
    this.owner = owner;
    this.metrics = metrics;
  }

  /** The context of the task that asks. */
  protected final TaskContext task() {
    return CURRENT.orElse(owner);
  }

  @Override
  public final String queryId() {
    return owner.query().queryId();
  }

  @Override
  public final void checkCanceled() {
    owner.query().cancellation().check();
  }

  @Override
  public final MemoryReservation reserve(String consumer, boolean canSpill) {
    return task().reserve(consumer, canSpill);
  }

  @Override
  public final <T> T blocking(Callable<T> wait) {
    return task().blocking(wait);
  }

  @Override
  public final void spawn(String name, Runnable work) {
    owner.spawn(name, context -> ScopedValue.where(CURRENT, context).run(work));
  }

  @Override
  public final void count(String metric, long amount) {
    metrics.add(metric, amount);
  }
}
