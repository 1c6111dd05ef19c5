package dev.varve.bench.result;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import java.util.HexFormat;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** One value of a result, so that those of two engines compare. */
final class Cell {
  /** Averages and quotients of decimals are doubles in DuckDB. */
  private static final double TOLERANCE = 1e-6;

  private Cell() {}

  /** A BigDecimal, a Double, a text, or null. */
  static @Nullable Object of(FieldVector vector, int row) {
    if (vector instanceof DateDayVector days) {
      return days.isNull(row) ? null : LocalDate.ofEpochDay(days.get(row)).toString();
    }
    return switch (vector.getObject(row)) {
      case null -> null;
      case Float value -> value.doubleValue();
      case Double value -> value;
      case BigDecimal value -> value;
      case BigInteger value -> new BigDecimal(value);
      case Number value -> BigDecimal.valueOf(value.longValue());
      case byte[] value -> HexFormat.of().formatHex(value);
      case Duration value -> value.toString();
      case Period value -> value.toString();
      case Object value -> value.toString();
    };
  }

  /** Exact numbers by value, a double to six digits, everything else by its text. */
  static boolean same(@Nullable Object ours, @Nullable Object theirs) {
    if (ours == null || theirs == null) {
      return ours == theirs;
    }
    if (ours instanceof BigDecimal a && theirs instanceof BigDecimal b) {
      return a.compareTo(b) == 0;
    }
    if (ours instanceof Number a && theirs instanceof Number b) {
      double x = a.doubleValue();
      double y = b.doubleValue();
      return Double.compare(x, y) == 0 || Math.abs(x - y) <= TOLERANCE * Math.max(1, Math.abs(y));
    }
    return ours.equals(theirs);
  }

  /** A text that is the same for values that are the same, but for doubles of more digits. */
  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "NULL";
      case BigDecimal number ->
          number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
      case Object other -> other.toString();
    };
  }
}
