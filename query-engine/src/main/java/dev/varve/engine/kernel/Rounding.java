package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Ways to round; as PostgreSQL does, "half away" rounds floating values half to even. */
public enum Rounding {
  HALF_AWAY(RoundingMode.HALF_UP),
  TRUNCATE(RoundingMode.DOWN),
  FLOOR(RoundingMode.FLOOR),
  CEILING(RoundingMode.CEILING);

  private final RoundingMode mode;

  Rounding(RoundingMode mode) {
    this.mode = mode;
  }

  public double apply(double value) {
    return switch (this) {
      case HALF_AWAY -> Math.rint(value);
      case TRUNCATE -> value < 0 ? Math.ceil(value) : Math.floor(value);
      case FLOOR -> Math.floor(value);
      case CEILING -> Math.ceil(value);
    };
  }

  /** A decimal column rounded to {@code digits} after the point, in {@code type}. */
  public Column decimal(Column column, int digits, DataType type) {
    return rounded(column, new int[] {digits}, 0, type);
  }

  /** A decimal column rounded to as many digits as {@code digits}, integers, says row by row. */
  public Column decimalTo(Column column, Column digits, DataType type) {
    IntColumn places = Flats.ints(digits);
    Int128Column values = Flats.int128s(column);
    byte[] valid = Masks.and(values, places);
    Column result = rounded(column, places.values(), places.offset(), type);
    return valid == result.validity()
        ? result
        : result.take(validRows(valid, result.length()), result.length());
  }

  private static int[] validRows(byte @Nullable [] valid, int n) {
    int[] rows = new int[n];
    for (int i = 0; i < n; i++) {
      rows[i] = valid != null && valid[i] == 0 ? -1 : i;
    }
    return rows;
  }

  /** {@code places} has one entry for all rows or one for each from {@code offset} on. */
  private Column rounded(Column column, int[] places, int offset, DataType type) {
    Int128Column values = Flats.int128s(column);
    int n = values.length();
    int scale = column.type().scale();
    byte[] valid = Masks.copy(values);
    long[] high = new long[n];
    long[] low = new long[n];
    boolean same = places.length == 1 && offset == 0;
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      int digits = Math.clamp(same ? places[0] : places[offset + i], -1000, scale);
      BigInteger unscaled =
          new BigDecimal(values.get(i), scale)
              .setScale(digits, mode)
              .setScale(type.scale(), RoundingMode.HALF_UP)
              .unscaledValue();
      if (unscaled.abs().compareTo(Int128.powerOfTen(type.precision())) >= 0) {
        throw NumberCasts.outOfRange(type, String.valueOf(column.value(i)));
      }
      high[i] = Int128.high(unscaled);
      low[i] = Int128.low(unscaled);
    }
    return DecimalArithmetic.narrowed(high, low, valid, type);
  }
}
