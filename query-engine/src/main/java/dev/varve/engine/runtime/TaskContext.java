package dev.varve.engine.runtime;

import dev.varve.engine.memory.MemoryConsumer;
import dev.varve.engine.memory.MemoryReservation;
import java.util.concurrent.Callable;

/**
 * What a stream runs in: one task of a query, on a virtual thread of its own, holding a core permit
 * while it computes. Confined to that task, but for {@link #spawn}.
 */
public interface TaskContext {

  QueryContext query();

  /**
   * Throws if the query has been ended; spends one batch of the task's budget and yields the core
   * when it is spent.
   */
  void checkpoint();

  /** Runs something that may wait (a queue, a file, a lock) without holding the core. */
  <T> T blocking(Callable<T> wait);

  /**
   * Starts a task of the same query. Its failure ends the query. The query's scope waits for it to
   * end, so that nothing it uses is closed under it.
   */
  void spawn(String name, TaskBody body);

  /** Registers a consumer with the query's memory; the caller closes it. */
  default MemoryReservation reserve(String name, boolean canSpill) {
    return query().memory().register(new MemoryConsumer(name, canSpill));
  }

  default int batchSize() {
    return query().settings().batchSize();
  }

  /** The body of a task, given its own context. */
  @FunctionalInterface
  interface TaskBody {
    void run(TaskContext context) throws Exception;
  }
}
