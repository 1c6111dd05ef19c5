package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.DuckDbPeer;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.layout.io.LocalFileIO;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that other engines had with statistics, each on the smallest file that shows it. */
class PruningHazardsTest {
  @TempDir Path folder;

  private ParquetFilesSource open(Path file) {
    return ParquetFilesSource.open(file.toString(), new LocalFileIO(), ScanServices.create());
  }

  private static PhysicalPlan scan(ParquetFilesSource source, PhysicalExpr... filters) {
    List<Integer> all = IntStream.range(0, source.schema().size()).boxed().toList();
    return source
        .scan(new ScanRequest(all, Settings.DEFAULTS.with(EngineSettings.TARGET_PARTITIONS, 1)))
        .handleChildPushdownResult(List.of(filters), List.of())
        .plan();
  }

  private static int count(ParquetFilesSource source, PhysicalExpr filter) {
    return PlanRunner.rows(scan(source, filter), Settings.DEFAULTS).size();
  }

  private static PhysicalExpr compare(
      ParquetFilesSource source, String name, ComparisonOp op, Object value) {
    ColumnExpr column = ColumnExpr.of(source.schema(), source.schema().indexOf(name));
    return new ComparisonExpr(op, column, new LiteralExpr(value, column.type()));
  }

  private static List<List<@Nullable Object>> column(@Nullable Object... values) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Object value : values) {
      rows.add(row(value));
    }
    return rows;
  }

  private static List<@Nullable Object> row(@Nullable Object... values) {
    List<@Nullable Object> row = new ArrayList<>();
    Collections.addAll(row, values);
    return row;
  }

  @Test
  void nanRowsAreNotDropped() throws SQLException {
    Path file = folder.resolve("nan.parquet");
    try (DuckDbPeer duck = new DuckDbPeer()) {
      duck.execute(
          "COPY (SELECT * FROM (VALUES (1.0::DOUBLE), ('nan'::DOUBLE)) t(x)) TO '" + file + "'");
    }
    Path other =
        ParquetFile.of("message m { required double x; }")
            .write(folder.resolve("nan2.parquet"), column(1.0, Double.NaN));
    for (ParquetFilesSource source : List.of(open(file), open(other))) {
      assertThat(count(source, compare(source, "x", ComparisonOp.GT, 2.0))).isEqualTo(1);
      assertThat(count(source, compare(source, "x", ComparisonOp.NE, 1.0))).isEqualTo(1);
      assertThat(count(source, new NotExpr(compare(source, "x", ComparisonOp.LT, 10.0))))
          .isEqualTo(1);
      assertThat(count(source, compare(source, "x", ComparisonOp.EQ, 1.0))).isEqualTo(1);
    }
  }

  @Test
  void nullsDoNotMatchWhereTheRestOfARowGroupDoes() {
    ParquetFilesSource source =
        open(
            ParquetFile.of("message m { optional int32 c; }")
                .rowsPerGroup(3)
                .write(folder.resolve("n.parquet"), column(10, 20, null, 1, 50, 3)));
    PhysicalExpr filter = compare(source, "c", ComparisonOp.GT, 5);
    assertThat(count(source, filter)).isEqualTo(3);
    PhysicalPlan limited = scan(source, filter).withFetch(3).orElseThrow();
    assertThat(PlanRunner.rows(limited, Settings.DEFAULTS))
        .containsExactly(row(10), row(20), row(50));
  }

  @Test
  void decimalsOfEveryPhysicalTypeAreFound() {
    String schema =
        "message m { optional int32 d9 (DECIMAL(9,2)); optional int64 d18 (DECIMAL(18,2));"
            + " optional fixed_len_byte_array(16) d38 (DECIMAL(38,2));"
            + " optional binary b38 (DECIMAL(38,2)); }";
    byte[] fixed = new byte[16];
    fixed[14] = 2;
    fixed[15] = (byte) 0x93;
    ParquetFilesSource source =
        open(
            ParquetFile.of(schema)
                .bloomFilter("d9")
                .bloomFilter("d18")
                .bloomFilter("d38")
                .write(
                    folder.resolve("d.parquet"),
                    List.of(row(659, 659L, fixed, BigInteger.valueOf(659).toByteArray()))));
    for (String name : List.of("d9", "d18", "d38", "b38")) {
      BigDecimal value = new BigDecimal("6.59");
      BigDecimal below = new BigDecimal("6.00");
      assertThat(count(source, compare(source, name, ComparisonOp.EQ, value))).isEqualTo(1);
      assertThat(count(source, compare(source, name, ComparisonOp.GT, below))).isEqualTo(1);
      assertThat(count(source, compare(source, name, ComparisonOp.LT, below))).isZero();
    }
  }

  @Test
  void bloomFiltersFindSmallAndUnsignedIntegers() {
    ParquetFilesSource source =
        open(
            ParquetFile.of(
                    "message m { optional int32 i8 (INTEGER(8,true)); optional int32 u16"
                        + " (INTEGER(16,false)); optional int32 u32 (INTEGER(32,false)); optional"
                        + " int64 u64 (INTEGER(64,false)); }")
                .bloomFilter("i8")
                .bloomFilter("u16")
                .bloomFilter("u32")
                .bloomFilter("u64")
                .write(
                    folder.resolve("u.parquet"),
                    List.of(row(-5, 60000, -1, -1L), row(5, 1, 1, 1L))));
    BigDecimal largest = new BigDecimal("18446744073709551615");
    assertThat(count(source, compare(source, "i8", ComparisonOp.EQ, (short) -5))).isEqualTo(1);
    assertThat(count(source, compare(source, "u16", ComparisonOp.EQ, 60000))).isEqualTo(1);
    assertThat(count(source, compare(source, "u32", ComparisonOp.EQ, 4294967295L))).isEqualTo(1);
    assertThat(count(source, compare(source, "u64", ComparisonOp.EQ, largest))).isEqualTo(1);
    assertThat(count(source, compare(source, "u32", ComparisonOp.GT, 5L))).isEqualTo(1);
  }

  @Test
  void aBloomFilterUnderOrIsNotOneUnderAnd() {
    ParquetFilesSource source =
        open(
            ParquetFile.of("message m { required int64 a; required int64 b; }")
                .bloomFilter("a")
                .bloomFilter("b")
                .write(
                    folder.resolve("o.parquet"),
                    IntStream.range(0, 100).mapToObj(i -> row(1000L + 2 * i, 2L * i)).toList()));
    PhysicalExpr absent = compare(source, "a", ComparisonOp.EQ, 1001L);
    PhysicalExpr present = compare(source, "b", ComparisonOp.EQ, 20L);
    assertThat(count(source, new OrExpr(List.of(absent, present)))).isEqualTo(1);
    PhysicalPlan pruned = scan(source, absent);
    assertThat(PlanRunner.rows(pruned, Settings.DEFAULTS)).isEmpty();
    assertThat(pruned.metrics().snapshot()).containsEntry("row_groups_pruned_bloom", 1L);
  }

  @Test
  void pagesOfNullsOnlyAreSkippedOrKeptAsTheFilterWants() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(row(i / 100 == 1 ? null : (Integer) i));
    }
    ParquetFilesSource source =
        open(
            ParquetFile.of("message m { optional int32 c; }")
                .rowsPerPage(100)
                .write(folder.resolve("p.parquet"), rows));
    PhysicalExpr isNull = new IsNullExpr(ColumnExpr.of(source.schema(), 0), false);
    PhysicalExpr small = compare(source, "c", ComparisonOp.LT, 2);
    PhysicalPlan nulls = scan(source, isNull);
    assertThat(PlanRunner.rows(nulls, Settings.DEFAULTS)).hasSize(100);
    assertThat(nulls.metrics().snapshot()).containsEntry("pages_pruned", 2L);
    PhysicalPlan either = scan(source, new OrExpr(List.of(small, isNull)));
    assertThat(PlanRunner.rows(either, Settings.DEFAULTS)).hasSize(102);
    assertThat(either.metrics().snapshot()).containsEntry("pages_pruned", 1L);
  }

  @Test
  void longCommonPrefixesDoNotMakeStringsEqual() {
    String twelve = "a".repeat(12);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 4096; i++) {
      rows.add(row(i < 2048 ? twelve : twelve + "a"));
    }
    ParquetFilesSource source =
        open(
            ParquetFile.of("message m { required binary v (STRING); }")
                .rowsPerGroup(2048)
                .with(b -> b.withStatisticsTruncateLength(8).withColumnIndexTruncateLength(8))
                .write(folder.resolve("s.parquet"), rows));
    assertThat(count(source, compare(source, "v", ComparisonOp.GT, twelve))).isEqualTo(2048);
    assertThat(count(source, compare(source, "v", ComparisonOp.NE, twelve))).isEqualTo(2048);
    assertThat(count(source, compare(source, "v", ComparisonOp.EQ, twelve))).isEqualTo(2048);
  }

  @Test
  void statisticsOfInt96AreNotTrusted() {
    byte[] early = new byte[12];
    early[8] = (byte) 0x8c;
    early[9] = 0x3d;
    early[10] = 0x25;
    byte[] late = early.clone();
    late[0] = 99;
    late[9] = 0x3e;
    ParquetFilesSource source =
        open(
            ParquetFile.of("message m { required int96 t; }")
                .write(folder.resolve("i.parquet"), column(early, late)));
    for (List<@Nullable Object> row : PlanRunner.rows(scan(source), Settings.DEFAULTS)) {
      Object value = java.util.Objects.requireNonNull(row.getFirst());
      assertThat(count(source, compare(source, "t", ComparisonOp.EQ, value))).isEqualTo(1);
    }
  }

  @Test
  void aColumnThatSomeFilesLackIsNullThere() {
    ParquetFile.of("message m { optional int32 a; optional int32 c; }")
        .write(folder.resolve("m1.parquet"), List.of(row(1, 5)));
    ParquetFile.of("message m { optional int32 a; }")
        .write(folder.resolve("m2.parquet"), column(2));
    ParquetFilesSource source = open(folder.resolve("m*.parquet"));
    assertThat(PlanRunner.rows(scan(source), Settings.DEFAULTS))
        .containsExactly(row(1, 5), row(2, null));
    assertThat(count(source, compare(source, "c", ComparisonOp.NE, 4))).isEqualTo(1);
    assertThat(count(source, new IsNullExpr(ColumnExpr.of(source.schema(), 1), false)))
        .isEqualTo(1);
  }

  @Test
  void sortingColumnsOfAFooterAreAssertedOnly() {
    Path file = folder.resolve("sorted.parquet");
    ClaimedOrder.write(file);
    ParquetFilesSource source = open(file);
    PhysicalPlan plan = scan(source);
    LexOrdering wanted =
        LexOrdering.of(new SortExpr(ColumnExpr.of(source.schema(), 0), SortOptions.ASC));
    assertThat(plan.properties().equivalences().satisfies(wanted)).isFalse();
    assertThat(plan.tryPushdownSort(wanted))
        .isInstanceOfSatisfying(
            SortPushdown.Unsupported.class,
            u ->
                assertThat(u.reasons())
                    .containsExactly("sorted.parquet: order [k ASC] is asserted, not verified"));
  }
}
