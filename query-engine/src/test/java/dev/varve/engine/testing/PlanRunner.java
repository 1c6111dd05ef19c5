package dev.varve.engine.testing;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs leaves and plans without exchanges in the caller's thread. */
public final class PlanRunner {
  private PlanRunner() {}

  public static TaskContext task(Settings settings) {
    return task(settings, UNLIMITED);
  }

  public static TaskContext task(Settings settings, MemoryPool pool) {
    QueryContext query =
        new QueryContext(
            "test",
            settings,
            new EvalContext(0, ZoneId.of("UTC"), "test", "lake", "public"),
            pool,
            CoreGate.open());
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
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public void spawn(String name, TaskBody body) {
        throw new IllegalStateException("this plan has exchanges: " + name);
      }
    };
  }

  /** The rows of one partition, in order. */
  public static List<List<@Nullable Object>> rows(
      PhysicalPlan plan, int partition, Settings settings) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (BatchStream stream = plan.execute(partition, task(settings))) {
      for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
        for (int row = 0; row < batch.rowCount(); row++) {
          List<@Nullable Object> values = new ArrayList<>();
          for (Column column : batch.columns()) {
            values.add(column.value(row));
          }
          rows.add(values);
        }
      }
    }
    return rows;
  }

  /** The rows of all partitions, one after the other. */
  public static List<List<@Nullable Object>> rows(PhysicalPlan plan, Settings settings) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < plan.properties().partitioning().count(); i++) {
      rows.addAll(rows(plan, i, settings));
    }
    return rows;
  }

  private static final MemoryPool UNLIMITED = MemoryPools.greedy(Long.MAX_VALUE);
}
