package dev.varve.engine.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.expr.ArithmeticExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterEstimateTest {
  /** 1,000 rows: n from 0 to 999, d over 100 days, s with 50 values, a tenth of b null. */
  private static final Schema SCHEMA =
      Schema.of(
          Field.of("n", DataType.INTEGER),
          Field.of("d", DataType.DATE),
          Field.of("s", DataType.VARCHAR),
          Field.of("b", DataType.BIGINT),
          Field.of("m", DataType.decimal(10, 2)));

  private static final Statistics INPUT =
      new Statistics(
          Precision.exact(1000L),
          Precision.inexact(8000L),
          List.of(
              column(0, 0, 999, 1000L),
              new ColumnStatistics(
                  Precision.exact(0L),
                  Precision.exact(LocalDate.ofEpochDay(0)),
                  Precision.exact(LocalDate.ofEpochDay(99)),
                  Precision.absent()),
              new ColumnStatistics(
                  Precision.exact(0L),
                  Precision.absent(),
                  Precision.absent(),
                  Precision.inexact(50L)),
              column(100, 1L, 10L, 10L),
              ColumnStatistics.UNKNOWN));

  private static ColumnStatistics column(long nulls, Object min, Object max, long distinct) {
    return new ColumnStatistics(
        Precision.exact(nulls),
        Precision.exact(min),
        Precision.exact(max),
        Precision.inexact(distinct));
  }

  private static PhysicalExpr col(int i) {
    return ColumnExpr.of(SCHEMA, i);
  }

  private static PhysicalExpr compare(ComparisonOp op, PhysicalExpr left, Object value) {
    return new ComparisonExpr(op, left, new LiteralExpr(value, left.type()));
  }

  private static Statistics filtered(PhysicalExpr... conditions) {
    return FilterEstimate.of(List.of(conditions), SCHEMA, INPUT, 20);
  }

  private static long rows(PhysicalExpr... conditions) {
    return filtered(conditions).rowCount().known().orElseThrow();
  }

  @Test
  void twoComparisonsOfOneColumnAreOneInterval() {
    assertThat(rows(compare(ComparisonOp.GE, col(0), 100), compare(ComparisonOp.LT, col(0), 300)))
        .isEqualTo(200);
    assertThat(
            rows(
                compare(ComparisonOp.GT, col(1), LocalDate.ofEpochDay(9)),
                compare(ComparisonOp.LE, col(1), LocalDate.ofEpochDay(19))))
        .isEqualTo(100);
  }

  @Test
  void aPointTakesOneOverTheNumberOfDistinctValues() {
    // A share of 0.09 that is not quite that in binary, rounded up.
    assertThat(rows(compare(ComparisonOp.EQ, col(3), 4L))).isBetween(90L, 91L);
    assertThat(rows(compare(ComparisonOp.EQ, col(2), "x"))).isEqualTo(20);
    assertThat(rows(compare(ComparisonOp.NE, col(2), "x"))).isEqualTo(980);
  }

  @Test
  void whatContradictsTheBoundsLeavesOneRowAndIsNeverExact() {
    Statistics none = filtered(compare(ComparisonOp.GT, col(0), 5000));
    assertThat(none.rowCount()).isEqualTo(Precision.inexact(1L));
    Statistics contradiction =
        filtered(compare(ComparisonOp.LT, col(0), 10), compare(ComparisonOp.GT, col(0), 20));
    assertThat(contradiction.rowCount()).isEqualTo(Precision.inexact(1L));
  }

  @Test
  void arithmeticIsSolvedForItsColumn() {
    PhysicalExpr twice =
        new ArithmeticExpr(
            ArithmeticOp.MULTIPLY, col(0), new LiteralExpr(2, DataType.INTEGER), DataType.INTEGER);
    PhysicalExpr less =
        new ArithmeticExpr(
            ArithmeticOp.SUBTRACT,
            new LiteralExpr(1000, DataType.INTEGER),
            col(0),
            DataType.INTEGER);
    assertThat(rows(compare(ComparisonOp.LE, twice, 998))).isEqualTo(500);
    assertThat(rows(compare(ComparisonOp.GT, less, 900))).isEqualTo(100);
  }

  @Test
  void whatIsNotBetweenKeepsTheRest() {
    PhysicalExpr outside =
        new OrExpr(
            List.of(compare(ComparisonOp.LT, col(0), 100), compare(ComparisonOp.GE, col(0), 900)));
    assertThat(rows(outside)).isBetween(180L, 200L);
    assertThat(rows(new NotExpr(compare(ComparisonOp.LT, col(0), 100)))).isEqualTo(900);
  }

  @Test
  void listsNullsAndColumnsAgainstColumnsAreCounted() {
    PhysicalExpr in =
        new InListExpr(
            col(2),
            List.of(new LiteralExpr("a", DataType.VARCHAR), new LiteralExpr("b", DataType.VARCHAR)),
            false);
    assertThat(rows(in)).isEqualTo(40);
    assertThat(rows(new IsNullExpr(col(3), false))).isEqualTo(100);
    assertThat(rows(new IsNullExpr(col(3), true))).isEqualTo(900);
    assertThat(rows(new ComparisonExpr(ComparisonOp.LT, col(0), col(0)))).isBetween(450L, 550L);
  }

  @Test
  void whatCannotBeJudgedKeepsTheConfiguredShare() {
    PhysicalExpr strange =
        new ComparisonExpr(ComparisonOp.LT, col(2), new LiteralExpr("x", DataType.VARCHAR));
    assertThat(rows(strange)).isEqualTo(200);
    assertThat(FilterEstimate.of(List.of(strange), SCHEMA, INPUT, 5).rowCount().known())
        .contains(50L);
  }

  @Test
  void aComparisonTightensBoundsAndDistinctValuesOfItsOwnColumnOnly() {
    Statistics kept =
        filtered(compare(ComparisonOp.GE, col(0), 900), compare(ComparisonOp.EQ, col(2), "x"));
    assertThat(kept.columns().get(0).lower()).isEqualTo(900);
    assertThat(kept.columns().get(0).upper()).isEqualTo(999);
    assertThat(kept.columns().get(0).distinctCount().known()).contains(100L);
    assertThat(kept.columns().get(2).distinctCount().known()).contains(1L);
    assertThat(kept.columns().get(3).distinctCount().known()).contains(10L);
    assertThat(kept.columns()).noneMatch(c -> c.min().isExact() || c.distinctCount().isExact());
  }
}
