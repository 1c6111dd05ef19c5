package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.NamedExpr;
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
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Aggregation against maps of boxed rows. */
class AggregateTest {
  private static final List<DataType> KEY_TYPES = RandomData.TYPES;

  private static AggregateExpr aggregate(
      String name, Optional<PhysicalExpr> filter, PhysicalExpr... arguments) {
    return new AggregateExpr(
        AggregateFunctions.resolve(
            name, List.of(arguments).stream().map(PhysicalExpr::type).toList()),
        List.of(arguments),
        filter,
        name);
  }

  private static List<NamedExpr> keys(Schema schema, int count) {
    List<NamedExpr> keys = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      keys.add(new NamedExpr(ColumnExpr.of(schema, k), "k" + k));
    }
    return keys;
  }

  /** Partial, exchange by key or coalesce, final. */
  private static PhysicalPlan twoPhases(
      PhysicalPlan input, List<NamedExpr> groupBy, List<AggregateExpr> aggregates, int partitions) {
    PhysicalPlan partial = new AggregateExec(AggregateMode.PARTIAL, groupBy, aggregates, input);
    List<NamedExpr> finalKeys = new ArrayList<>();
    for (int k = 0; k < groupBy.size(); k++) {
      finalKeys.add(new NamedExpr(ColumnExpr.of(partial.schema(), k), groupBy.get(k).name()));
    }
    if (groupBy.isEmpty()) {
      return new AggregateExec(
          AggregateMode.FINAL, finalKeys, aggregates, new CoalescePartitionsExec(partial));
    }
    PhysicalPlan exchanged =
        new RepartitionExec(
            partial,
            new Partitioning.Hash(finalKeys.stream().map(NamedExpr::expr).toList(), partitions),
            false);
    return new AggregateExec(AggregateMode.FINAL_PARTITIONED, finalKeys, aggregates, exchanged);
  }

  private static List<String> expected(
      List<List<@Nullable Object>> rows, int keyCount, int valueColumn, int decimalColumn) {
    Map<List<@Nullable Object>, List<List<@Nullable Object>>> groups = new LinkedHashMap<>();
    if (keyCount == 0) {
      groups.put(List.of(), new ArrayList<>());
    }
    for (List<@Nullable Object> row : rows) {
      groups.computeIfAbsent(row.subList(0, keyCount), k -> new ArrayList<>()).add(row);
    }
    List<String> result = new ArrayList<>();
    groups.forEach(
        (key, members) -> {
          List<@Nullable Object> out = new ArrayList<>(key);
          List<Long> values =
              members.stream()
                  .map(r -> (Long) r.get(valueColumn))
                  .filter(Objects::nonNull)
                  .map(v -> (Long) v)
                  .toList();
          BigInteger sum =
              values.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
          List<BigDecimal> decimals =
              members.stream()
                  .map(r -> (BigDecimal) r.get(decimalColumn))
                  .filter(Objects::nonNull)
                  .map(v -> (BigDecimal) v)
                  .toList();
          out.add((long) members.size());
          out.add((long) values.size());
          out.add(values.isEmpty() ? null : new BigDecimal(sum));
          out.add(
              values.isEmpty()
                  ? null
                  : new BigDecimal(sum)
                      .divide(
                          BigDecimal.valueOf(values.size()),
                          DataType.BIGINT.average().scale(),
                          RoundingMode.HALF_UP));
          out.add(values.stream().min(Long::compare).orElse(null));
          out.add(values.stream().max(Long::compare).orElse(null));
          out.add(decimals.stream().reduce(BigDecimal::add).orElse(null));
          out.add((long) members.stream().filter(r -> r.get(decimalColumn) == null).count());
          result.add(Harness.text(out));
        });
    return result;
  }

  private static List<AggregateExpr> aggregates(Schema schema, int value, int decimal) {
    ColumnExpr v = ColumnExpr.of(schema, value);
    ColumnExpr d = ColumnExpr.of(schema, decimal);
    return List.of(
        aggregate("count", Optional.empty()),
        aggregate("count", Optional.empty(), v),
        aggregate("sum", Optional.empty(), v),
        aggregate("avg", Optional.empty(), v),
        aggregate("min", Optional.empty(), v),
        aggregate("max", Optional.empty(), v),
        aggregate("sum", Optional.empty(), d),
        aggregate("count", Optional.of(new IsNullExpr(d, false))));
  }

  @Test
  void aggregatesInOneAndTwoPhasesLikeAMap() {
    for (long seed = 0; seed < 200; seed++) {
      RandomData data = new RandomData(seed);
      int keyCount = data.random().nextInt(4);
      DataType[] types = new DataType[keyCount + 2];
      for (int k = 0; k < keyCount; k++) {
        types[k] = KEY_TYPES.get(data.random().nextInt(KEY_TYPES.size()));
      }
      types[keyCount] = DataType.BIGINT;
      types[keyCount + 1] = DataType.decimal(20, 2);
      Schema schema = data.schema(types);
      List<List<Batch>> partitions = data.partitions(schema, 1 + data.random().nextInt(4), 40, 8);
      List<String> expected =
          expected(RandomData.rows(partitions), keyCount, keyCount, keyCount + 1);
      List<AggregateExpr> aggregates = aggregates(schema, keyCount, keyCount + 1);
      TestSource source = new TestSource(schema, partitions);
      List<NamedExpr> groupBy = keys(schema, keyCount);
      PhysicalPlan single =
          new AggregateExec(
              AggregateMode.SINGLE, groupBy, aggregates, new CoalescePartitionsExec(source));
      PhysicalPlan phases = twoPhases(source, groupBy, aggregates, 3);
      for (Map.Entry<String, Settings> configuration : Harness.CONFIGURATIONS.entrySet()) {
        assertThat(Harness.rows(single, configuration.getValue()))
            .as("seed %d, one phase, %s", seed, configuration.getKey())
            .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(Harness.rows(phases, configuration.getValue()))
            .as("seed %d, two phases, %s", seed, configuration.getKey())
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  void aggregatesAnOrderedInputWithoutATableAndKeepsItsOrder() {
    for (long seed = 0; seed < 100; seed++) {
      RandomData data = new RandomData(seed);
      DataType[] types = {data.type(), data.type(), DataType.BIGINT, DataType.decimal(20, 2)};
      Schema schema = data.schema(types);
      List<List<Batch>> partitions = data.partitions(schema, 1, 40, 5);
      LexOrdering ordering =
          LexOrdering.of(
              new SortExpr(ColumnExpr.of(schema, 1), SortOptions.DESC),
              new SortExpr(ColumnExpr.of(schema, 0), SortOptions.ASC));
      PhysicalPlan sorted =
          new SortExec(new TestSource(schema, partitions), ordering, OptionalLong.empty(), false);
      List<AggregateExpr> aggregates = aggregates(schema, 2, 3);
      AggregateExec plan =
          new AggregateExec(AggregateMode.SINGLE, keys(schema, 2), aggregates, sorted);
      assertThat(plan.clustered()).isTrue();
      assertThat(plan.properties().outputOrdering()).isPresent();
      List<String> expected = expected(RandomData.rows(partitions), 2, 2, 3);
      for (Settings settings : Harness.CONFIGURATIONS.values()) {
        assertThat(Harness.rows(plan, settings))
            .as("seed %d", seed)
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  void anExpressionOfAnOrderedColumnIsNotTakenForOrdered() {
    Schema schema = new RandomData(0).schema(DataType.BIGINT, DataType.BIGINT, DataType.BIGINT);
    Batch batch =
        Batches.of(
            schema,
            List.of(1L, 1L, 1L, 2L, 2L, 2L),
            List.of(1L, 2L, 3L, 1L, 2L, 3L),
            List.of(10L, 20L, 30L, 40L, 50L, 60L));
    LexOrdering ordering =
        LexOrdering.of(
            new SortExpr(ColumnExpr.of(schema, 0), SortOptions.ASC),
            new SortExpr(ColumnExpr.of(schema, 1), SortOptions.ASC));
    TestSource source = new TestSource(schema, List.of(List.of(batch)), Optional.of(ordering));
    PhysicalExpr modulo = TestExpr.modulo(ColumnExpr.of(schema, 1), 2);
    AggregateExec plan =
        new AggregateExec(
            AggregateMode.SINGLE,
            List.of(new NamedExpr(ColumnExpr.of(schema, 0), "x"), new NamedExpr(modulo, "m")),
            List.of(aggregate("sum", Optional.empty(), ColumnExpr.of(schema, 2))),
            source);
    assertThat(plan.clustered()).isFalse();
    assertThat(Harness.rows(plan, Harness.CHECKED))
        .containsExactlyInAnyOrder("1 | 0 | 20", "1 | 1 | 40", "2 | 0 | 50", "2 | 1 | 100");
  }

  @Test
  void sumsAreExactWhateverTheOrderAndOnlyAResultOutOfRangeFails() {
    Schema schema = new RandomData(0).schema(DataType.decimal(38, 0), DataType.INTEGER);
    BigDecimal huge = new BigDecimal(BigInteger.TEN.pow(38).subtract(BigInteger.ONE));
    Batch batch =
        Batches.of(
            schema,
            List.of(huge, huge, huge, huge.negate(), huge.negate(), huge.negate()),
            List.of(1, 2, 3, 4, 5, 6));
    TestSource good =
        new TestSource(schema, List.of(List.of(batch.slice(0, 3)), List.of(batch.slice(3, 3))));
    List<AggregateExpr> sum = List.of(aggregate("sum", Optional.empty(), ColumnExpr.of(schema, 0)));
    assertThat(Harness.rows(twoPhases(good, List.of(), sum, 1), Harness.CHECKED))
        .containsExactly("0");
    TestSource bad = new TestSource(schema, List.of(List.of(batch.slice(0, 3))));
    assertThatThrownBy(() -> Harness.rows(twoPhases(bad, List.of(), sum, 1), Harness.CHECKED))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OUT_OF_RANGE));
  }

  @Test
  void sumOfIntegersPassesTheRangeOfTheirTypeInBetween() {
    Schema schema = new RandomData(0).schema(DataType.BIGINT);
    Batch batch = Batches.of(schema, List.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, -5L));
    PhysicalPlan plan =
        twoPhases(
            new TestSource(schema, List.of(List.of(batch))),
            List.of(),
            List.of(
                aggregate("sum", Optional.empty(), ColumnExpr.of(schema, 0)),
                aggregate("avg", Optional.empty(), ColumnExpr.of(schema, 0))),
            1);
    assertThat(Harness.rows(plan, Harness.CHECKED))
        .containsExactly("9223372036854775801 | 2305843009213693950.2500000000000000");
  }

  @Test
  void floatsGroupByTheOneKeyEquality() {
    Schema schema = new RandomData(0).schema(DataType.DOUBLE);
    Batch batch =
        Batches.of(
            schema,
            Batches.values(
                0.0, -0.0, Double.NaN, Double.longBitsToDouble(0x7ff8000000000001L), null, null));
    PhysicalPlan plan =
        twoPhases(
            new TestSource(schema, List.of(List.of(batch), List.of(batch))),
            keys(schema, 1),
            List.of(aggregate("count", Optional.empty())),
            4);
    assertThat(Harness.rows(plan, Harness.CHECKED))
        .containsExactlyInAnyOrder("0.0 | 4", "NaN | 4", "null | 4");
  }

  @Test
  void otherAggregatesFollowPostgres() {
    Schema schema =
        new RandomData(0)
            .schema(DataType.DOUBLE, DataType.BOOLEAN, DataType.VARCHAR, DataType.REAL);
    Batch batch =
        Batches.of(
            schema,
            Batches.values(1.0, 2.0, 3.0, 4.0, null, Double.NaN),
            Batches.values(true, false, null, true, true, true),
            Batches.values("b", "a", null, "c", "", "é"),
            Batches.values(1.5f, -2.5f, null, 4f, 0f, Float.NaN));
    Batch numbers = batch.slice(0, 5);
    ColumnExpr d = ColumnExpr.of(schema, 0);
    ColumnExpr b = ColumnExpr.of(schema, 1);
    ColumnExpr s = ColumnExpr.of(schema, 2);
    ColumnExpr r = ColumnExpr.of(schema, 3);
    List<AggregateExpr> aggregates =
        List.of(
            aggregate("var_pop", Optional.empty(), d),
            aggregate("var_samp", Optional.empty(), d),
            aggregate("stddev_pop", Optional.empty(), d),
            aggregate("bool_and", Optional.empty(), b),
            aggregate("bool_or", Optional.empty(), b),
            aggregate("min", Optional.empty(), s),
            aggregate("max", Optional.empty(), s),
            aggregate("sum", Optional.empty(), r),
            aggregate("avg", Optional.empty(), d),
            aggregate("max", Optional.empty(), r));
    assertThat(
            Harness.rows(
                twoPhases(
                    new TestSource(
                        schema,
                        List.of(List.of(numbers.slice(0, 2)), List.of(numbers.slice(2, 3)))),
                    List.of(),
                    aggregates,
                    1),
                Harness.CHECKED))
        .containsExactly(
            "1.25 | 1.6666666666666667 | 1.118033988749895 | false | true |  | c | 3.0 | 2.5 | 4.0");
    PhysicalPlan extremes =
        twoPhases(
            new TestSource(schema, List.of(List.of(batch))),
            List.of(),
            List.of(
                aggregate("min", Optional.empty(), d),
                aggregate("max", Optional.empty(), d),
                aggregate("max", Optional.empty(), s)),
            1);
    assertThat(Harness.rows(extremes, Harness.CHECKED)).containsExactly("1.0 | NaN | é");
    PhysicalPlan nothing =
        twoPhases(new TestSource(schema, List.of(List.of())), List.of(), aggregates, 1);
    assertThat(Harness.rows(nothing, Harness.CHECKED))
        .containsExactly("null | null | null | null | null | null | null | null | null | null");
  }

  @Test
  void aSecondRowOfAScalarSubqueryIsAnError() {
    Schema schema = new RandomData(0).schema(DataType.BIGINT);
    List<AggregateExpr> single =
        List.of(aggregate("single_value", Optional.empty(), ColumnExpr.of(schema, 0)));
    Batch one = Batches.of(schema, List.of(7L));
    assertThat(
            Harness.rows(
                twoPhases(
                    new TestSource(schema, List.of(List.of(one), List.of())), List.of(), single, 1),
                Harness.CHECKED))
        .containsExactly("7");
    assertThatThrownBy(
            () ->
                Harness.rows(
                    twoPhases(
                        new TestSource(schema, List.of(List.of(one), List.of(one))),
                        List.of(),
                        single,
                        1),
                    Harness.CHECKED))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CARDINALITY_VIOLATION));
  }

  @Test
  void partialAggregationFlushesWhereMemoryEndsAndTheFinalOneNamesItsNeed() {
    Schema schema = new RandomData(0).schema(DataType.BIGINT, DataType.VARCHAR);
    List<Batch> batches = new ArrayList<>();
    for (int b = 0; b < 20; b++) {
      List<Object> numbers = new ArrayList<>();
      List<Object> texts = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        numbers.add((long) (b * 500 + i) % 5000);
        texts.add("some text " + i);
      }
      batches.add(Batches.of(schema, numbers, texts));
    }
    TestSource source = new TestSource(schema, List.of(batches));
    List<AggregateExpr> aggregates =
        List.of(
            aggregate("count", Optional.empty()),
            aggregate("max", Optional.empty(), ColumnExpr.of(schema, 1)));
    PhysicalPlan partial =
        new AggregateExec(AggregateMode.PARTIAL, keys(schema, 1), aggregates, source);
    List<Batch> states = Harness.batches(partial, Harness.CHECKED, MemoryPools.fairSpill(100_000));
    assertThat(states.stream().mapToInt(Batch::rowCount).sum()).isGreaterThan(5000);
    assertThat(partial.metrics().snapshot().get("early_flushes")).isPositive();
    List<NamedExpr> finalKeys = keys(partial.schema(), 1);
    PhysicalPlan merged =
        new AggregateExec(
            AggregateMode.FINAL,
            finalKeys,
            aggregates,
            new TestSource(partial.schema(), List.of(states)));
    List<String> rows = Harness.rows(merged, Harness.CHECKED);
    assertThat(rows).hasSize(5000).allMatch(row -> row.contains(" | 2 | some text "));
    assertThatThrownBy(() -> Harness.rows(merged, Harness.CHECKED, MemoryPools.fairSpill(100_000)))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED))
        .hasMessageContaining("AggregateExec FINAL needs")
        .hasMessageContaining("largest holders");
  }

  @Test
  void partialAggregationStopsCollectingWhereItDoesNotReduce() {
    Schema schema = new RandomData(0).schema(DataType.BIGINT);
    List<Batch> batches = new ArrayList<>();
    for (int b = 0; b < 60; b++) {
      List<Object> numbers = new ArrayList<>();
      for (int i = 0; i < 4000; i++) {
        numbers.add((long) b * 4000 + i);
      }
      batches.add(Batches.of(schema, numbers));
    }
    AggregateExec partial =
        new AggregateExec(
            AggregateMode.PARTIAL,
            keys(schema, 1),
            List.of(aggregate("count", Optional.empty())),
            new TestSource(schema, List.of(batches)));
    List<String> rows =
        Harness.rows(partial, Harness.CHECKED.with(EngineSettings.BATCH_SIZE, 4096));
    assertThat(rows).hasSize(240_000).doesNotHaveDuplicates();
    assertThat(partial.metrics().snapshot().get("partial_aggregation_skipped")).isEqualTo(1);
  }
}
