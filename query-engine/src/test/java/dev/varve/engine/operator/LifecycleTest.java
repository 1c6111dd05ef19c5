package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.WorkContext;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.runtime.FairCoreGate;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.QueryTasks;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Cancelling, failing and stopping early end every task, close every stream, free all memory. */
class LifecycleTest {
  private static final Schema SCHEMA = new RandomData(0).schema(DataType.BIGINT, DataType.BIGINT);

  private static TestSource source(int partitions) {
    List<List<Batch>> all = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      List<Batch> own = new ArrayList<>();
      for (int b = 0; b < 5; b++) {
        List<Object> keys = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          keys.add((long) i % 7);
          values.add((long) p * 1000 + b * 50 + i);
        }
        own.add(Batches.of(SCHEMA, keys, values));
      }
      all.add(own);
    }
    return new TestSource(SCHEMA, all);
  }

  private static LexOrdering byValue() {
    return LexOrdering.of(new SortExpr(ColumnExpr.of(SCHEMA, 1), SortOptions.ASC));
  }

  /** A plan with every kind of node between the source and the root. */
  private static PhysicalPlan everything(TestSource left, TestSource right) {
    PhysicalExpr key = ColumnExpr.of(SCHEMA, 0);
    PhysicalPlan build = new RepartitionExec(left, new Partitioning.Hash(List.of(key), 3), false);
    PhysicalPlan filtered =
        new FilterExec(
            new CooperativeExec(right), TestExpr.lessThan(key, ColumnExpr.of(SCHEMA, 1)));
    PhysicalPlan probe =
        new RepartitionExec(filtered, new Partitioning.Hash(List.of(key), 3), false);
    PhysicalPlan join =
        new HashJoinExec(
            build,
            probe,
            List.of(new JoinKey(key, key, false)),
            Optional.empty(),
            JoinType.FULL,
            JoinMode.PARTITIONED);
    PhysicalPlan narrowed =
        new ProjectionExec(
            join,
            List.of(
                new NamedExpr(ColumnExpr.of(join.schema(), 0), "k"),
                new NamedExpr(ColumnExpr.of(join.schema(), 3), "v")));
    PhysicalPlan union = new UnionExec(List.of(narrowed, right));
    PhysicalPlan sorted = new SortExec(union, byValue(), OptionalLong.empty(), true);
    return new SortPreservingMergeExec(sorted, byValue(), OptionalLong.empty());
  }

  private record Run(
      QueryContext query,
      QueryTasks tasks,
      MemoryPool pool,
      FairCoreGate gate,
      PlanExecution execution) {
    static Run start(PhysicalPlan plan) {
      MemoryPool pool = MemoryPools.fairSpill(Long.MAX_VALUE);
      FairCoreGate gate = new FairCoreGate(2);
      QueryContext query =
          Harness.query(Harness.CHECKED.with(EngineSettings.BATCH_SIZE, 64), pool, gate);
      QueryTasks tasks = new QueryTasks(query);
      return new Run(query, tasks, pool, gate, PlanExecution.start(plan, query, tasks));
    }

    void end() {
      execution.close();
      query.close();
      Harness.assertNothingLeft(query, tasks, pool, gate, 2);
    }
  }

  @Test
  void cancellingInTheMiddleClosesEverything() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int round = 0; round < 40; round++) {
            TestSource left = source(3);
            TestSource right = source(4).endless();
            Run run = Run.start(everything(left, right));
            Thread.sleep(round % 10);
            run.execution().cancel();
            assertThatThrownBy(
                    () -> {
                      while (run.execution().nextBatch() != null) {}
                    })
                .isInstanceOfSatisfying(
                    VarveException.class,
                    e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_CANCELED));
            run.end();
            assertThat(left.closed.get()).isEqualTo(left.opened.get());
            assertThat(right.closed.get()).isEqualTo(right.opened.get());
          }
        });
  }

  @Test
  void closingEarlyClosesEverything() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int round = 0; round < 20; round++) {
            TestSource right = source(4);
            Run run = Run.start(everything(source(3), right));
            assertThat(run.execution().nextBatch()).isNotNull();
            run.end();
            assertThat(right.closed.get()).isEqualTo(right.opened.get());
          }
        });
  }

  @Test
  void aFailingPartitionEndsItsSiblingsAndIsReported() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int batch = 0; batch < 5; batch++) {
            TestSource left = source(3).failingIn(1, batch);
            TestSource right = source(4).endless();
            Run run = Run.start(everything(left, right));
            assertThatThrownBy(
                    () -> {
                      while (run.execution().nextBatch() != null) {}
                    })
                .isInstanceOf(VarveException.class)
                .hasMessageContaining("the source failed on purpose");
            run.end();
            assertThat(left.closed.get()).isEqualTo(left.opened.get());
          }
        });
  }

  @Test
  void aLimitClosesItsInputAsSoonAsItHasItsRows() {
    TestSource source = source(1).endless();
    PhysicalPlan plan = new GlobalLimitExec(source, 60, OptionalLong.of(55));
    List<String> rows = Harness.rows(plan, Harness.CHECKED);
    assertThat(rows).hasSize(55);
    assertThat(rows.get(0)).isEqualTo("3 | 60");
    assertThat(source.pulled.get()).isEqualTo(3);
    assertThat(Harness.rows(new LocalLimitExec(source(1), 0), Harness.CHECKED)).isEmpty();
    assertThat(
            Harness.rows(
                new GlobalLimitExec(source(1), 240, OptionalLong.empty()), Harness.CHECKED))
        .hasSize(10);
    assertThat(
            Harness.rows(
                new CoalescePartitionsExec(source(3)).withFetch(17).orElseThrow(), Harness.CHECKED))
        .hasSize(17);
  }

  @Test
  void aSmallPoolGivesTheRowsOrANamedErrorAndNeverLeaks() {
    List<String> right = Harness.rows(everything(source(3), source(4)), Harness.CHECKED);
    int refused = 0;
    for (long limit = 1_000; limit < 2_000_000; limit = limit * 3 / 2) {
      Settings settings = Harness.CHECKED.with(EngineSettings.BATCH_SIZE, 64);
      try {
        assertThat(
                Harness.rows(
                    everything(source(3), source(4)), settings, MemoryPools.fairSpill(limit)))
            .as("limit %d", limit)
            .hasSameSizeAs(right);
      } catch (VarveException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED);
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void cooperativeStreamsLetAShortQueryThroughOnOneCore() throws Exception {
    FairCoreGate gate = new FairCoreGate(1);
    MemoryPool pool = MemoryPools.unbounded();
    QueryContext longQuery = Harness.query(Settings.DEFAULTS, pool, gate);
    QueryTasks longTasks = new QueryTasks(longQuery);
    PhysicalPlan endless =
        new AggregateExec(
            AggregateMode.SINGLE,
            List.of(),
            List.of(
                new AggregateExpr(
                    AggregateFunctions.resolve("count", List.of()),
                    List.of(),
                    Optional.empty(),
                    "n")),
            new CooperativeExec(source(1).endless()));
    PlanExecution busy = PlanExecution.start(endless, longQuery, longTasks);
    QueryContext shortQuery = Harness.query(Settings.DEFAULTS, pool, gate);
    QueryTasks shortTasks = new QueryTasks(shortQuery);
    try (PlanExecution quick = PlanExecution.start(source(1), shortQuery, shortTasks)) {
      int rows = 0;
      Batch batch;
      while ((batch = quick.nextBatch()) != null) {
        rows += batch.rowCount();
      }
      assertThat(rows).isEqualTo(250);
    }
    assertThat(longTasks.running()).isEqualTo(1);
    busy.close();
    Harness.assertNothingLeft(longQuery, longTasks, pool, gate, 1);
  }

  private static final class RecordingSink implements SinkPlan {
    final List<String> events = new ArrayList<>();
    private final boolean fails;

    private RecordingSink(boolean fails) {
      this.fails = fails;
    }

    @Override
    public String describe() {
      return "insert into nowhere";
    }

    @Override
    public List<ColumnOrder> requiredOrdering() {
      return List.of(new ColumnOrder(1, SortOptions.DESC));
    }

    @Override
    public TableSink open(WorkContext context) {
      events.add("open");
      return new TableSink() {
        private long rows;

        @Override
        public void write(Batch batch) {
          if (fails) {
            throw new VarveException(ErrorCode.DISK_FULL, "the disk is full");
          }
          rows += batch.rowCount();
        }

        @Override
        public SinkResult finish() {
          events.add("finish");
          return new SinkResult(rows, 1, 10, 7);
        }

        @Override
        public void close() {
          events.add("close");
        }
      };
    }
  }

  @Test
  void aSinkIsFinishedAfterTheLastRowAndOnlyClosedAfterAFailure() {
    RecordingSink good = new RecordingSink(false);
    DataSinkExec plan = new DataSinkExec(source(1), good);
    assertThat(plan.requiredInputOrdering().get(0).orElseThrow().toString())
        .isEqualTo("[c1@1 DESC]");
    assertThat(Harness.rows(plan, Harness.CHECKED)).containsExactly("250");
    assertThat(good.events).containsExactly("open", "finish", "close");

    RecordingSink broken = new RecordingSink(true);
    assertThatThrownBy(() -> Harness.rows(new DataSinkExec(source(1), broken), Harness.CHECKED))
        .hasMessageContaining("the disk is full");
    assertThat(broken.events).containsExactly("open", "close");

    RecordingSink starved = new RecordingSink(false);
    assertThatThrownBy(
            () ->
                Harness.rows(new DataSinkExec(source(1).failingIn(0, 3), starved), Harness.CHECKED))
        .hasMessageContaining("on purpose");
    assertThat(starved.events).containsExactly("open", "close");
  }

  @Test
  void aBrokenPromiseOfOrderIsNoticed() {
    TestSource liar =
        new TestSource(
            SCHEMA,
            source(1).partitions,
            Optional.of(LexOrdering.of(new SortExpr(ColumnExpr.of(SCHEMA, 0), SortOptions.ASC))));
    assertThatThrownBy(() -> Harness.rows(liar, Harness.CHECKED))
        .hasMessageContaining("TestSource declared the order [c0@0 ASC] and broke it at row 7");
  }

  @Test
  void metricsCountRowsAndLeaveOutTheTimeOfChildren() {
    TestSource slow = source(1);
    PhysicalPlan filter = new FilterExec(slow, TestExpr.equal(ColumnExpr.of(SCHEMA, 0), 3));
    PhysicalPlan limit = new LocalLimitExec(filter, 1000);
    Harness.rows(limit, Settings.DEFAULTS);
    assertThat(filter.metrics().snapshot().get("output_rows")).isEqualTo(35);
    assertThat(limit.metrics().snapshot().get("output_rows")).isEqualTo(35);
    assertThat(limit.metrics().snapshot().get("elapsed_compute_nanos"))
        .isLessThan(filter.metrics().snapshot().get("elapsed_compute_nanos"));
  }
}
