package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.IsTrueExpr;
import dev.varve.engine.expr.LikeExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.key.EncodedKey;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConditionTest {
  private static final int TRUE = Condition.TRUE;
  private static final int FALSE = Condition.FALSE;
  private static final int NULL = Condition.NULL;

  private static final ColumnExpr X = new ColumnExpr(0, "x", DataType.INTEGER, true);
  private static final ColumnExpr D = new ColumnExpr(0, "d", DataType.DOUBLE, true);
  private static final ColumnExpr S = new ColumnExpr(0, "s", DataType.VARCHAR, true);
  private static final ColumnExpr B = new ColumnExpr(0, "b", DataType.BOOLEAN, true);
  private static final ColumnExpr Y = new ColumnExpr(1, "y", DataType.INTEGER, true);

  /** Facts of up to two columns of 10 rows. */
  private static final class Facts implements ContainerFacts {
    private final Map<Integer, ColumnFacts> columns = new HashMap<>();
    private @Nullable Object present;

    Facts with(int column, ColumnFacts facts) {
      columns.put(column, facts);
      return this;
    }

    /** A bloom filter that has seen one value only. */
    Facts bloom(Object value) {
      present = value;
      return this;
    }

    @Override
    public ColumnFacts column(int column) {
      return columns.getOrDefault(column, ColumnFacts.unknown(column));
    }

    @Override
    public boolean allNull(int column) {
      return column(column).nullCount().orElse(-1) == 10;
    }

    @Override
    public boolean mayContain(int column, LiteralExpr value) {
      return present == null || column != 0 || present.equals(value.value());
    }
  }

  private static Bound exact(DataType type, Object value) {
    return new Bound.Exact(ColumnKeys.encode(new LiteralExpr(value, type).single(), 0));
  }

  private static Bound cut(String value) {
    return new Bound.Inexact(EncodedKey.of(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static ColumnFacts facts(Bound lower, Bound upper, long nulls, long nans) {
    return new ColumnFacts(
        0,
        lower,
        upper,
        nulls < 0 ? OptionalLong.empty() : OptionalLong.of(nulls),
        nans < 0 ? OptionalLong.empty() : OptionalLong.of(nans),
        OptionalLong.empty());
  }

  private static Facts ints(int lower, int upper, long nulls) {
    return new Facts()
        .with(0, facts(exact(DataType.INTEGER, lower), exact(DataType.INTEGER, upper), nulls, 0));
  }

  private static Facts doubles(double lower, double upper, long nans) {
    return new Facts()
        .with(0, facts(exact(DataType.DOUBLE, lower), exact(DataType.DOUBLE, upper), 0, nans));
  }

  private static Facts strings(String lower, String upper) {
    return new Facts().with(0, facts(cut(lower), cut(upper), 0, 0));
  }

  private static PhysicalExpr compare(ColumnExpr column, ComparisonOp op, @Nullable Object value) {
    return new ComparisonExpr(op, column, new LiteralExpr(value, column.type()));
  }

  private static int possible(PhysicalExpr filter, ContainerFacts facts) {
    return PruningPredicate.rewrite(filter).possible(facts);
  }

  private static boolean keeps(PhysicalExpr filter, ContainerFacts facts) {
    return (possible(filter, facts) & TRUE) != 0;
  }

  @Test
  void comparisonsFollowTheBounds() {
    Facts facts = ints(10, 20, 0);
    assertThat(possible(compare(X, ComparisonOp.EQ, 9), facts)).isEqualTo(FALSE);
    assertThat(possible(compare(X, ComparisonOp.EQ, 10), facts)).isEqualTo(TRUE | FALSE);
    assertThat(possible(compare(X, ComparisonOp.NE, 9), facts)).isEqualTo(TRUE);
    assertThat(possible(compare(X, ComparisonOp.LT, 10), facts)).isEqualTo(FALSE);
    assertThat(possible(compare(X, ComparisonOp.LE, 10), facts)).isEqualTo(TRUE | FALSE);
    assertThat(possible(compare(X, ComparisonOp.LE, 20), facts)).isEqualTo(TRUE);
    assertThat(possible(compare(X, ComparisonOp.GT, 20), facts)).isEqualTo(FALSE);
    assertThat(possible(compare(X, ComparisonOp.GE, 20), facts)).isEqualTo(TRUE | FALSE);
    assertThat(possible(compare(X, ComparisonOp.GT, 9), facts)).isEqualTo(TRUE);
    assertThat(possible(compare(X, ComparisonOp.EQ, 7), ints(7, 7, 0))).isEqualTo(TRUE);
    assertThat(possible(compare(X, ComparisonOp.NE, 7), ints(7, 7, 0))).isEqualTo(FALSE);
    assertThat(
            possible(
                new ComparisonExpr(ComparisonOp.GT, new LiteralExpr(10, DataType.INTEGER), X),
                facts))
        .as("10 > x")
        .isEqualTo(FALSE);
  }

  @Test
  void nullsAreNeitherTrueNorFalse() {
    assertThat(possible(compare(X, ComparisonOp.GT, 5), ints(10, 20, 1))).isEqualTo(TRUE | NULL);
    assertThat(possible(new NotExpr(compare(X, ComparisonOp.GT, 5)), ints(10, 20, 1)))
        .isEqualTo(FALSE | NULL);
    Facts unknown = ints(10, 20, -1);
    assertThat(possible(compare(X, ComparisonOp.GT, 5), unknown))
        .as("a null count that is not known")
        .isEqualTo(TRUE | NULL);
    Facts allNull = new Facts().with(0, facts(Bound.UNKNOWN, Bound.UNKNOWN, 10, 0));
    assertThat(possible(compare(X, ComparisonOp.EQ, 5), allNull)).isEqualTo(NULL);
    assertThat(possible(new IsNullExpr(X, false), allNull)).isEqualTo(TRUE);
    assertThat(possible(new IsNullExpr(X, true), allNull)).isEqualTo(FALSE);
    assertThat(possible(new IsNullExpr(X, false), ints(1, 2, 0))).isEqualTo(FALSE);
    assertThat(possible(compare(X, ComparisonOp.EQ, null), ints(1, 2, 0))).isEqualTo(NULL);
    assertThat(possible(compare(X, ComparisonOp.IS_DISTINCT, 5), allNull)).isEqualTo(TRUE);
    assertThat(possible(compare(X, ComparisonOp.IS_NOT_DISTINCT, null), allNull)).isEqualTo(TRUE);
    assertThat(possible(compare(X, ComparisonOp.IS_NOT_DISTINCT, 30), ints(10, 20, 1)))
        .isEqualTo(FALSE);
  }

  @Test
  void whatIsNotKnownIsKept() {
    Facts nothing = new Facts();
    for (ComparisonOp op : ComparisonOp.values()) {
      assertThat(keeps(compare(X, op, 5), nothing)).isTrue();
      assertThat(keeps(new NotExpr(compare(X, op, 5)), nothing)).isTrue();
    }
    PhysicalExpr twoColumns = new ComparisonExpr(ComparisonOp.LT, X, Y);
    assertThat(possible(twoColumns, ints(1, 2, 0))).isEqualTo(Condition.ANY);
  }

  @Test
  void nanIsAboveEveryNumberAndOutsideTheBounds() {
    Facts facts = doubles(1.0, 1.0, -1);
    assertThat(keeps(compare(D, ComparisonOp.GT, 2.0), facts)).isTrue();
    assertThat(keeps(compare(D, ComparisonOp.NE, 1.0), facts)).isTrue();
    assertThat(keeps(new NotExpr(compare(D, ComparisonOp.LT, 10.0)), facts)).isTrue();
    assertThat(possible(compare(D, ComparisonOp.EQ, 1.0), facts)).isEqualTo(TRUE | FALSE);
    assertThat(keeps(compare(D, ComparisonOp.EQ, Double.NaN), facts)).isTrue();
    Facts counted = doubles(1.0, 1.0, 0);
    assertThat(keeps(compare(D, ComparisonOp.GT, 2.0), counted)).isFalse();
    assertThat(possible(compare(D, ComparisonOp.EQ, 1.0), counted)).isEqualTo(TRUE);
    Facts nanBounds = doubles(Double.NaN, Double.NaN, -1);
    assertThat(keeps(compare(D, ComparisonOp.LT, 0.0), nanBounds)).isTrue();
  }

  @Test
  void zerosAreOneValue() {
    Facts facts = doubles(0.0, 5.0, 0);
    assertThat(keeps(compare(D, ComparisonOp.EQ, -0.0), facts)).isTrue();
    assertThat(keeps(compare(D, ComparisonOp.LE, -0.0), facts)).isTrue();
    assertThat(keeps(compare(D, ComparisonOp.EQ, 0.0), doubles(-5.0, -0.0, 0))).isTrue();
    assertThat(keeps(compare(D, ComparisonOp.LT, 0.0), facts)).isFalse();
  }

  @Test
  void orIsNotAnd() {
    Facts facts = ints(1, 5, 0);
    PhysicalExpr no = compare(X, ComparisonOp.EQ, 9);
    PhysicalExpr maybe = compare(Y, ComparisonOp.EQ, 9);
    assertThat(keeps(new OrExpr(List.of(no, maybe)), facts)).isTrue();
    assertThat(keeps(new AndExpr(List.of(no, maybe)), facts)).isFalse();
    assertThat(keeps(new OrExpr(List.of(no, compare(X, ComparisonOp.GT, 7))), facts)).isFalse();
    assertThat(
            keeps(
                new OrExpr(List.of(compare(X, ComparisonOp.LT, 2), new IsNullExpr(X, false))),
                new Facts().with(0, facts(Bound.UNKNOWN, Bound.UNKNOWN, 10, 0))))
        .isTrue();
  }

  @Test
  void aBloomFilterRulesOutEqualityOnly() {
    Facts facts = ints(1, 100, 0).bloom(50);
    assertThat(keeps(compare(X, ComparisonOp.EQ, 50), facts)).isTrue();
    assertThat(keeps(compare(X, ComparisonOp.EQ, 51), facts)).isFalse();
    assertThat(keeps(compare(X, ComparisonOp.NE, 51), facts)).isTrue();
    assertThat(keeps(compare(X, ComparisonOp.GT, 51), facts)).isTrue();
    PhysicalExpr either =
        new OrExpr(List.of(compare(X, ComparisonOp.EQ, 51), compare(Y, ComparisonOp.EQ, 2)));
    assertThat(keeps(either, facts)).isTrue();
    assertThat(keeps(in(false, 51, 52), facts)).isFalse();
    assertThat(keeps(in(false, 51, 50), facts)).isTrue();
  }

  private static PhysicalExpr in(boolean negated, @Nullable Integer... values) {
    return new InListExpr(
        X,
        java.util.Arrays.stream(values)
            .<PhysicalExpr>map(v -> new LiteralExpr(v, DataType.INTEGER))
            .toList(),
        negated);
  }

  @Test
  void anInListNeedsAValueInTheRange() {
    Facts facts = ints(10, 20, 0);
    assertThat(possible(in(false, 1, 30), facts)).isEqualTo(FALSE);
    assertThat(keeps(in(false, 30, 15, 1), facts)).isTrue();
    assertThat(possible(in(true, 1, 30), facts)).isEqualTo(TRUE);
    assertThat(possible(in(false, 7, 1), ints(7, 7, 0))).isEqualTo(TRUE);
    assertThat(possible(in(true, 7, 1), ints(7, 7, 0))).isEqualTo(FALSE);
    assertThat(possible(in(true, 1, null), facts))
        .as("NOT IN with a null is never true")
        .isEqualTo(NULL);
    assertThat(possible(in(false, 1, null), facts)).isEqualTo(NULL);
  }

  private static PhysicalExpr like(String pattern) {
    return new LikeExpr(S, new LiteralExpr(pattern, DataType.VARCHAR), "\\", false, false);
  }

  @Test
  void likeKeepsWhatCanBeginWithThePrefix() {
    assertThat(keeps(like("foo%"), strings("fooa", "fooz"))).as("min above the prefix").isTrue();
    assertThat(keeps(like("foo%"), strings("a", "fon"))).isFalse();
    assertThat(keeps(like("foo%"), strings("fop", "z"))).isFalse();
    assertThat(keeps(like("foo%"), strings("a", "foo"))).isTrue();
    assertThat(keeps(new NotExpr(like("foo%")), strings("fooa", "foob"))).isFalse();
    assertThat(keeps(new NotExpr(like("foo%x")), strings("fooa", "foob"))).isTrue();
    assertThat(keeps(new NotExpr(like("aaa%")), strings("aaa", "aab"))).isTrue();
    assertThat(keeps(like("%x"), strings("a", "b"))).isTrue();
  }

  @Test
  void likeEscapesAreUndone() {
    assertThat(keeps(like("foo\\_%"), strings("foo_aaa", "foo_b"))).isTrue();
    assertThat(keeps(like("foo\\_%"), strings("fooXaaa", "fooXb"))).isFalse();
    assertThat(keeps(like("foo_%"), strings("fooXaaa", "fooXb"))).isTrue();
    assertThat(keeps(like("foo\\\\%"), strings("foo\\bar", "foo\\bar"))).isTrue();
  }

  @Test
  void theLastCodePointHasNoSuccessor() {
    byte[] top = "\uDBFF\uDFFF".getBytes(StandardCharsets.UTF_8);
    assertThat(Condition.Prefix.next(new byte[] {(byte) 0xff, (byte) 0xff})).isNull();
    EncodedKey next = Condition.Prefix.next(top);
    assertThat(next).isNotNull();
    assertThat(keeps(like("\uDBFF\uDFFF%"), strings("\uDBFF\uDFFFa", "\uDBFF\uDFFFb"))).isTrue();
  }

  @Test
  void aCutUpperBoundIsNoValue() {
    Facts cut = new Facts().with(0, facts(cut("aaaaaaaaaaaa"), cut("aaaaaaaaaaab"), 0, 0));
    assertThat(keeps(compare(S, ComparisonOp.GT, "a".repeat(12)), cut)).isTrue();
    assertThat(keeps(compare(S, ComparisonOp.NE, "a".repeat(12)), cut)).isTrue();
    assertThat(keeps(compare(S, ComparisonOp.EQ, "a".repeat(13)), cut)).isTrue();
  }

  @Test
  void booleanColumnsAreConditions() {
    Facts allTrue =
        new Facts()
            .with(0, facts(exact(DataType.BOOLEAN, true), exact(DataType.BOOLEAN, true), 0, 0));
    assertThat(possible(B, allTrue)).isEqualTo(TRUE);
    assertThat(possible(new NotExpr(B), allTrue)).isEqualTo(FALSE);
    assertThat(possible(new IsTrueExpr(B, false, false), allTrue)).isEqualTo(FALSE);
    assertThat(possible(new IsTrueExpr(B, false, true), allTrue)).isEqualTo(TRUE);
  }

  @Test
  void exactCastsCarryTheBoundsAlong() {
    PhysicalExpr wide = new CastExpr(X, DataType.BIGINT, false);
    assertThat(
            keeps(
                new ComparisonExpr(
                    ComparisonOp.EQ, wide, new LiteralExpr(5_000_000_000L, DataType.BIGINT)),
                ints(1, 3, 0)))
        .isFalse();
    PhysicalExpr decimal = new CastExpr(X, DataType.decimal(12, 2), false);
    LiteralExpr half = new LiteralExpr(new BigDecimal("2.50"), DataType.decimal(12, 2));
    assertThat(keeps(new ComparisonExpr(ComparisonOp.LT, decimal, half), ints(3, 9, 0))).isFalse();
    assertThat(keeps(new ComparisonExpr(ComparisonOp.LT, decimal, half), ints(2, 9, 0))).isTrue();
    ColumnExpr date = new ColumnExpr(0, "d", DataType.DATE, true);
    Facts days =
        new Facts()
            .with(
                0,
                facts(
                    exact(DataType.DATE, LocalDate.of(2020, 1, 1)),
                    exact(DataType.DATE, LocalDate.of(2020, 1, 31)),
                    0,
                    0));
    PhysicalExpr midnight = new CastExpr(date, DataType.TIMESTAMP, false);
    LiteralExpr noon = new LiteralExpr(LocalDateTime.of(2020, 1, 31, 12, 0), DataType.TIMESTAMP);
    assertThat(keeps(new ComparisonExpr(ComparisonOp.GT, midnight, noon), days)).isFalse();
    assertThat(keeps(new ComparisonExpr(ComparisonOp.LT, midnight, noon), days)).isTrue();
    PhysicalExpr text = new CastExpr(X, DataType.VARCHAR, false);
    assertThat(
            possible(
                new ComparisonExpr(ComparisonOp.EQ, text, new LiteralExpr("5", DataType.VARCHAR)),
                ints(7, 9, 0)))
        .as("text orders numbers by their digits")
        .isEqualTo(Condition.ANY);
  }

  @Test
  void decimalsOfTwoScalesAreComparedExactly() {
    ColumnExpr price = new ColumnExpr(0, "p", DataType.decimal(9, 2), true);
    Facts facts =
        new Facts()
            .with(
                0,
                facts(
                    exact(DataType.decimal(9, 2), new BigDecimal("6.59")),
                    exact(DataType.decimal(9, 2), new BigDecimal("6.59")),
                    0,
                    0));
    assertThat(possible(decimal(price, ComparisonOp.EQ, "6.59"), facts)).isEqualTo(TRUE);
    assertThat(possible(decimal(price, ComparisonOp.EQ, "6.5900"), facts)).isEqualTo(TRUE);
    assertThat(possible(decimal(price, ComparisonOp.EQ, "6.595"), facts)).isEqualTo(FALSE);
    assertThat(possible(decimal(price, ComparisonOp.LT, "6.595"), facts)).isEqualTo(TRUE);
    assertThat(possible(decimal(price, ComparisonOp.GT, "6"), facts)).isEqualTo(TRUE);
  }

  private static PhysicalExpr decimal(ColumnExpr column, ComparisonOp op, String value) {
    BigDecimal number = new BigDecimal(value);
    return new ComparisonExpr(
        op, column, new LiteralExpr(number, DataType.decimal(10, number.scale())));
  }
}
