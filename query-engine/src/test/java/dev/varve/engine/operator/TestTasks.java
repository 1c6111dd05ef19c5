package dev.varve.engine.operator;

import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.util.concurrent.Callable;

/** A task context for pieces that are tested in the test's own thread. */
final class TestTasks {
  private TestTasks() {}

  static TaskContext context(Settings settings) {
    QueryContext query = Harness.query(settings, MemoryPools.unbounded(), CoreGate.open());
    return new TaskContext() {
      @Override
      public QueryContext query() {
        return query;
      }

      @Override
      public void checkpoint() {
        query.cancellation().check();
      }

      @Override
      public <T> T blocking(Callable<T> wait) {
        try {
          return wait.call();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public void spawn(String name, TaskBody body) {
        throw new IllegalStateException("no tasks here");
      }
    };
  }
}
