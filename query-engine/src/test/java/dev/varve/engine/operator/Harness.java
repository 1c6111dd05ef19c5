package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.runtime.FairCoreGate;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.QueryTasks;
import dev.varve.engine.spill.SpillSpace;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs plans and demands that nothing is left behind. */
final class Harness {
  static final Settings CHECKED = Settings.DEFAULTS.with(EngineSettings.CHECK_ORDER, true);

  /** Settings under which every operator must give the same rows. */
  static final Map<String, Settings> CONFIGURATIONS =
      Map.of(
          "defaults",
          CHECKED,
          "tiny batches",
          CHECKED.with(EngineSettings.BATCH_SIZE, 3),
          "constant hash",
          CHECKED.with(EngineSettings.CONSTANT_HASH, true),
          "tiny batches, constant hash",
          CHECKED.with(EngineSettings.CONSTANT_HASH, true).with(EngineSettings.BATCH_SIZE, 2));

  private Harness() {}

  static QueryContext query(Settings settings, MemoryPool pool, CoreGate gate) {
    return new QueryContext(
        "q1",
        settings,
        new EvalContext(0, ZoneId.of("UTC"), "tester", "lake", "public"),
        pool,
        gate);
  }

  static List<Batch> batches(PhysicalPlan plan, Settings settings, MemoryPool pool) {
    return batches(plan, settings, pool, SpillSpace.none());
  }

  /** Rows of a plan that may spill; operators must have removed their files by themselves. */
  static List<String> rows(
      PhysicalPlan plan, Settings settings, MemoryPool pool, SpillSpace space) {
    return rows(batches(plan, settings, pool, space));
  }

  static List<Batch> batches(
      PhysicalPlan plan, Settings settings, MemoryPool pool, SpillSpace space) {
    FairCoreGate gate = new FairCoreGate(2);
    QueryContext query =
        new QueryContext(
            "q1",
            settings,
            new EvalContext(0, ZoneId.of("UTC"), "tester", "lake", "public"),
            pool,
            gate,
            space);
    QueryTasks tasks = new QueryTasks(query);
    List<Batch> batches = new ArrayList<>();
    try (query;
        PlanExecution execution = PlanExecution.start(plan, query, tasks)) {
      Batch batch;
      while ((batch = execution.nextBatch()) != null) {
        assertThat(batch.rowCount()).isPositive();
        assertThat(batch.schema()).isEqualTo(plan.schema());
        batches.add(batch);
      }
      assertThat(query.spill().openFiles()).as("spill files at the end of the rows").isZero();
    } finally {
      assertNothingLeft(query, tasks, pool, gate, 2);
      assertThat(space.usedBytes()).as("bytes in spill files").isZero();
      assertThat(space.files()).as("spill files").isEmpty();
    }
    return batches;
  }

  static void assertNothingLeft(
      QueryContext query, QueryTasks tasks, MemoryPool pool, FairCoreGate gate, int permits) {
    assertThat(tasks.running()).as("running tasks").isZero();
    assertThat(query.openStreams().get()).as("open streams").isZero();
    assertThat(pool.reserved()).as(pool::report).isZero();
    assertThat(gate.freePermits()).as("free core permits").isEqualTo(permits);
  }

  static List<String> rows(PhysicalPlan plan, Settings settings, MemoryPool pool) {
    return rows(batches(plan, settings, pool));
  }

  static List<String> rows(PhysicalPlan plan, Settings settings) {
    return rows(plan, settings, MemoryPools.fairSpill(Long.MAX_VALUE));
  }

  static List<String> rows(List<Batch> batches) {
    List<String> rows = new ArrayList<>();
    for (Batch batch : batches) {
      for (int i = 0; i < batch.rowCount(); i++) {
        rows.add(text(row(batch, i)));
      }
    }
    return rows;
  }

  static List<@Nullable Object> row(Batch batch, int i) {
    List<@Nullable Object> row = new ArrayList<>();
    batch.columns().forEach(c -> row.add(canonical(c.value(i))));
    return row;
  }

  static String text(List<@Nullable Object> row) {
    return row.stream().map(String::valueOf).collect(Collectors.joining(" | "));
  }

  /** Values that are equal as keys become equal objects. */
  static @Nullable Object canonical(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Double d -> d == 0 ? (Object) 0.0 : d;
      case Float f -> f == 0 ? (Object) 0.0f : f;
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      default -> value;
    };
  }
}
