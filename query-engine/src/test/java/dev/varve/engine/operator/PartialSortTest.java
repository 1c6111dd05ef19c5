package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sorting within ties of an order that is there: the same rows as a whole sort gives. */
class PartialSortTest {

  private static LexOrdering ordering(Schema schema, Random random, int keys) {
    List<SortExpr> order = new ArrayList<>();
    for (int k = 0; k < keys; k++) {
      order.add(
          new SortExpr(
              ColumnExpr.of(schema, k),
              new SortOptions(random.nextBoolean(), random.nextBoolean())));
    }
    return new LexOrdering(order);
  }

  @Test
  void theRowsAreThoseOfAWholeSort() {
    for (long seed = 0; seed < 80; seed++) {
      RandomData data = new RandomData(seed);
      int keys = 2 + data.random().nextInt(2);
      DataType[] types = new DataType[keys];
      for (int k = 0; k < keys; k++) {
        types[k] = data.type();
      }
      Schema schema = data.schema(types);
      LexOrdering ordering = ordering(schema, data.random(), keys);
      int prefix = 1 + data.random().nextInt(keys - 1);
      LexOrdering first = new LexOrdering(ordering.keys().subList(0, prefix));
      TestSource source =
          new TestSource(schema, data.partitions(schema, 1 + data.random().nextInt(3), 30, 4));
      PhysicalPlan sorted = new SortExec(source, first, OptionalLong.empty(), true);
      for (Settings settings : Harness.CONFIGURATIONS.values()) {
        PhysicalPlan whole =
            new SortPreservingMergeExec(
                new SortExec(source, ordering, OptionalLong.empty(), true),
                ordering,
                OptionalLong.empty());
        PhysicalPlan partial =
            new SortPreservingMergeExec(
                new PartialSortExec(sorted, ordering, prefix, OptionalLong.empty(), true),
                ordering,
                OptionalLong.empty());
        List<String> expected = Harness.rows(whole, settings);
        // All columns are keys: rows that tie are equal, as keys are.
        assertThat(Harness.rows(partial, settings)).as("seed %d", seed).isEqualTo(expected);
        long fetch = data.random().nextInt(expected.size() + 2);
        if (source.partitions.size() == 1) {
          assertThat(
                  Harness.rows(
                      new PartialSortExec(sorted, ordering, prefix, OptionalLong.of(fetch), false),
                      settings))
              .as("seed %d", seed)
              .isEqualTo(expected.subList(0, (int) Math.min(fetch, expected.size())));
        }
      }
    }
  }

  private static final Schema AB = new RandomData(0).schema(DataType.BIGINT, DataType.BIGINT);

  private static TestSource ascending(int batches, int batchRows) {
    List<Batch> all = new ArrayList<>();
    for (int b = 0; b < batches; b++) {
      long[] first = new long[batchRows];
      long[] second = new long[batchRows];
      for (int i = 0; i < batchRows; i++) {
        first[i] = (b * batchRows + i) / 3;
        second[i] = -i;
      }
      all.add(
          new Batch(
              AB,
              List.of(
                  new dev.varve.engine.batch.LongColumn(DataType.BIGINT, first, null),
                  new dev.varve.engine.batch.LongColumn(DataType.BIGINT, second, null)),
              batchRows));
    }
    return new TestSource(
        AB,
        List.of(all),
        Optional.of(LexOrdering.of(new SortExpr(ColumnExpr.of(AB, 0), SortOptions.ASC))));
  }

  private static final LexOrdering BY_BOTH =
      LexOrdering.of(
          new SortExpr(ColumnExpr.of(AB, 0), SortOptions.ASC),
          new SortExpr(ColumnExpr.of(AB, 1), SortOptions.ASC));

  @Test
  void aFetchStopsReadingAfterTheTieThatFillsIt() {
    TestSource source = ascending(100, 50);
    Settings settings = Harness.CHECKED.with(dev.varve.engine.config.EngineSettings.BATCH_SIZE, 50);
    assertThat(
            Harness.rows(
                new PartialSortExec(source, BY_BOTH, 1, OptionalLong.of(10), false), settings))
        .hasSize(10);
    assertThat(source.pulled.get()).isLessThan(5);
    assertThat(source.closed.get()).isEqualTo(source.opened.get());
  }

  @Test
  void rangesOfTheFirstKeyStayASequence() {
    PhysicalPlan source = new RangedSource(ascending(1, 3));
    PhysicalPlan partial = new PartialSortExec(source, BY_BOTH, 1, OptionalLong.empty(), true);
    assertThat(partial.properties().equivalences().concatenated().satisfies(BY_BOTH)).isTrue();
    PhysicalPlan other =
        new PartialSortExec(
            new TestSource(
                AB,
                List.of(List.of(), List.of()),
                Optional.of(LexOrdering.of(new SortExpr(ColumnExpr.of(AB, 0), SortOptions.ASC)))),
            BY_BOTH,
            1,
            OptionalLong.empty(),
            true);
    assertThat(other.properties().equivalences().concatenated().satisfies(BY_BOTH)).isFalse();
  }

  /** Two ranges of the first column. */
  private static final class RangedSource extends PlanNode {
    RangedSource(TestSource like) {
      super(
          like.schema(),
          List.of(),
          dev.varve.engine.properties.PlanProperties.of(
              new Partitioning.Range(
                  LexOrdering.of(BY_BOTH.keys().getFirst()), List.of(List.of(5L)), true),
              dev.varve.engine.properties.EquivalenceProperties.of(like.schema())
                  .withOrderingAcross(LexOrdering.of(BY_BOTH.keys().getFirst()))));
    }

    @Override
    PhysicalPlan over(List<PhysicalPlan> replacement) {
      return this;
    }

    @Override
    dev.varve.engine.batch.BatchStream open(
        int partition, dev.varve.engine.runtime.TaskContext context) {
      throw new IllegalStateException("only its promises are looked at");
    }
  }
}
