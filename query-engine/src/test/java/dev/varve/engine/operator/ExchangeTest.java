package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
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
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Exchanges: every row arrives once, equal keys meet, order is kept, and nothing deadlocks. */
class ExchangeTest {
  private static List<String> sortedRows(List<List<Batch>> partitions) {
    return RandomData.rows(partitions).stream().map(Harness::text).sorted().toList();
  }

  @Test
  void everyRowArrivesOnce() {
    for (long seed = 0; seed < 100; seed++) {
      RandomData data = new RandomData(seed);
      Schema schema = data.schema(data.type(), data.type());
      List<List<Batch>> partitions = data.partitions(schema, 1 + data.random().nextInt(4), 40, 10);
      int outputs = 1 + data.random().nextInt(6);
      for (Partitioning target :
          List.of(
              new Partitioning.RoundRobinBatch(outputs),
              new Partitioning.Hash(
                  List.of(ColumnExpr.of(schema, 0), ColumnExpr.of(schema, 1)), outputs))) {
        PhysicalPlan plan = new RepartitionExec(new TestSource(schema, partitions), target, false);
        for (Settings settings : Harness.CONFIGURATIONS.values()) {
          assertThat(Harness.rows(plan, settings).stream().sorted().toList())
              .as("seed %d, %s", seed, target)
              .isEqualTo(sortedRows(partitions));
        }
      }
    }
  }

  @Test
  void equalKeysMeetInOnePartition() {
    for (long seed = 0; seed < 100; seed++) {
      RandomData data = new RandomData(seed);
      Schema schema = data.schema(data.type());
      List<List<Batch>> partitions = data.partitions(schema, 3, 60, 10);
      int outputs = 4;
      PhysicalExpr key = ColumnExpr.of(schema, 0);
      PhysicalPlan exchange =
          new RepartitionExec(
              new TestSource(schema, partitions),
              new Partitioning.Hash(List.of(key), outputs),
              false);
      PhysicalPlan marked =
          new AggregateExec(
              AggregateMode.SINGLE_PARTITIONED,
              List.of(new dev.varve.engine.expr.NamedExpr(key, "k")),
              List.of(),
              exchange);
      assertThat(Harness.rows(marked, Harness.CHECKED)).as("seed %d", seed).doesNotHaveDuplicates();
    }
  }

  /** Sorted input whose keys all hash alike: one output gets everything, the others nothing. */
  private static TestSource skewed(int partitions, int batches, int rowsPerBatch) {
    Schema schema = new RandomData(0).schema(DataType.BIGINT, DataType.BIGINT);
    List<List<Batch>> all = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      List<Batch> own = new ArrayList<>();
      for (int b = 0; b < batches; b++) {
        List<Object> keys = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < rowsPerBatch; i++) {
          keys.add((long) p % 2);
          values.add((long) (b * rowsPerBatch + i));
        }
        own.add(Batches.of(schema, keys, values));
      }
      all.add(own);
    }
    return new TestSource(
        schema,
        all,
        Optional.of(LexOrdering.of(new SortExpr(ColumnExpr.of(schema, 1), SortOptions.ASC))));
  }

  @Test
  void anOrderPreservingMergeOverASkewedExchangeDoesNotDeadlock() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int inputs = 2; inputs <= 8; inputs *= 2) {
            TestSource source = skewed(inputs, 40, 16);
            LexOrdering ordering = source.ordering().orElseThrow();
            PhysicalPlan exchange =
                new RepartitionExec(
                    source,
                    new Partitioning.Hash(List.of(ColumnExpr.of(source.schema(), 0)), 8),
                    true);
            assertThat(exchange.properties().outputOrdering()).contains(ordering);
            PhysicalPlan merged =
                new SortPreservingMergeExec(exchange, ordering, OptionalLong.empty());
            PhysicalPlan again =
                new SortPreservingMergeExec(
                    new RepartitionExec(
                        exchange,
                        new Partitioning.Hash(List.of(ColumnExpr.of(source.schema(), 1)), 3),
                        true),
                    ordering,
                    OptionalLong.empty());
            for (Settings settings : Harness.CONFIGURATIONS.values()) {
              assertThat(Harness.rows(merged, settings)).hasSize(inputs * 40 * 16);
              assertThat(Harness.rows(again, settings)).hasSize(inputs * 40 * 16);
            }
          }
        });
  }

  @Test
  void aLimitOverAnExchangeStopsEndlessProducers() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          TestSource ordered = skewed(4, 3, 16);
          TestSource source = new TestSource(ordered.schema(), ordered.partitions).endless();
          PhysicalPlan exchange =
              new RepartitionExec(source, new Partitioning.RoundRobinBatch(3), false);
          PhysicalPlan plan =
              new GlobalLimitExec(new CoalescePartitionsExec(exchange), 5, OptionalLong.of(100));
          assertThat(Harness.rows(plan, Harness.CHECKED)).hasSize(100);
          assertThat(source.closed.get()).isEqualTo(source.opened.get());
        });
  }

  @Test
  void readersThatStartAfterALimitIsReachedStopTheirProducersToo() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int run = 0; run < 30; run++) {
            TestSource ordered = skewed(2, 3, 16);
            TestSource source = new TestSource(ordered.schema(), ordered.partitions).endless();
            PhysicalPlan exchange =
                new RepartitionExec(source, new Partitioning.RoundRobinBatch(32), false);
            PhysicalPlan plan =
                new GlobalLimitExec(new CoalescePartitionsExec(exchange), 0, OptionalLong.of(1));
            assertThat(Harness.rows(plan, Harness.CHECKED)).hasSize(1);
          }
        });
  }

  @Test
  void aFullOutputIsANamedErrorAndLeavesNothing() {
    TestSource source = skewed(2, 200, 1000);
    PhysicalPlan exchange =
        new RepartitionExec(
            source, new Partitioning.Hash(List.of(ColumnExpr.of(source.schema(), 0)), 4), true);
    PhysicalPlan plan =
        new SortPreservingMergeExec(
            exchange, source.ordering().orElseThrow(), OptionalLong.empty());
    assertThatThrownBy(() -> Harness.rows(plan, Harness.CHECKED, MemoryPools.fairSpill(50_000)))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED))
        .hasMessageContaining("RepartitionExec[");
  }

  @Test
  void roundRobinDealsBatchesEvenly() {
    TestSource source = skewed(2, 30, 4);
    RepartitionExec exchange =
        new RepartitionExec(source, new Partitioning.RoundRobinBatch(5), false);
    Map<Integer, Integer> counts = new HashMap<>();
    Router first = Router.of(exchange.target(), 0, 2, TestTasks.context(Settings.DEFAULTS));
    Router second = Router.of(exchange.target(), 1, 2, TestTasks.context(Settings.DEFAULTS));
    for (Batch batch : source.partitions.get(0)) {
      first.route(batch).forEach(p -> counts.merge(p.partition(), 1, Integer::sum));
      second.route(batch).forEach(p -> counts.merge(p.partition(), 1, Integer::sum));
    }
    assertThat(counts.values()).containsOnly(12);
    assertThat(second.route(source.partitions.get(0).get(0)).get(0).partition()).isEqualTo(2);
  }

  @Test
  void aHashDivisionTakesOnceAndSlices() {
    RandomData data = new RandomData(5);
    Schema schema = data.schema(DataType.BIGINT);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      values.add((long) i);
    }
    Router router =
        Router.of(
            new Partitioning.Hash(List.of(ColumnExpr.of(schema, 0)), 7),
            0,
            1,
            TestTasks.context(Settings.DEFAULTS));
    List<RowDivision.Part> parts = router.route(Batches.of(schema, values));
    assertThat(parts).hasSize(7);
    Object shared = ((dev.varve.engine.batch.LongColumn) parts.get(0).batch().column(0)).values();
    for (RowDivision.Part part : parts) {
      assertThat(((dev.varve.engine.batch.LongColumn) part.batch().column(0)).values())
          .isSameAs(shared);
      assertThat(part.batch().rowCount()).isBetween(80, 220);
    }
    Router constant =
        Router.of(
            new Partitioning.Hash(List.of(ColumnExpr.of(schema, 0)), 7),
            0,
            1,
            TestTasks.context(Settings.DEFAULTS.with(EngineSettings.CONSTANT_HASH, true)));
    assertThat(constant.route(Batches.of(schema, values))).hasSize(1);
  }
}
