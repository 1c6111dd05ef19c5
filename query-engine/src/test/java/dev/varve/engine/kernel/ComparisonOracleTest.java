package dev.varve.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comparisons and IN lists of every type against one scalar order, in every encoding. */
class ComparisonOracleTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void comparesAsTheScalarOrderDoes(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    for (DataType type : RandomColumns.TYPES) {
      for (ComparisonOp op : ComparisonOp.values()) {
        for (int round = 0; round < 4; round++) {
          Column left = columns.column(type, 30, columns.encoding(), round % 2 == 0, true);
          Column right = columns.column(type, 30, columns.encoding(), round < 2, true);
          check(op, left, right, "seed " + seed);
        }
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void comparesDecimalsOfDifferentScalesByValue(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    List<DataType> decimals =
        List.of(
            DataType.decimal(5, 2),
            DataType.decimal(18, 0),
            DataType.decimal(18, 18),
            DataType.decimal(38, 0),
            DataType.decimal(38, 38));
    for (DataType a : decimals) {
      for (DataType b : decimals) {
        for (ComparisonOp op : ComparisonOp.values()) {
          Column left = columns.column(a, 10, columns.encoding(), true, true);
          Column right = columns.column(b, 10, columns.encoding(), true, true);
          check(op, left, right, "seed " + seed);
        }
      }
    }
  }

  private static void check(ComparisonOp op, Column left, Column right, String what) {
    BooleanColumn result = Comparisons.compare(op, left, right);
    for (int i = 0; i < left.length(); i++) {
      assertThat(result.value(i))
          .as("%s: %s %s %s", what, left.value(i), op.symbol(), right.value(i))
          .isEqualTo(oracle(op, left.value(i), right.value(i)));
    }
  }

  private static @Nullable Boolean oracle(ComparisonOp op, @Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      return switch (op) {
        case IS_DISTINCT -> (a == null) != (b == null);
        case IS_NOT_DISTINCT -> (a == null) == (b == null);
        default -> null;
      };
    }
    int order = order(a, b);
    return switch (op) {
      case EQ, IS_NOT_DISTINCT -> order == 0;
      case NE, IS_DISTINCT -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  /** NaN is the greatest, both zeros are equal, text is compared as unsigned bytes. */
  static int order(Object a, Object b) {
    return switch (a) {
      case Boolean x -> Boolean.compare(x, (Boolean) b);
      case Float x -> Double.compare(x + 0.0, (Float) b + 0.0);
      case Double x -> Double.compare(x + 0.0, (Double) b + 0.0);
      case BigDecimal x -> x.compareTo((BigDecimal) b);
      case Number x -> Long.compare(x.longValue(), ((Number) b).longValue());
      case LocalDate x -> x.compareTo((LocalDate) b);
      case LocalTime x -> x.compareTo((LocalTime) b);
      case LocalDateTime x -> x.compareTo((LocalDateTime) b);
      case Instant x -> x.compareTo((Instant) b);
      case Duration x -> x.compareTo((Duration) b);
      case Period x -> Long.compare(x.toTotalMonths(), ((Period) b).toTotalMonths());
      case String x ->
          Arrays.compareUnsigned(
              x.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
      case byte[] x -> Arrays.compareUnsigned(x, (byte[]) b);
      case UUID x -> Arrays.compareUnsigned(bytes(x), bytes((UUID) b));
      default -> throw new IllegalArgumentException(a.getClass().toString());
    };
  }

  private static byte[] bytes(UUID value) {
    return ByteBuffer.allocate(16)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void inListsAreOrsOfEqualities(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    for (DataType type : RandomColumns.TYPES) {
      for (int size : new int[] {1, 3, 20}) {
        boolean negated = columns.random().nextBoolean();
        Column list = columns.column(type, size, RandomColumns.Encoding.FLAT, size == 3, true);
        List<Column> literals = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          literals.add(list.take(new int[] {i}, 1));
        }
        InSet set = InSet.of(type, literals);
        Column probe = columns.column(type, 30, columns.encoding(), true, true);
        Column found = set.contains(probe, negated);
        for (int i = 0; i < probe.length(); i++) {
          assertThat(found.value(i))
              .as("seed %s: %s in %s", seed, probe.value(i), list)
              .isEqualTo(in(probe.value(i), list, negated));
        }
      }
    }
  }

  private static @Nullable Boolean in(@Nullable Object value, Column list, boolean negated) {
    if (value == null) {
      return null;
    }
    boolean hasNull = false;
    for (int i = 0; i < list.length(); i++) {
      Object item = list.value(i);
      hasNull |= item == null;
      if (item != null && order(value, item) == 0) {
        return !negated;
      }
    }
    return hasNull ? null : negated;
  }
}
