package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.spill.FailingStorage;
import dev.varve.engine.spill.SpillSpace;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins whose build side does not fit into memory give the rows of those whose does. */
class JoinSpillingTest {
  private static final Settings SETTINGS = Harness.CHECKED.with(EngineSettings.BATCH_SIZE, 64);

  @TempDir Path folder;
  private SpillSpace space;

  @BeforeEach
  void openSpace() {
    space = SpillSpace.open(folder, Long.MAX_VALUE);
  }

  @AfterEach
  void closeSpace() {
    space.close();
  }

  private static List<String> sorted(List<String> rows) {
    List<String> sorted = new ArrayList<>(rows);
    Collections.sort(sorted);
    return sorted;
  }

  private static long metric(PhysicalPlan plan, String name) {
    return plan.metrics().snapshot().getOrDefault(name, 0L);
  }

  private static Schema schema(DataType... types) {
    return new RandomData(0).schema(types);
  }

  /** Two columns of integers: a key that is below {@code keys} but mostly one, and a number. */
  private static TestSource numbers(long seed, int partitions, int rows, int keys, int ofOneKey) {
    Random random = new Random(seed);
    Schema schema = schema(DataType.BIGINT, DataType.BIGINT);
    List<List<Batch>> all = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      List<Batch> batches = new ArrayList<>();
      for (int from = 0; from < rows; from += 100) {
        long[] key = new long[100];
        byte[] valid = new byte[100];
        long[] value = new long[100];
        for (int i = 0; i < 100; i++) {
          key[i] = random.nextInt(100) < ofOneKey ? 7 : random.nextInt(keys) * 1_000_003L;
          valid[i] = (byte) (random.nextInt(50) == 0 ? 0 : 1);
          value[i] = p * 1_000_000L + from + i;
        }
        List<Column> columns =
            List.of(
                new LongColumn(DataType.BIGINT, key, valid),
                new LongColumn(DataType.BIGINT, value, null));
        batches.add(new Batch(schema, columns, 100));
      }
      all.add(batches);
    }
    return new TestSource(schema, all);
  }

  private static HashJoinExec join(
      PhysicalPlan left, PhysicalPlan right, boolean residual, JoinType type) {
    Schema both = left.schema().concat(right.schema());
    PhysicalExpr less =
        TestExpr.lessThan(ColumnExpr.of(both, 1), ColumnExpr.of(both, left.schema().size() + 1));
    return new HashJoinExec(
        left,
        right,
        List.of(
            new JoinKey(ColumnExpr.of(left.schema(), 0), ColumnExpr.of(right.schema(), 0), false)),
        residual ? Optional.of(less) : Optional.empty(),
        type,
        JoinMode.COLLECT_LEFT);
  }

  private void spillsAndGivesTheSameRows(PhysicalPlan plan, long limit) {
    List<String> expected = sorted(Harness.rows(plan, SETTINGS));
    assertThat(metric(plan, "spilled_rows")).isZero();
    assertThat(sorted(Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(limit), space)))
        .as("%s", plan)
        .isEqualTo(expected);
    assertThat(metric(plan, "spilled_rows")).as("%s", plan).isPositive();
  }

  @Test
  void joinsOfEveryTypeSpillAndDivideTheirParts() {
    for (JoinType type : JoinType.values()) {
      for (boolean residual : new boolean[] {false, true}) {
        PhysicalPlan plan =
            join(numbers(1, 2, 12_000, 9_000, 0), numbers(2, 3, 3_000, 9_000, 0), residual, type);
        spillsAndGivesTheSameRows(plan, 120_000);
        assertThat(metric(plan, "spill_divisions")).isPositive();
        PhysicalPlan divided =
            new HashJoinExec(
                hashed(numbers(1, 2, 3_000, 4_000, 0)),
                hashed(numbers(2, 2, 3_000, 4_000, 0)),
                join(numbers(1, 1, 100, 9, 0), numbers(2, 1, 100, 9, 0), residual, type).on(),
                Optional.empty(),
                type,
                JoinMode.PARTITIONED);
        spillsAndGivesTheSameRows(divided, 200_000);
      }
    }
  }

  private static PhysicalPlan hashed(PhysicalPlan input) {
    return new RepartitionExec(
        input, new Partitioning.Hash(List.of(ColumnExpr.of(input.schema(), 0)), 2), false);
  }

  @Test
  void aKeyThatMostRowsHaveIsJoinedInPasses() {
    for (JoinType type : JoinType.values()) {
      for (boolean residual : new boolean[] {false, true}) {
        PhysicalPlan plan =
            join(numbers(3, 2, 2_000, 50, 97), numbers(4, 2, 200, 100, 20), residual, type);
        spillsAndGivesTheSameRows(plan, 60_000);
        assertThat(metric(plan, "spill_passes")).isPositive();
      }
    }
  }

  @Test
  void nestedLoopsSpillTheirBuildSideAndReplayTheOther() {
    for (JoinType type : JoinType.values()) {
      for (boolean condition : new boolean[] {false, true}) {
        PhysicalPlan left = numbers(5, 2, 1_500, 50, 0);
        PhysicalPlan right = numbers(6, 2, 100, 50, 0);
        Schema both = left.schema().concat(right.schema());
        PhysicalExpr less = TestExpr.lessThan(ColumnExpr.of(both, 0), ColumnExpr.of(both, 2));
        PhysicalPlan plan =
            new NestedLoopJoinExec(
                left, right, condition ? Optional.of(less) : Optional.empty(), type);
        List<String> expected = sorted(Harness.rows(plan, SETTINGS));
        assertThat(sorted(Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(40_000), space)))
            .as("%s", plan)
            .isEqualTo(expected);
        if (condition || type.keepsLeftColumns()) {
          // Otherwise only the number of build rows matters, which takes no memory.
          assertThat(metric(plan, "spilled_rows")).as("%s", plan).isPositive();
        }
      }
    }
  }

  @Test
  void keysOfEveryTypeSpill() {
    Map<JoinType, Long> spilled = new EnumMap<>(JoinType.class);
    for (long seed = 0; seed < 60; seed++) {
      RandomData data = new RandomData(seed);
      Schema schema = data.schema(data.type(), data.type(), DataType.BIGINT);
      TestSource left = new TestSource(schema, data.partitions(schema, 2, 120, 40));
      TestSource right = new TestSource(schema, data.partitions(schema, 2, 40, 40));
      List<JoinKey> on = new ArrayList<>();
      for (int k = 0; k < 2; k++) {
        on.add(
            new JoinKey(
                ColumnExpr.of(schema, k), ColumnExpr.of(schema, k), data.random().nextBoolean()));
      }
      for (JoinType type : JoinType.values()) {
        PhysicalPlan plan =
            new HashJoinExec(left, right, on, Optional.empty(), type, JoinMode.COLLECT_LEFT);
        List<String> expected = sorted(Harness.rows(plan, SETTINGS));
        for (Settings settings :
            List.of(SETTINGS, SETTINGS.with(EngineSettings.CONSTANT_HASH, true))) {
          assertThat(sorted(Harness.rows(plan, settings, MemoryPools.fairSpill(50_000), space)))
              .as("seed %d, %s", seed, plan)
              .isEqualTo(expected);
        }
        spilled.merge(type, metric(plan, "spilled_rows"), Long::sum);
      }
    }
    assertThat(spilled).hasSize(JoinType.values().length);
    assertThat(spilled.values()).allMatch(rows -> rows > 0);
  }

  @Test
  void theOrderOfTheProbeSideSurvives() {
    for (JoinType type :
        List.of(JoinType.INNER, JoinType.RIGHT, JoinType.RIGHT_SEMI, JoinType.RIGHT_ANTI)) {
      for (int ofOneKey : new int[] {0, 97}) {
        TestSource right = numbers(8, 2, 1_500, 900, 10);
        LexOrdering order =
            LexOrdering.of(new SortExpr(ColumnExpr.of(right.schema(), 1), SortOptions.DESC));
        PhysicalPlan plan =
            join(
                numbers(7, 2, 2_500, 900, ofOneKey),
                new SortExec(right, order, OptionalLong.empty(), true),
                false,
                type);
        assertThat(plan.properties().outputOrdering()).isPresent();
        spillsAndGivesTheSameRows(plan, 400_000);
      }
    }
  }

  @Test
  void failuresOfTheDeviceEndTheQueryAndLeaveNothing() {
    Map<ErrorCode, Integer> seen = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      long bytes = 500L + i * 9_000L;
      try (SpillSpace full =
              SpillSpace.open(folder, Long.MAX_VALUE, FailingStorage.fullAfter(bytes));
          SpillSpace narrow = SpillSpace.open(folder, bytes);
          SpillSpace broken =
              SpillSpace.open(folder, Long.MAX_VALUE, FailingStorage.unreadableAfter(i))) {
        for (JoinType type : List.of(JoinType.INNER, JoinType.FULL)) {
          for (SpillSpace target : List.of(full, narrow, broken)) {
            PhysicalPlan plan =
                join(numbers(1, 2, 3_000, 900, 0), numbers(2, 2, 500, 900, 0), true, type);
            try {
              Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(60_000), target);
            } catch (VarveException e) {
              assertThat(e.code())
                  .isIn(ErrorCode.DISK_FULL, ErrorCode.SPILL_LIMIT_EXCEEDED, ErrorCode.IO_ERROR);
              assertThat(e.getMessage()).startsWith("HashJoinExec");
              seen.merge(e.code(), 1, Integer::sum);
            }
          }
        }
      }
    }
    assertThat(seen)
        .containsOnlyKeys(ErrorCode.DISK_FULL, ErrorCode.SPILL_LIMIT_EXCEEDED, ErrorCode.IO_ERROR);
  }

  @Test
  void stoppingEarlyAndFailingInputsLeaveNothing() {
    for (JoinType type : JoinType.values()) {
      // One partition, so that the limit closes what it reads and no task runs on.
      PhysicalPlan plan =
          join(numbers(1, 2, 3_000, 900, 0), numbers(2, 1, 1_500, 900, 0), false, type);
      for (int rows : new int[] {1, 40}) {
        assertThat(
                Harness.rows(
                    new GlobalLimitExec(plan, 0, OptionalLong.of(rows)),
                    SETTINGS,
                    MemoryPools.fairSpill(60_000),
                    space))
            .hasSize(rows);
      }
      for (int failing = 0; failing < 3; failing++) {
        PhysicalPlan broken =
            join(
                failing == 0
                    ? numbers(1, 2, 3_000, 900, 0).failingIn(1, 20)
                    : numbers(1, 2, 3_000, 900, 0),
                failing == 0
                    ? numbers(2, 2, 1_500, 900, 0)
                    : numbers(2, 2, 1_500, 900, 0).failingIn(failing - 1, 7),
                false,
                type);
        assertThatThrownBy(
                () -> Harness.rows(broken, SETTINGS, MemoryPools.fairSpill(60_000), space))
            .hasMessageContaining("failed on purpose");
      }
    }
  }
}
