package dev.varve.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Casts: there and back through text, numbers against big decimals, safe ones against strict. */
class CastOracleTest {
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
  private static final List<DataType> NUMBERS =
      RandomColumns.TYPES.stream().filter(DataType::isNumeric).toList();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyValueSurvivesItsText(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    for (DataType type : RandomColumns.TYPES) {
      Column column = columns.column(type, 50, columns.encoding(), true, true);
      Column text = Casts.cast(column, DataType.VARCHAR, false, ZONE);
      Column back = Casts.cast(text, type, false, ZONE);
      for (int i = 0; i < column.length(); i++) {
        assertThat(back.value(i)).as("seed %s: %s", seed, text.value(i)).isEqualTo(column.value(i));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void numbersRoundAndFailAsBigDecimalsSay(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    for (DataType from : NUMBERS) {
      for (DataType to : NUMBERS) {
        for (int i = 0; i < 10; i++) {
          Column column = columns.column(from, 1, columns.encoding(), i == 0, i % 2 == 0);
          Object expected = oracle(column.value(0), from, to);
          Object actual;
          try {
            Column cast = Casts.cast(column, to, false, ZONE);
            actual = cast.value(0);
          } catch (VarveException e) {
            actual = "error";
            assertThat(Casts.fallible(from, to)).as("%s to %s is fallible", from, to).isTrue();
          }
          assertThat(actual)
              .as("seed %s: %s from %s to %s", seed, column.value(0), from, to)
              .isEqualTo(expected);
        }
      }
    }
  }

  /** Float to integer half to even, decimal half away; a float's decimal has 15 or 6 digits. */
  private static @Nullable Object oracle(@Nullable Object value, DataType from, DataType to) {
    if (value == null) {
      return null;
    }
    double number = ((Number) value).doubleValue();
    if (to.kind() == TypeKind.DOUBLE) {
      return number;
    }
    if (to.kind() == TypeKind.REAL) {
      if (from.isFloating()) {
        float narrow = (float) number;
        boolean lost =
            (Float.isInfinite(narrow) && !Double.isInfinite(number))
                || (narrow == 0 && number != 0);
        return lost ? "error" : narrow;
      }
      return value instanceof BigDecimal ? (float) number : (float) ((Number) value).longValue();
    }
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return "error";
    }
    BigDecimal exact =
        from.isFloating() ? new BigDecimal(number) : new BigDecimal(value.toString());
    if (to.isDecimal()) {
      if (from.isFloating()) {
        exact =
            exact.round(
                new MathContext(from.kind() == TypeKind.REAL ? 6 : 15, RoundingMode.HALF_EVEN));
      }
      BigDecimal result = exact.setScale(to.scale(), RoundingMode.HALF_UP);
      return result.precision() > to.precision() ? "error" : result;
    }
    BigDecimal whole =
        exact.setScale(0, from.isFloating() ? RoundingMode.HALF_EVEN : RoundingMode.HALF_UP);
    try {
      return switch (to.kind()) {
        case SMALLINT -> (Object) whole.shortValueExact();
        case INTEGER -> whole.intValueExact();
        default -> whole.longValueExact();
      };
    } catch (ArithmeticException e) {
      return "error";
    }
  }

  @Test
  void aSafeCastIsNullOnlyWhereTheStrictOneFails() {
    RandomColumns columns = new RandomColumns(42);
    for (DataType to : RandomColumns.TYPES) {
      if (to.equals(DataType.VARCHAR)) {
        continue;
      }
      Column text = columns.column(DataType.VARCHAR, 40, RandomColumns.Encoding.SLICED, true, true);
      Column safe = Casts.cast(text, to, true, ZONE);
      for (int i = 0; i < text.length(); i++) {
        Object strict;
        try {
          strict = Casts.cast(text.slice(i, 1), to, false, ZONE).value(0);
        } catch (VarveException e) {
          strict = null;
        }
        assertThat(safe.value(i)).as("%s as %s", text.value(i), to).isEqualTo(strict);
      }
    }
  }

  @Test
  void entriesOfADictionaryThatNoRowHasCannotFail() {
    Column dictionary =
        ColumnBuilder.of(DataType.VARCHAR, 2).append("1").append("not a number").build();
    Column column =
        new DictionaryColumn(dictionary, new int[] {0, 1, 0}, 0, 3, new byte[] {1, 0, 1});
    Column cast = Casts.cast(column, DataType.INTEGER, false, ZONE);
    assertThat(cast.value(0)).isEqualTo(1);
    assertThat(cast.value(1)).isNull();
    assertThat(cast.value(2)).isEqualTo(1);
  }
}
