package dev.varve.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.memory.MemoryPools;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FairCoreGateTest {
  private static QueryContext query(String id, FairCoreGate gate) {
    return new QueryContext(
        id,
        Settings.DEFAULTS,
        new EvalContext(0, ZoneId.of("UTC"), "tester", "lake", "public"),
        MemoryPools.unbounded(),
        gate);
  }

  @Test
  void aFreePermitGoesToTheWaitingQueryThatUsedLeast() throws Exception {
    FairCoreGate gate = new FairCoreGate(1);
    QueryContext holder = query("holder", gate);
    QueryContext heavy = query("heavy", gate);
    QueryContext light = query("light", gate);
    heavy.cpuNanos().set(1_000_000);
    light.cpuNanos().set(1_000);
    gate.acquire(holder);
    List<String> order = new CopyOnWriteArrayList<>();
    Thread first = waitFor(gate, heavy, order);
    Thread second = waitFor(gate, light, order);
    gate.release(holder, 5);
    first.join();
    second.join();
    assertThat(order).containsExactly("light", "heavy");
    assertThat(holder.cpuNanos().get()).isEqualTo(5);
    assertThat(gate.freePermits()).isEqualTo(1);
  }

  private static Thread waitFor(FairCoreGate gate, QueryContext query, List<String> order)
      throws InterruptedException {
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  gate.acquire(query);
                  order.add(query.queryId());
                  gate.release(query, 1);
                });
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    return thread;
  }

  @Test
  void noMoreTasksComputeThanThereArePermits() {
    FairCoreGate gate = new FairCoreGate(2);
    QueryContext query = query("q", gate);
    AtomicInteger computing = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (QueryTasks tasks = new QueryTasks(query)) {
      for (int t = 0; t < 20; t++) {
        tasks.spawn(
            "t" + t,
            task -> {
              for (int i = 0; i < 300; i++) {
                most.accumulateAndGet(computing.incrementAndGet(), Math::max);
                computing.decrementAndGet();
                task.checkpoint();
                if (i % 50 == 0) {
                  task.blocking(
                      () -> {
                        Thread.sleep(1);
                        return 0;
                      });
                }
              }
            });
      }
    }
    assertThat(most.get()).isLessThanOrEqualTo(2);
    assertThat(gate.freePermits()).isEqualTo(2);
    assertThat(query.cancellation().isCanceled()).isFalse();
  }

  @Test
  void aFailingTaskEndsTheOthersAndClosingWaitsForThem() {
    FairCoreGate gate = new FairCoreGate(2);
    QueryContext query = query("q", gate);
    QueryTasks tasks = new QueryTasks(query);
    tasks.spawn(
        "endless",
        task -> {
          while (true) {
            task.checkpoint();
          }
        });
    tasks.spawn(
        "failing",
        task -> {
          throw new IllegalStateException("on purpose");
        });
    tasks.close();
    assertThat(tasks.running()).isZero();
    assertThat(query.cancellation().cause()).hasMessage("on purpose");
    assertThat(gate.freePermits()).isEqualTo(2);
  }
}
