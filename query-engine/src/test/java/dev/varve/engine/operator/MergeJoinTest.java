package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.runtime.FairCoreGate;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.QueryTasks;
import dev.varve.engine.spill.SpillSpace;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Merge joins of every type against nested loops, their orders, groups that do not fit, ends. */
class MergeJoinTest {

  private static PhysicalPlan sorted(
      PhysicalPlan input, List<PhysicalExpr> keys, List<SortOptions> options) {
    List<SortExpr> order = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      order.add(new SortExpr(keys.get(k), options.get(k)));
    }
    LexOrdering ordering = new LexOrdering(order);
    PhysicalPlan each = new SortExec(input, ordering, OptionalLong.empty(), true);
    return each.properties().partitioning().count() == 1
        ? each
        : new SortPreservingMergeExec(each, ordering, OptionalLong.empty());
  }

  private static List<SortOptions> options(Random random, int keys) {
    List<SortOptions> options = new ArrayList<>();
    for (int k = 0; k < keys; k++) {
      options.add(new SortOptions(random.nextBoolean(), random.nextBoolean()));
    }
    return options;
  }

  @Test
  void joinsOfEveryTypeGiveTheRowsOfNestedLoops() {
    for (long seed = 0; seed < 150; seed++) {
      JoinTest.Inputs in = JoinTest.random(seed);
      List<SortOptions> options = options(new Random(seed), in.on().size());
      List<PhysicalExpr> leftKeys = in.on().stream().map(JoinKey::left).toList();
      List<PhysicalExpr> rightKeys = in.on().stream().map(JoinKey::right).toList();
      PhysicalPlan left = new TestSource(in.leftSchema(), in.left());
      PhysicalPlan right = new TestSource(in.rightSchema(), in.right());
      for (JoinType type : JoinType.values()) {
        List<String> expected =
            JoinTest.expected(
                RandomData.rows(in.left()),
                RandomData.rows(in.right()),
                in.leftSchema().size(),
                in.rightSchema().size(),
                type,
                in.match());
        PhysicalPlan single =
            new SortMergeJoinExec(
                sorted(left, leftKeys, options),
                sorted(right, rightKeys, options),
                in.on(),
                options,
                in.residual(),
                type,
                false);
        PhysicalPlan partitioned =
            new SortMergeJoinExec(
                inPartitions(left, leftKeys, options),
                inPartitions(right, rightKeys, options),
                in.on(),
                options,
                in.residual(),
                type,
                true);
        for (Map.Entry<String, Settings> configuration : Harness.CONFIGURATIONS.entrySet()) {
          for (PhysicalPlan plan : List.of(single, partitioned)) {
            assertThat(Harness.rows(plan, configuration.getValue()))
                .as("seed %d, %s, %s", seed, configuration.getKey(), plan)
                .containsExactlyInAnyOrderElementsOf(expected);
          }
        }
      }
    }
  }

  private static PhysicalPlan inPartitions(
      PhysicalPlan input, List<PhysicalExpr> keys, List<SortOptions> options) {
    List<SortExpr> order = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      order.add(new SortExpr(keys.get(k), options.get(k)));
    }
    return new SortExec(
        new RepartitionExec(input, new Partitioning.Hash(keys, 3), false),
        new LexOrdering(order),
        OptionalLong.empty(),
        true);
  }

  @Test
  void theOrderOfTheKeysIsDeclaredAndKept() {
    // The streams check every declared order: a broken one fails.
    for (long seed = 0; seed < 40; seed++) {
      JoinTest.Inputs in = JoinTest.random(seed);
      List<SortOptions> options = options(new Random(seed), in.on().size());
      for (JoinType type : JoinType.values()) {
        SortMergeJoinExec plan =
            new SortMergeJoinExec(
                sorted(
                    new TestSource(in.leftSchema(), in.left()),
                    in.on().stream().map(JoinKey::left).toList(),
                    options),
                sorted(
                    new TestSource(in.rightSchema(), in.right()),
                    in.on().stream().map(JoinKey::right).toList(),
                    options),
                in.on(),
                options,
                in.residual(),
                type,
                false);
        assertThat(plan.properties().outputOrdering().isPresent()).isEqualTo(type != JoinType.FULL);
        for (Settings settings : Harness.CONFIGURATIONS.values()) {
          Harness.rows(plan, settings);
        }
      }
    }
  }

  private static final Schema KV =
      Schema.of(
          Field.of("k", DataType.BIGINT),
          Field.of("v", DataType.BIGINT),
          Field.of("s", DataType.VARCHAR));

  /** Keys 0 to {@code keys} - 1, {@code copies} rows each, v counting up. */
  private static List<Batch> copies(int keys, int copies, int batchRows) {
    List<Batch> batches = new ArrayList<>();
    int total = keys * copies;
    for (int from = 0; from < total; from += batchRows) {
      int to = Math.min(total, from + batchRows);
      ColumnBuilder k = ColumnBuilder.of(DataType.BIGINT, to - from);
      ColumnBuilder v = ColumnBuilder.of(DataType.BIGINT, to - from);
      ColumnBuilder s = ColumnBuilder.of(DataType.VARCHAR, to - from);
      for (int i = from; i < to; i++) {
        k.append((long) (i / copies));
        v.append((long) i);
        s.append("a value of some length, number " + i);
      }
      batches.add(new Batch(KV, List.of(k.build(), v.build(), s.build()), to - from));
    }
    return batches;
  }

  private static final LexOrdering BY_K =
      LexOrdering.of(new SortExpr(ColumnExpr.of(KV, 0), SortOptions.ASC));

  private static TestSource source(List<Batch> batches) {
    return new TestSource(KV, List.of(batches), Optional.of(BY_K));
  }

  private static SortMergeJoinExec join(
      PhysicalPlan left, PhysicalPlan right, JoinType type, boolean residual) {
    Schema both = KV.concat(KV);
    return new SortMergeJoinExec(
        left,
        right,
        List.of(new JoinKey(ColumnExpr.of(KV, 0), ColumnExpr.of(KV, 0), false)),
        List.of(SortOptions.ASC),
        residual
            ? Optional.of(TestExpr.lessThan(ColumnExpr.of(both, 1), ColumnExpr.of(both, 4)))
            : Optional.empty(),
        type,
        false);
  }

  @Test
  void aGroupThatDoesNotFitIsWrittenToAFileAndReadForEachBatch() {
    for (JoinType type : JoinType.values()) {
      for (boolean residual : List.of(false, true)) {
        SortMergeJoinExec plan =
            join(source(copies(2, 40, 7)), source(copies(2, 3000, 500)), type, residual);
        List<String> plenty = rows(plan, MemoryPools.fairSpill(Long.MAX_VALUE), Harness.CHECKED);
        SortMergeJoinExec again =
            join(source(copies(2, 40, 7)), source(copies(2, 3000, 500)), type, residual);
        List<String> little =
            rows(
                again,
                MemoryPools.fairSpill(120 << 10),
                Harness.CHECKED.with(EngineSettings.BATCH_SIZE, 256));
        assertThat(little).containsExactlyInAnyOrderElementsOf(plenty);
        boolean buffersRight =
            type != JoinType.RIGHT && type != JoinType.RIGHT_SEMI && type != JoinType.RIGHT_ANTI;
        boolean needsRows = residual || (type.keepsLeftColumns() && type.keepsRightColumns());
        assertThat(again.metrics().snapshot().getOrDefault("spilled_bytes", 0L) > 0)
            .as("%s, residual %s", type, residual)
            .isEqualTo(buffersRight && needsRows);
      }
    }
  }

  private static List<String> rows(PhysicalPlan plan, MemoryPool pool, Settings settings) {
    FairCoreGate gate = new FairCoreGate(2);
    List<Batch> batches = new ArrayList<>();
    try (SpillSpace space = SpillSpace.temporary();
        QueryContext query =
            new QueryContext(
                "q1",
                settings,
                new dev.varve.engine.expr.EvalContext(
                    0, ZoneId.of("UTC"), "tester", "lake", "public"),
                pool,
                gate,
                space)) {
      QueryTasks tasks = new QueryTasks(query);
      try (PlanExecution execution = PlanExecution.start(plan, query, tasks)) {
        Batch batch;
        while ((batch = execution.nextBatch()) != null) {
          batches.add(batch);
        }
      }
      Harness.assertNothingLeft(query, tasks, pool, gate, 2);
    }
    return Harness.rows(batches);
  }

  @Test
  void withoutPlaceForAGroupAndNowhereToSpillTheQueryFails() {
    assertThatThrownBy(
            () ->
                Harness.rows(
                    join(
                        source(copies(1, 40, 7)),
                        source(copies(1, 30000, 500)),
                        JoinType.INNER,
                        false),
                    Harness.CHECKED,
                    MemoryPools.fairSpill(100 << 10)))
        .hasMessageContaining("SortMergeJoinExec");
  }

  @Test
  void aFailingSideEndsTheJoinAndLeavesNothing() {
    for (boolean leftFails : List.of(true, false)) {
      TestSource left = source(copies(50, 2, 5));
      TestSource right = source(copies(50, 2, 5));
      (leftFails ? left : right).failingIn(0, 3);
      assertThatThrownBy(
              () -> Harness.rows(join(left, right, JoinType.FULL, true), Harness.CHECKED))
          .hasMessageContaining("failed on purpose");
      assertThat(left.closed).hasPositiveValue();
      assertThat(right.closed).hasPositiveValue();
    }
  }

  @Test
  void aJoinThatIsDoneStopsReading() {
    TestSource left = source(copies(2, 2, 4));
    TestSource right = source(copies(10_000, 1, 10));
    assertThat(Harness.rows(join(left, right, JoinType.INNER, false), Harness.CHECKED)).hasSize(4);
    assertThat(right.pulled.get()).isLessThan(5);
  }

  @Test
  void anUnorderedSideFailsLoudlyWhereOrdersAreChecked() {
    List<Batch> wrong = new ArrayList<>(copies(4, 1, 1));
    java.util.Collections.reverse(wrong);
    LexOrdering lie = BY_K;
    PhysicalPlan liar =
        new CoalescePartitionsExec(new TestSource(KV, List.of(wrong), Optional.of(lie)));
    assertThatThrownBy(
            () ->
                Harness.rows(
                    join(source(copies(4, 1, 1)), liar, JoinType.INNER, false), Harness.CHECKED))
        .hasMessageContaining("broke it");
  }
}
