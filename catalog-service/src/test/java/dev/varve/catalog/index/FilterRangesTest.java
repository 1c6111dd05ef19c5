package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.ColumnRange;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;

/** What filters of other engines say of columns. */
class FilterRangesTest {
  private static final Schema SCHEMA =
      new Schema(
          NestedField.optional(1, "k", Types.LongType.get()),
          NestedField.optional(2, "x", Types.DoubleType.get()),
          NestedField.optional(3, "s", Types.StringType.get()),
          NestedField.optional(
              4, "in", Types.StructType.of(NestedField.optional(5, "a", Types.IntegerType.get()))));

  private static Map<Integer, Type> types() {
    Map<Integer, Type> types = new HashMap<>();
    SCHEMA.columns().forEach(column -> types.put(column.fieldId(), column.type()));
    return types;
  }

  private static Optional<List<ColumnRange>> ranges(Expression filter) {
    return FilterRanges.of(
        types(), Binder.bind(SCHEMA.asStruct(), Expressions.rewriteNot(filter), true));
  }

  private static ColumnRange one(Expression filter) {
    return ranges(filter).orElseThrow().getFirst();
  }

  private static Optional<EncodedKey> key(long value) {
    return Optional.of(KeyEncoding.encodeLong(value));
  }

  @Test
  void endsAreClosedAndNullsAreOutside() {
    assertThat(one(Expressions.lessThan("k", 5L)))
        .isEqualTo(new ColumnRange(1, Optional.empty(), key(5), false));
    assertThat(one(Expressions.not(Expressions.lessThan("k", 5L))))
        .isEqualTo(new ColumnRange(1, key(5), Optional.empty(), false));
    assertThat(one(Expressions.and(Expressions.greaterThan("k", 1L), Expressions.equal("k", 7L))))
        .isEqualTo(new ColumnRange(1, key(7), key(7), false));
    assertThat(one(Expressions.notNull("k")))
        .isEqualTo(new ColumnRange(1, Optional.empty(), Optional.empty(), false));
  }

  @Test
  void whatHasNoRangeRestrictsNothing() {
    for (Expression filter :
        List.of(
            Expressions.alwaysTrue(),
            Expressions.isNull("k"),
            Expressions.notEqual("k", 1L),
            Expressions.notIn("k", 1L, 2L),
            Expressions.notStartsWith("s", "a"),
            Expressions.notNaN("x"),
            Expressions.equal("in.a", 1),
            Expressions.equal(Expressions.bucket("k", 4), 1),
            Expressions.or(Expressions.equal("k", 1L), Expressions.isNull("x")),
            Expressions.or(Expressions.equal("k", 1L), Expressions.equal("s", "a")))) {
      assertThat(ranges(filter).orElseThrow()).as(filter.toString()).isEmpty();
    }
    assertThat(ranges(Expressions.alwaysFalse())).isEmpty();
  }

  @Test
  void eitherOfTwoRangesIsWhatEnclosesBoth() {
    assertThat(one(Expressions.or(Expressions.equal("k", 9L), Expressions.lessThan("k", 2L))))
        .isEqualTo(new ColumnRange(1, Optional.empty(), key(9), false));
    assertThat(one(Expressions.or(Expressions.in("k", 4L, 1L), Expressions.in("k", 9L, 4L))))
        .isEqualTo(ColumnRange.of(1, List.of(key(1).get(), key(4).get(), key(9).get()), false));
    assertThat(ranges(Expressions.or(Expressions.alwaysFalse(), Expressions.in("k", 3L, 4L))))
        .isEqualTo(ranges(Expressions.in("k", 3L, 4L)));
  }

  @Test
  void valuesWithinARangeStayValues() {
    ColumnRange range =
        one(Expressions.and(Expressions.in("k", 10L, 1L, 5L), Expressions.greaterThan("k", 4L)));
    assertThat(range.lower()).isEqualTo(key(4));
    assertThat(range.meets(key(6), key(9))).isFalse();
    assertThat(range.meets(key(5), key(5))).isTrue();
    assertThat(range.meets(key(1), key(1))).isFalse();
  }

  @Test
  void bothZerosAreOneAndNaNHasNoEnd() {
    assertThat(one(Expressions.equal("x", -0.0)).lower())
        .isEqualTo(Optional.of(KeyEncoding.encodeDouble(0.0)));
    ColumnRange above = one(Expressions.greaterThan("x", 1.0));
    assertThat(above.upper()).as("NaN is above").isEmpty();
    assertThat(one(Expressions.isNaN("x")).lower()).isEmpty();
  }

  @Test
  void aPrefixEnclosesEveryStringThatBeginsWithIt() {
    ColumnRange range = one(Expressions.startsWith("s", "ab"));
    for (String inside : List.of("ab", "abc", "ab\uffff", "ab\ud83d\ude00")) {
      Optional<EncodedKey> key = string(inside);
      assertThat(range.meets(key, key)).as(inside).isTrue();
    }
    for (String outside : List.of("aa", "ac", "b", "")) {
      Optional<EncodedKey> key = string(outside);
      assertThat(range.meets(key, key)).as(outside).isFalse();
    }
  }

  private static Optional<EncodedKey> string(String value) {
    return Optional.of(KeyEncoding.encodeValue(KeyType.STRING, value));
  }

  @Test
  void aColumnThatOnceHadAnotherTypeGivesNone() {
    Map<Integer, Type> now = types();
    now.put(1, Types.TimestampType.withoutZone());
    Expression filter = Binder.bind(SCHEMA.asStruct(), Expressions.greaterThan("k", 5L), true);
    assertThat(FilterRanges.of(now, filter).orElseThrow()).isEmpty();
    now.put(1, Types.IntegerType.get());
    assertThat(FilterRanges.of(now, filter).orElseThrow()).hasSize(1);
  }
}
