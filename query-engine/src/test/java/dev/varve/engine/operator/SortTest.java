package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sort, top-k and sort-preserving merge against a stable sort of boxed rows. */
class SortTest {
  private record Case(
      Schema schema,
      List<List<Batch>> partitions,
      LexOrdering ordering,
      Comparator<List<@Nullable Object>> comparator,
      RandomData data) {}

  private static Case random(long seed, int partitions) {
    RandomData data = new RandomData(seed);
    int columns = 1 + data.random().nextInt(4);
    DataType[] types = new DataType[columns];
    for (int i = 0; i < columns; i++) {
      types[i] = data.type();
    }
    Schema schema = data.schema(types);
    List<SortExpr> keys = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    List<SortOptions> options = new ArrayList<>();
    for (int k = 0; k < 1 + data.random().nextInt(columns); k++) {
      SortOptions option =
          new SortOptions(data.random().nextBoolean(), data.random().nextBoolean());
      keys.add(new SortExpr(ColumnExpr.of(schema, k), option));
      positions.add(k);
      options.add(option);
    }
    int mostRows = data.random().nextInt(10) == 0 ? 500 : 20;
    return new Case(
        schema,
        data.partitions(schema, partitions, mostRows, 12),
        new LexOrdering(keys),
        Compare.rows(positions, options),
        data);
  }

  private static List<String> expected(Case c, int limit) {
    return Compare.sorted(RandomData.rows(c.partitions()), c.comparator()).stream()
        .limit(limit)
        .map(Harness::text)
        .toList();
  }

  @Test
  void sortsEveryTypeInEveryDirectionStably() {
    for (long seed = 0; seed < 300; seed++) {
      Case c = random(seed, 1);
      for (Map.Entry<String, Settings> configuration : Harness.CONFIGURATIONS.entrySet()) {
        PhysicalPlan plan =
            new SortExec(
                new TestSource(c.schema(), c.partitions()),
                c.ordering(),
                OptionalLong.empty(),
                false);
        assertThat(Harness.rows(plan, configuration.getValue()))
            .as("seed %d, %s, %s", seed, configuration.getKey(), c.ordering())
            .isEqualTo(expected(c, Integer.MAX_VALUE));
      }
    }
  }

  @Test
  void topKGivesTheFirstRowsOfTheStableSort() {
    for (long seed = 0; seed < 300; seed++) {
      Case c = random(seed, 1);
      int fetch = c.data().random().nextInt(30);
      for (Map.Entry<String, Settings> configuration : Harness.CONFIGURATIONS.entrySet()) {
        PhysicalPlan plan =
            new SortExec(
                new TestSource(c.schema(), c.partitions()),
                c.ordering(),
                OptionalLong.of(fetch),
                false);
        assertThat(Harness.rows(plan, configuration.getValue()))
            .as("seed %d, %s, fetch %d", seed, configuration.getKey(), fetch)
            .isEqualTo(expected(c, fetch));
      }
    }
  }

  @Test
  void mergesSortedPartitionsWithTiesByPartition() {
    for (long seed = 0; seed < 300; seed++) {
      Case c = random(seed, 1 + (int) (seed % 5));
      PhysicalPlan sorted =
          new SortExec(
              new TestSource(c.schema(), c.partitions()), c.ordering(), OptionalLong.empty(), true);
      for (Map.Entry<String, Settings> configuration : Harness.CONFIGURATIONS.entrySet()) {
        PhysicalPlan plan = new SortPreservingMergeExec(sorted, c.ordering(), OptionalLong.empty());
        assertThat(Harness.rows(plan, configuration.getValue()))
            .as("seed %d, %s", seed, configuration.getKey())
            .isEqualTo(expected(c, Integer.MAX_VALUE));
        assertThat(Harness.rows(plan.withFetch(7).orElseThrow(), configuration.getValue()))
            .as("seed %d, %s, fetch 7", seed, configuration.getKey())
            .isEqualTo(expected(c, 7));
      }
    }
  }

  @Test
  void longRunsOfOnePartitionAreNotCopied() {
    RandomData data = new RandomData(1);
    Schema schema = data.schema(DataType.BIGINT);
    List<List<Batch>> partitions = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        values.add((long) p * 5000 + i);
      }
      partitions.add(List.of(Batches.of(schema, values)));
    }
    LexOrdering ordering = LexOrdering.of(new SortExpr(ColumnExpr.of(schema, 0), SortOptions.ASC));
    PhysicalPlan plan =
        new SortPreservingMergeExec(
            new TestSource(schema, partitions, Optional.of(ordering)),
            ordering,
            OptionalLong.empty());
    List<Batch> merged =
        Harness.batches(plan, Harness.CHECKED, dev.varve.engine.memory.MemoryPools.unbounded());
    assertThat(merged).hasSize(3);
    for (int p = 0; p < 3; p++) {
      assertThat(((dev.varve.engine.batch.LongColumn) merged.get(p).column(0)).values())
          .isSameAs(
              ((dev.varve.engine.batch.LongColumn) partitions.get(p).get(0).column(0)).values());
    }
  }

  @Test
  void gatheringKeepsASharedDictionary() {
    RandomData data = new RandomData(3);
    Schema schema = data.schema(DataType.VARCHAR);
    Batch batch = null;
    while (batch == null || !(batch.column(0) instanceof dev.varve.engine.batch.DictionaryColumn)) {
      batch = data.batch(schema, 10, 5);
    }
    Batch gathered =
        Gather.rows(
            schema,
            List.of(batch.slice(0, 5), batch.slice(5, 5)),
            new int[] {1, 0},
            new int[] {2, 3},
            0,
            2);
    assertThat(gathered.column(0)).isInstanceOf(dev.varve.engine.batch.DictionaryColumn.class);
    assertThat(gathered.column(0).value(0)).isEqualTo(batch.column(0).value(7));
  }
}
