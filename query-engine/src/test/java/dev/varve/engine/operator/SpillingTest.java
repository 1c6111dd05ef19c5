package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operators under pools too small for their state: the rows are those of a large pool, files were
 * really written, and neither memory nor files are left, whatever the way out.
 */
class SpillingTest {
  private static final Settings SETTINGS = Harness.CHECKED.with(EngineSettings.BATCH_SIZE, 256);

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

  private static Schema schema(DataType... types) {
    return new RandomData(0).schema(types);
  }

  /** Columns: a number with repetitions, a text with repetitions, a number that is unique. */
  private static TestSource source(long seed, int partitions, int rows, int distinct) {
    Schema schema = schema(DataType.BIGINT, DataType.VARCHAR, DataType.BIGINT);
    Random random = new Random(seed);
    List<List<Batch>> all = new ArrayList<>();
    long unique = 0;
    for (int p = 0; p < partitions; p++) {
      List<Batch> own = new ArrayList<>();
      for (int done = 0; done < rows; done += 200) {
        List<Object> numbers = new ArrayList<>();
        List<Object> texts = new ArrayList<>();
        List<Object> uniques = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          numbers.add((long) random.nextInt(distinct));
          texts.add("text number " + random.nextInt(distinct));
          uniques.add(unique++);
        }
        own.add(Batches.of(schema, numbers, texts, uniques));
      }
      all.add(own);
    }
    return new TestSource(schema, all);
  }

  private static LexOrdering by(Schema schema, int... columns) {
    return new LexOrdering(
        Arrays.stream(columns)
            .mapToObj(c -> new SortExpr(ColumnExpr.of(schema, c), SortOptions.ASC))
            .toList());
  }

  private static long spilled(PhysicalPlan plan) {
    Map<String, Long> metrics = plan.metrics().snapshot();
    assertThat(metrics.getOrDefault("spilled_rows", 0L) > 0)
        .isEqualTo(metrics.getOrDefault("spilled_bytes", 0L) > 0)
        .isEqualTo(metrics.getOrDefault("spill_files", 0L) > 0);
    return metrics.getOrDefault("spilled_rows", 0L);
  }

  private static SortExec sort(TestSource source, LexOrdering ordering, OptionalLong fetch) {
    return new SortExec(source, ordering, fetch, false);
  }

  @Test
  void sortsMoreThanFitsStablyInAnyNumberOfLevels() {
    TestSource source = source(1, 1, 20_000, 50);
    for (int[] keys : new int[][] {{0}, {1}, {0, 1}}) {
      LexOrdering ordering = by(source.schema(), keys);
      List<String> right =
          Harness.rows(sort(source, ordering, OptionalLong.empty()), Harness.CHECKED);
      long before = 0;
      for (long limit : new long[] {1_000_000, 200_000, 60_000, 20_000}) {
        SortExec plan = sort(source, ordering, OptionalLong.empty());
        assertThat(Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(limit), space))
            .as("limit %d", limit)
            .isEqualTo(right);
        assertThat(spilled(plan)).as("limit %d", limit).isGreaterThanOrEqualTo(20_000);
        assertThat(plan.metrics().snapshot().get("memory_peak_bytes")).isLessThanOrEqualTo(limit);
        assertThat(spilled(plan)).as("levels of merging").isGreaterThanOrEqualTo(before);
        before = spilled(plan);
      }
      assertThat(before).as("rows written in several levels").isGreaterThan(40_000);
    }
  }

  @Test
  void findsTheFirstRowsOfMoreThanFit() {
    TestSource source = source(2, 1, 20_000, 5_000);
    LexOrdering ordering = by(source.schema(), 0);
    for (int fetch : new int[] {1, 300, 7_000, 19_999, 50_000}) {
      List<String> right =
          Harness.rows(sort(source, ordering, OptionalLong.of(fetch)), Harness.CHECKED);
      for (long limit : new long[] {200_000, 50_000}) {
        SortExec plan = sort(source, ordering, OptionalLong.of(fetch));
        assertThat(Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(limit), space))
            .as("fetch %d, limit %d", fetch, limit)
            .isEqualTo(right);
        if (fetch >= 7_000) {
          assertThat(spilled(plan)).isPositive();
        }
      }
    }
  }

  private static AggregateExpr aggregate(String name, PhysicalExpr... arguments) {
    return new AggregateExpr(
        AggregateFunctions.resolve(name, Arrays.stream(arguments).map(PhysicalExpr::type).toList()),
        List.of(arguments),
        Optional.empty(),
        name);
  }

  private static AggregateExec grouped(AggregateMode mode, PhysicalPlan source, int... keys) {
    List<NamedExpr> groups = new ArrayList<>();
    for (int key : keys) {
      groups.add(new NamedExpr(ColumnExpr.of(source.schema(), key), "k" + key));
    }
    PhysicalExpr number = ColumnExpr.of(source.schema(), 0);
    PhysicalExpr text = ColumnExpr.of(source.schema(), 1);
    PhysicalExpr unique = ColumnExpr.of(source.schema(), 2);
    return new AggregateExec(
        mode,
        groups,
        List.of(
            aggregate("count"),
            aggregate("sum", unique),
            aggregate("avg", number),
            aggregate("min", text),
            aggregate("max", unique)),
        source);
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  @Test
  void groupsMoreThanFit() {
    TestSource source = source(3, 1, 20_000, 6_000);
    for (int[] keys : new int[][] {{0}, {1}, {0, 1}, {2}}) {
      List<String> right =
          sorted(Harness.rows(grouped(AggregateMode.SINGLE, source, keys), Harness.CHECKED));
      for (long limit : new long[] {300_000, 100_000, 40_000}) {
        AggregateExec plan = grouped(AggregateMode.SINGLE, source, keys);
        assertThat(sorted(Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(limit), space)))
            .as("keys %s, limit %d", Arrays.toString(keys), limit)
            .isEqualTo(right);
        assertThat(spilled(plan)).as("limit %d", limit).isPositive();
        assertThat(plan.metrics().snapshot().get("memory_peak_bytes")).isLessThanOrEqualTo(limit);
      }
    }
  }

  @Test
  void collidingKeysAreDividedOnDiskAllTheSame() {
    TestSource source = source(4, 1, 3_000, 1_500);
    AggregateExec plan = grouped(AggregateMode.SINGLE, source, 1);
    List<String> right = sorted(Harness.rows(plan, Harness.CHECKED));
    assertThat(
            sorted(
                Harness.rows(
                    grouped(AggregateMode.SINGLE, source, 1),
                    SETTINGS.with(EngineSettings.CONSTANT_HASH, true),
                    MemoryPools.fairSpill(60_000),
                    space)))
        .isEqualTo(right);
  }

  @Test
  void mergesPartialStatesInTwoPhasesUnderASmallPool() {
    TestSource source = source(5, 3, 10_000, 4_000);
    AggregateExec single = grouped(AggregateMode.SINGLE, new CoalescePartitionsExec(source), 1);
    List<String> right = sorted(Harness.rows(single, Harness.CHECKED));
    AggregateExec partial = grouped(AggregateMode.PARTIAL, source, 1);
    PhysicalPlan exchange =
        new RepartitionExec(
            partial, new Partitioning.Hash(List.of(ColumnExpr.of(partial.schema(), 0)), 2), false);
    AggregateExec last =
        new AggregateExec(
            AggregateMode.FINAL_PARTITIONED,
            List.of(new NamedExpr(ColumnExpr.of(partial.schema(), 0), "k1")),
            partial.aggregates(),
            exchange);
    assertThat(sorted(Harness.rows(last, SETTINGS, MemoryPools.fairSpill(600_000), space)))
        .isEqualTo(right);
    assertThat(spilled(last)).isPositive();
    assertThat(partial.metrics().snapshot().get("early_flushes")).isPositive();
    assertThat(spilled(partial)).as("a partial aggregation flushes and never spills").isZero();
  }

  @Test
  void anExchangeKeepsItsOrderThroughTheDisk() {
    Schema schema = schema(DataType.BIGINT, DataType.BIGINT);
    List<List<Batch>> partitions = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      List<Batch> own = new ArrayList<>();
      for (int b = 0; b < 100; b++) {
        List<Object> keys = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          // One partition's rows all come first, so that the others' must wait.
          keys.add((long) p * 1_000_000 + b * 100 + i);
          values.add((long) (b * 100 + i) / 2_500);
        }
        own.add(Batches.of(schema, keys, values));
      }
      partitions.add(own);
    }
    LexOrdering ordering = by(schema, 0);
    TestSource source = new TestSource(schema, partitions, Optional.of(ordering));
    for (boolean preserveOrder : new boolean[] {true, false}) {
      RepartitionExec exchange =
          new RepartitionExec(
              source, new Partitioning.Hash(List.of(ColumnExpr.of(schema, 1)), 4), preserveOrder);
      PhysicalPlan plan =
          preserveOrder
              ? new SortPreservingMergeExec(exchange, ordering, OptionalLong.empty())
              : new CoalescePartitionsExec(exchange);
      List<String> rows = Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(20_000), space);
      assertThat(rows).hasSize(30_000).doesNotHaveDuplicates();
      assertThat(spilled(exchange)).isPositive();
    }
  }

  @Test
  void wideRowsAmongNarrowOnesAreSortedAndGrouped() {
    Schema schema = schema(DataType.BIGINT, DataType.VARCHAR, DataType.BIGINT);
    List<Batch> batches = new ArrayList<>();
    for (int b = 0; b < 20; b++) {
      List<Object> numbers = new ArrayList<>();
      List<Object> texts = new ArrayList<>();
      List<Object> uniques = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        numbers.add((long) (b * 31 + i * 17) % 1000);
        texts.add(i == 50 ? "w".repeat(20_000) + b : "narrow " + b);
        uniques.add((long) b * 100 + i);
      }
      batches.add(Batches.of(schema, numbers, texts, uniques));
    }
    TestSource source = new TestSource(schema, List.of(batches));
    LexOrdering ordering = by(schema, 0);
    SortExec sort = sort(source, ordering, OptionalLong.empty());
    assertThat(Harness.rows(sort, SETTINGS, MemoryPools.fairSpill(250_000), space))
        .isEqualTo(Harness.rows(sort(source, ordering, OptionalLong.empty()), Harness.CHECKED));
    assertThat(spilled(sort)).isPositive();
    AggregateExec plan = grouped(AggregateMode.SINGLE, source, 1, 0);
    assertThat(sorted(Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(250_000), space)))
        .isEqualTo(
            sorted(Harness.rows(grouped(AggregateMode.SINGLE, source, 1, 0), Harness.CHECKED)));
    assertThat(spilled(plan)).isPositive();
  }

  @Test
  void aRowThatIsLargerThanThePoolIsAnErrorThatSaysSo() {
    Schema schema = schema(DataType.BIGINT, DataType.VARCHAR, DataType.BIGINT);
    TestSource source =
        new TestSource(
            schema,
            List.of(
                List.of(
                    Batches.of(
                        schema,
                        List.of(1L, 2L),
                        List.of("a", "b".repeat(100_000)),
                        List.of(1L, 2L)))));
    for (PhysicalPlan plan :
        List.of(
            sort(source, by(schema, 0), OptionalLong.empty()),
            sort(source, by(schema, 0), OptionalLong.of(5)),
            grouped(AggregateMode.SINGLE, source, 1, 0))) {
      assertThatThrownBy(() -> Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(50_000), space))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED))
          .hasMessageContaining(plan.name())
          .hasMessageContaining("limit of 48.8 kB");
    }
  }

  private List<PhysicalPlan> spillingPlans() {
    TestSource source = source(6, 1, 10_000, 4_000);
    return List.of(
        sort(source, by(source.schema(), 1), OptionalLong.empty()),
        sort(source, by(source.schema(), 1), OptionalLong.of(8_000)),
        grouped(AggregateMode.SINGLE, source, 1));
  }

  @Test
  void aFullDiskAQuotaAndABrokenFileEndTheQueryAndLeaveNothing() {
    for (int i = 0; i < 40; i++) {
      long bytes = 1_000L + i * 37_000L;
      try (SpillSpace full =
              SpillSpace.open(folder, Long.MAX_VALUE, FailingStorage.fullAfter(bytes));
          SpillSpace narrow = SpillSpace.open(folder, bytes);
          SpillSpace broken =
              SpillSpace.open(folder, Long.MAX_VALUE, FailingStorage.unreadableAfter(i))) {
        for (PhysicalPlan plan : spillingPlans()) {
          failsWith(plan, full, ErrorCode.DISK_FULL, i < 5);
          failsWith(plan, narrow, ErrorCode.SPILL_LIMIT_EXCEEDED, i < 5);
          failsWith(plan, broken, ErrorCode.IO_ERROR, true);
        }
      }
    }
  }

  private static void failsWith(
      PhysicalPlan plan, SpillSpace target, ErrorCode code, boolean surely) {
    try {
      Harness.rows(plan, SETTINGS, MemoryPools.fairSpill(60_000), target);
      assertThat(surely).isFalse();
    } catch (VarveException e) {
      assertThat(e.code()).isEqualTo(code);
      assertThat(e.getMessage()).startsWith(plan.name());
    }
  }

  @Test
  void aQueryThatIsClosedEarlyLeavesNothing() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (PhysicalPlan plan : spillingPlans()) {
            for (int rows : new int[] {1, 100, 3_000}) {
              PhysicalPlan limited = new GlobalLimitExec(plan, 0, OptionalLong.of(rows));
              assertThat(Harness.rows(limited, SETTINGS, MemoryPools.fairSpill(60_000), space))
                  .hasSize(rows);
            }
          }
        });
  }
}
