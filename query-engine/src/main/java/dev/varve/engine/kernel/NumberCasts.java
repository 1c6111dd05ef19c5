package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.PhysicalType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Casts among numbers and booleans. Floating values become integers rounded half to even, decimals
 * half away from zero; a floating value becomes the decimal that its shortest faithful digits name
 * (15 for doubles, 6 for reals), so that 39981.70 stays 39981.70.
 */
final class NumberCasts {
  private static final MathContext DOUBLE_DIGITS = new MathContext(15, RoundingMode.HALF_EVEN);
  private static final MathContext REAL_DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

  private NumberCasts() {}

  static Column cast(Column column, DataType type) {
    return switch (column.type().kind()) {
      case BOOLEAN -> fromLongs(booleansAsLongs(column), column.type(), type);
      case SMALLINT, INTEGER -> fromLongs(intsAsLongs(column), column.type(), type);
      case BIGINT -> fromLongs(Flats.longs(column), column.type(), type);
      case REAL, DOUBLE -> fromDoubles(Flats.widened(column), column.type(), type);
      case DECIMAL -> fromDecimals(column, type);
      default -> throw Casts.unsupported(column.type(), type);
    };
  }

  private static LongColumn booleansAsLongs(Column column) {
    BooleanColumn booleans = Flats.booleans(column);
    long[] out = new long[booleans.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = booleans.get(i);
    }
    return new LongColumn(DataType.BIGINT, out, Masks.copy(booleans));
  }

  private static LongColumn intsAsLongs(Column column) {
    IntColumn ints = Flats.ints(column);
    int[] values = ints.values();
    int offset = ints.offset();
    long[] out = new long[ints.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = values[offset + i];
    }
    return new LongColumn(DataType.BIGINT, out, Masks.copy(ints));
  }

  private static Column fromLongs(LongColumn column, DataType from, DataType type) {
    int n = column.length();
    long[] values = column.values();
    int offset = column.offset();
    byte[] valid = Masks.copy(column);
    return switch (type.kind()) {
      case BOOLEAN -> {
        byte[] out = new byte[n];
        for (int i = 0; i < n; i++) {
          out[i] = (byte) (values[offset + i] != 0 ? 1 : 0);
        }
        yield new BooleanColumn(type, out, valid);
      }
      case SMALLINT, INTEGER -> {
        int[] out = new int[n];
        boolean small = type.kind() == TypeKind.SMALLINT;
        long bad = 0;
        for (int i = 0; i < n; i++) {
          long x = values[offset + i];
          out[i] = (int) x;
          long excess = x ^ (small ? (short) x : (int) x);
          bad |= valid == null ? excess : excess & -(long) valid[i];
        }
        if (bad != 0) {
          for (int i = 0; i < n; i++) {
            long x = values[offset + i];
            if ((valid == null || valid[i] != 0) && x != (small ? (short) x : (int) x)) {
              throw outOfRange(type, Long.toString(x));
            }
          }
        }
        yield new IntColumn(type, out, valid);
      }
      case BIGINT -> {
        long[] out = new long[n];
        System.arraycopy(values, offset, out, 0, n);
        yield new LongColumn(type, out, valid);
      }
      case REAL -> {
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
          out[i] = values[offset + i];
        }
        yield new FloatColumn(type, out, valid);
      }
      case DOUBLE -> {
        double[] out = new double[n];
        for (int i = 0; i < n; i++) {
          out[i] = values[offset + i];
        }
        yield new DoubleColumn(type, out, valid);
      }
      case DECIMAL -> longsToDecimal(values, offset, n, valid, type);
      default -> throw Casts.unsupported(from, type);
    };
  }

  private static Column longsToDecimal(
      long[] values, int offset, int n, byte @Nullable [] valid, DataType type) {
    int scale = type.scale();
    int whole = type.precision() - scale;
    if (whole < 19) {
      long limit = Int128.longPowerOfTen(whole) - 1;
      for (int i = 0; i < n; i++) {
        long x = values[offset + i];
        if ((x > limit || x < -limit) && (valid == null || valid[i] != 0)) {
          throw outOfRange(type, Long.toString(x));
        }
      }
    }
    if (type.physical() == PhysicalType.LONG) {
      long factor = Int128.longPowerOfTen(scale);
      long[] out = new long[n];
      for (int i = 0; i < n; i++) {
        out[i] = values[offset + i] * factor;
      }
      return new LongColumn(type, out, valid);
    }
    long[] high = new long[n];
    long[] low = new long[n];
    System.arraycopy(values, offset, low, 0, n);
    for (int i = 0; i < n; i++) {
      high[i] = low[i] >> 63;
    }
    return Int128.rescaledUp(new Int128Column(type, high, low, valid), scale);
  }

  private static Column fromDoubles(DoubleColumn column, DataType from, DataType type) {
    int n = column.length();
    double[] values = column.values();
    int offset = column.offset();
    byte[] valid = Masks.copy(column);
    switch (type.kind()) {
      case BOOLEAN -> {
        byte[] out = new byte[n];
        for (int i = 0; i < n; i++) {
          out[i] = (byte) (values[offset + i] != 0 ? 1 : 0);
        }
        return new BooleanColumn(type, out, valid);
      }
      case SMALLINT, INTEGER -> {
        double low = type.kind() == TypeKind.SMALLINT ? Short.MIN_VALUE : Integer.MIN_VALUE;
        double high = type.kind() == TypeKind.SMALLINT ? Short.MAX_VALUE : Integer.MAX_VALUE;
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
          double rounded = Math.rint(values[offset + i]);
          out[i] = (int) rounded;
          if (!(rounded >= low && rounded <= high) && (valid == null || valid[i] != 0)) {
            throw outOfRange(type, text(values[offset + i], from));
          }
        }
        return new IntColumn(type, out, valid);
      }
      case BIGINT -> {
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
          double rounded = Math.rint(values[offset + i]);
          out[i] = (long) rounded;
          if (!(rounded >= -0x1p63 && rounded < 0x1p63) && (valid == null || valid[i] != 0)) {
            throw outOfRange(type, text(values[offset + i], from));
          }
        }
        return new LongColumn(type, out, valid);
      }
      case REAL -> {
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
          double x = values[offset + i];
          float y = (float) x;
          out[i] = y;
          boolean lost = (Float.isInfinite(y) && !Double.isInfinite(x)) || (y == 0 && x != 0);
          if (lost && (valid == null || valid[i] != 0)) {
            throw outOfRange(type, text(x, from));
          }
        }
        return new FloatColumn(type, out, valid);
      }
      case DOUBLE -> {
        double[] out = new double[n];
        System.arraycopy(values, offset, out, 0, n);
        return new DoubleColumn(type, out, valid);
      }
      case DECIMAL -> {
        MathContext digits = from.kind() == TypeKind.REAL ? REAL_DIGITS : DOUBLE_DIGITS;
        long[] high = new long[n];
        long[] low = new long[n];
        for (int i = 0; i < n; i++) {
          if (valid != null && valid[i] == 0) {
            continue;
          }
          double x = values[offset + i];
          if (Double.isNaN(x) || Double.isInfinite(x)) {
            throw outOfRange(type, text(x, from));
          }
          BigInteger unscaled =
              new BigDecimal(x)
                  .round(digits)
                  .setScale(type.scale(), RoundingMode.HALF_UP)
                  .unscaledValue();
          if (unscaled.abs().compareTo(Int128.powerOfTen(type.precision())) >= 0) {
            throw outOfRange(type, text(x, from));
          }
          high[i] = Int128.high(unscaled);
          low[i] = Int128.low(unscaled);
        }
        return DecimalArithmetic.narrowed(high, low, valid, type);
      }
      default -> throw Casts.unsupported(from, type);
    }
  }

  private static String text(double value, DataType from) {
    return from.kind() == TypeKind.REAL
        ? TextFormat.formatReal((float) value)
        : TextFormat.formatDouble(value);
  }

  private static Column fromDecimals(Column column, DataType type) {
    DataType from = column.type();
    int n = column.length();
    switch (type.kind()) {
      case DECIMAL -> {
        return rescale(column, type);
      }
      case SMALLINT, INTEGER, BIGINT -> {
        return decimalsToIntegers(column, type);
      }
      case DOUBLE -> {
        return new DoubleColumn(type, decimalsToDoubles(column), Masks.copy(column.flat()));
      }
      case REAL -> {
        double[] doubles = decimalsToDoubles(column);
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
          out[i] = (float) doubles[i];
        }
        return new FloatColumn(type, out, Masks.copy(column.flat()));
      }
      case BOOLEAN -> {
        Int128Column wide = Flats.int128s(column);
        byte[] out = new byte[n];
        for (int i = 0; i < n; i++) {
          long any = wide.high()[wide.offset() + i] | wide.low()[wide.offset() + i];
          out[i] = (byte) (any != 0 ? 1 : 0);
        }
        return new BooleanColumn(type, out, Masks.copy(wide));
      }
      default -> throw Casts.unsupported(from, type);
    }
  }

  private static double[] decimalsToDoubles(Column column) {
    int scale = column.type().scale();
    double[] out = new double[column.length()];
    if (column.flat() instanceof LongColumn narrow) {
      // Both exact in a double, so the quotient is the nearest one.
      double divisor = Int128.longPowerOfTen(scale);
      for (int i = 0; i < out.length; i++) {
        long x = narrow.get(i);
        out[i] = Math.abs(x) <= 1L << 53 ? x / divisor : BigDecimal.valueOf(x, scale).doubleValue();
      }
      return out;
    }
    Int128Column wide = Flats.int128s(column);
    for (int i = 0; i < out.length; i++) {
      out[i] = wide.isNull(i) ? 0 : new BigDecimal(wide.get(i), scale).doubleValue();
    }
    return out;
  }

  private static Column decimalsToIntegers(Column column, DataType type) {
    DataType whole = DataType.decimal(DataType.MAX_DECIMAL_PRECISION, 0);
    Int128Column rounded = Flats.int128s(rescale(column, whole));
    int n = column.length();
    long[] out = new long[n];
    byte[] valid = Masks.copy(rounded);
    for (int i = 0; i < n; i++) {
      long high = rounded.high()[rounded.offset() + i];
      out[i] = rounded.low()[rounded.offset() + i];
      if (!Int128.fitsLong(high, out[i]) && (valid == null || valid[i] != 0)) {
        throw outOfRange(type, String.valueOf(column.value(i)));
      }
    }
    return fromLongs(new LongColumn(DataType.BIGINT, out, valid), column.type(), type);
  }

  /** To another precision and scale, rounded half away from zero. */
  static Column rescale(Column column, DataType type) {
    DataType from = column.type();
    int up = type.scale() - from.scale();
    int n = column.length();
    if (column.flat() instanceof LongColumn narrow
        && type.physical() == PhysicalType.LONG
        && (up <= 0 || from.precision() + up <= DataType.MAX_LONG_PRECISION)) {
      return rescaleNarrow(narrow, up, type);
    }
    Int128Column wide = Flats.int128s(column);
    byte[] valid = Masks.copy(wide);
    if (up >= 0 && from.precision() + up <= DataType.MAX_DECIMAL_PRECISION) {
      Int128Column scaled = Int128.rescaledUp(wide, up);
      long[] high = new long[n];
      long[] low = new long[n];
      System.arraycopy(scaled.high(), scaled.offset(), high, 0, n);
      System.arraycopy(scaled.low(), scaled.offset(), low, 0, n);
      if (from.precision() + up > type.precision()) {
        for (int i = 0; i < n; i++) {
          if (!Int128.fits(high[i], low[i], type.precision()) && (valid == null || valid[i] != 0)) {
            throw outOfRange(type, String.valueOf(column.value(i)));
          }
        }
      }
      return DecimalArithmetic.narrowed(high, low, valid, type);
    }
    long[] high = new long[n];
    long[] low = new long[n];
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      BigInteger unscaled =
          new BigDecimal(wide.get(i), from.scale())
              .setScale(type.scale(), RoundingMode.HALF_UP)
              .unscaledValue();
      if (unscaled.abs().compareTo(Int128.powerOfTen(type.precision())) >= 0) {
        throw outOfRange(type, String.valueOf(column.value(i)));
      }
      high[i] = Int128.high(unscaled);
      low[i] = Int128.low(unscaled);
    }
    return DecimalArithmetic.narrowed(high, low, valid, type);
  }

  private static Column rescaleNarrow(LongColumn column, int up, DataType type) {
    int n = column.length();
    long[] values = column.values();
    int offset = column.offset();
    byte[] valid = Masks.copy(column);
    long limit = Int128.longPowerOfTen(type.precision()) - 1;
    long[] out = new long[n];
    long bad = 0;
    if (up >= 0) {
      long factor = Int128.longPowerOfTen(up);
      for (int i = 0; i < n; i++) {
        long r = values[offset + i] * factor;
        out[i] = r;
        long excess = limit - Math.abs(r);
        bad |= valid == null ? excess : excess & -(long) valid[i];
      }
    } else {
      long divisor = Int128.longPowerOfTen(-up);
      long half = divisor / 2;
      for (int i = 0; i < n; i++) {
        long x = values[offset + i];
        long r = (x + (x < 0 ? -half : half)) / divisor;
        out[i] = r;
        long excess = limit - Math.abs(r);
        bad |= valid == null ? excess : excess & -(long) valid[i];
      }
    }
    if (bad < 0) {
      for (int i = 0; i < n; i++) {
        if ((valid == null || valid[i] != 0) && Math.abs(out[i]) > limit) {
          throw outOfRange(type, String.valueOf(column.value(i)));
        }
      }
    }
    return new LongColumn(type, out, valid);
  }

  static VarveException outOfRange(DataType type, String value) {
    return new VarveException(ErrorCode.NUMERIC_OUT_OF_RANGE, type + " out of range: " + value);
  }
}
