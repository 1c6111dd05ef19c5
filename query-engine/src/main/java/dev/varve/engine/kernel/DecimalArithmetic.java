package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.PhysicalType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * DECIMAL arithmetic on unscaled values. Where operands and result have 18 digits it stays in
 * longs; products of two longs are exact in 128 bits; sums of wide values carry. What these do not
 * cover (division with more digits, results cut to fewer decimals, factors beyond 64 bits) goes row
 * by row through big integers. Rounding is half away from zero.
 */
final class DecimalArithmetic {
  private DecimalArithmetic() {}

  static Column apply(ArithmeticOp op, Column leftColumn, Column rightColumn, DataType type) {
    if ((op == ArithmeticOp.ADD || op == ArithmeticOp.SUBTRACT)
        && staysNarrow(leftColumn.type(), rightColumn.type(), type)) {
      long sign = op == ArithmeticOp.ADD ? 1 : -1;
      long leftFactor = Int128.longPowerOfTen(type.scale() - leftColumn.type().scale());
      long rightFactor = sign * Int128.longPowerOfTen(type.scale() - rightColumn.type().scale());
      if (leftColumn instanceof ConstantColumn constant) {
        long k = Flats.longs(constant.single()).get(0) * leftFactor;
        return addConstant(
            op, k, Flats.longs(rightColumn), rightFactor, leftColumn, rightColumn, type);
      }
      if (rightColumn instanceof ConstantColumn constant) {
        long k = Flats.longs(constant.single()).get(0) * rightFactor;
        return addConstant(
            op, k, Flats.longs(leftColumn), leftFactor, leftColumn, rightColumn, type);
      }
    }
    Column left = leftColumn.flat();
    Column right = rightColumn.flat();
    byte[] valid = Masks.and(left, right);
    boolean narrowOperands =
        left.type().physical() == PhysicalType.LONG && right.type().physical() == PhysicalType.LONG;
    int scale = type.scale();
    int leftUp = scale - left.type().scale();
    int rightUp = scale - right.type().scale();
    return switch (op) {
      case ADD, SUBTRACT -> {
        if (leftUp < 0 || rightUp < 0) {
          yield exactly(op, left, right, valid, type);
        }
        boolean narrow = staysNarrow(left.type(), right.type(), type);
        if (narrow) {
          yield addNarrow(
              op, Flats.longs(leftColumn), leftUp, Flats.longs(rightColumn), rightUp, valid, type);
        }
        boolean wide =
            left.type().precision() + leftUp <= DataType.MAX_DECIMAL_PRECISION
                && right.type().precision() + rightUp <= DataType.MAX_DECIMAL_PRECISION;
        yield wide
            ? addWide(op, left, leftUp, right, rightUp, valid, type)
            : exactly(op, left, right, valid, type);
      }
      case MULTIPLY -> {
        if (left.type().scale() + right.type().scale() != scale) {
          yield exactly(op, left, right, valid, type);
        }
        boolean narrow =
            narrowOperands
                && left.type().precision() + right.type().precision() <= DataType.MAX_LONG_PRECISION
                && type.physical() == PhysicalType.LONG;
        yield narrow
            ? multiplyNarrow(Flats.longs(leftColumn), Flats.longs(rightColumn), valid, type)
            : multiplyWide(left, right, valid, type);
      }
      case DIVIDE, MODULO ->
          narrowOperands
              ? divideNarrow(op, Flats.longs(leftColumn), Flats.longs(rightColumn), valid, type)
              : exactly(op, left, right, valid, type);
    };
  }

  /** Whether a sum's operands, brought to its scale, and the sum itself are longs. */
  private static boolean staysNarrow(DataType left, DataType right, DataType type) {
    int leftUp = type.scale() - left.scale();
    int rightUp = type.scale() - right.scale();
    return left.physical() == PhysicalType.LONG
        && right.physical() == PhysicalType.LONG
        && type.physical() == PhysicalType.LONG
        && leftUp >= 0
        && rightUp >= 0
        && left.precision() + leftUp <= DataType.MAX_LONG_PRECISION
        && right.precision() + rightUp <= DataType.MAX_LONG_PRECISION;
  }

  /** {@code k + factor * value}, a constant that is not null being one of both operands. */
  private static LongColumn addConstant(
      ArithmeticOp op,
      long k,
      LongColumn column,
      long factor,
      Column left,
      Column right,
      DataType type) {
    int n = column.length();
    long[] values = column.values();
    int offset = column.offset();
    byte[] valid = Masks.copy(column);
    long limit = Int128.longPowerOfTen(type.precision()) - 1;
    long[] out = new long[n];
    if (factor == 1) {
      for (int i = 0; i < n; i++) {
        out[i] = k + values[offset + i];
      }
    } else if (factor == -1) {
      for (int i = 0; i < n; i++) {
        out[i] = k - values[offset + i];
      }
    } else {
      for (int i = 0; i < n; i++) {
        out[i] = k + factor * values[offset + i];
      }
    }
    long bad = 0;
    for (int i = 0; i < n; i++) {
      long excess = limit - Math.abs(out[i]);
      bad |= valid == null ? excess : excess & -(long) valid[i];
    }
    if (bad < 0) {
      throw failure(op, left, right, valid, type);
    }
    return new LongColumn(type, out, valid);
  }

  private static LongColumn addNarrow(
      ArithmeticOp op,
      LongColumn left,
      int leftUp,
      LongColumn right,
      int rightUp,
      byte @Nullable [] valid,
      DataType type) {
    int n = left.length();
    long[] a = left.values();
    long[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    long fa = Int128.longPowerOfTen(leftUp);
    long fb =
        op == ArithmeticOp.ADD ? Int128.longPowerOfTen(rightUp) : -Int128.longPowerOfTen(rightUp);
    long limit = Int128.longPowerOfTen(type.precision()) - 1;
    long[] out = new long[n];
    long bad = 0;
    for (int i = 0; i < n; i++) {
      long r = a[ao + i] * fa + b[bo + i] * fb;
      out[i] = r;
      long excess = limit - Math.abs(r);
      bad |= valid == null ? excess : excess & -(long) valid[i];
    }
    if (bad < 0) {
      throw failure(op, left, right, valid, type);
    }
    return new LongColumn(type, out, valid);
  }

  private static Column addWide(
      ArithmeticOp op,
      Column left,
      int leftUp,
      Column right,
      int rightUp,
      byte @Nullable [] valid,
      DataType type) {
    Int128Column a = Int128.rescaledUp(Flats.int128s(left), leftUp);
    Int128Column b = Int128.rescaledUp(Flats.int128s(right), rightUp);
    int n = a.length();
    long[] ah = a.high();
    long[] al = a.low();
    long[] bh = b.high();
    long[] bl = b.low();
    int ao = a.offset();
    int bo = b.offset();
    long[] high = new long[n];
    long[] low = new long[n];
    boolean add = op == ArithmeticOp.ADD;
    int precision = type.precision();
    boolean bad = false;
    for (int i = 0; i < n; i++) {
      long x = al[ao + i];
      long y = bl[bo + i];
      long l;
      long h;
      if (add) {
        l = x + y;
        h = ah[ao + i] + bh[bo + i] + (Long.compareUnsigned(l, x) < 0 ? 1 : 0);
      } else {
        l = x - y;
        h = ah[ao + i] - bh[bo + i] - (Long.compareUnsigned(x, y) < 0 ? 1 : 0);
      }
      // Two values of 38 digits cannot leave 128 bits.
      high[i] = h;
      low[i] = l;
      bad |= !Int128.fits(h, l, precision) && (valid == null || valid[i] != 0);
    }
    if (bad) {
      throw failure(op, left, right, valid, type);
    }
    return narrowed(high, low, valid, type);
  }

  private static LongColumn multiplyNarrow(
      LongColumn left, LongColumn right, byte @Nullable [] valid, DataType type) {
    int n = left.length();
    long[] a = left.values();
    long[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    long limit = Int128.longPowerOfTen(type.precision()) - 1;
    long[] out = new long[n];
    long bad = 0;
    for (int i = 0; i < n; i++) {
      long r = a[ao + i] * b[bo + i];
      out[i] = r;
      long excess = limit - Math.abs(r);
      bad |= valid == null ? excess : excess & -(long) valid[i];
    }
    if (bad < 0) {
      throw failure(ArithmeticOp.MULTIPLY, left, right, valid, type);
    }
    return new LongColumn(type, out, valid);
  }

  private static Column multiplyWide(
      Column left, Column right, byte @Nullable [] valid, DataType type) {
    long[] x = Int128.longs(left);
    long[] y = x == null ? null : Int128.longs(right);
    return x == null || y == null
        ? multiplyAnyWidth(left, right, valid, type)
        : multiplyLongs(x, left, y, right, valid, type);
  }

  /** The product of two longs has less than 38 digits, so that only a shorter type can be left. */
  private static Column multiplyLongs(
      long[] x, Column left, long[] y, Column right, byte @Nullable [] valid, DataType type) {
    int n = left.length();
    int xo = left.offset();
    int yo = right.offset();
    long[] high = new long[n];
    long[] low = new long[n];
    for (int i = 0; i < n; i++) {
      long a = x[xo + i];
      long b = y[yo + i];
      high[i] = Math.multiplyHigh(a, b);
      low[i] = a * b;
    }
    int digits = left.type().precision() + right.type().precision();
    int precision = type.precision();
    if (precision < Math.min(digits, DataType.MAX_DECIMAL_PRECISION)) {
      boolean bad = false;
      for (int i = 0; i < n; i++) {
        bad |= !Int128.fits(high[i], low[i], precision) && (valid == null || valid[i] != 0);
      }
      if (bad) {
        throw failure(ArithmeticOp.MULTIPLY, left, right, valid, type);
      }
    }
    return narrowed(high, low, valid, type);
  }

  private static Column multiplyAnyWidth(
      Column left, Column right, byte @Nullable [] valid, DataType type) {
    Int128Column a = Flats.int128s(left);
    Int128Column b = Flats.int128s(right);
    int n = a.length();
    long[] ah = a.high();
    long[] al = a.low();
    long[] bh = b.high();
    long[] bl = b.low();
    int ao = a.offset();
    int bo = b.offset();
    long[] high = new long[n];
    long[] low = new long[n];
    int precision = type.precision();
    boolean bad = false;
    for (int i = 0; i < n; i++) {
      long x = al[ao + i];
      long y = bl[bo + i];
      boolean xNarrow = Int128.fitsLong(ah[ao + i], x);
      boolean yNarrow = Int128.fitsLong(bh[bo + i], y);
      boolean fits;
      if (xNarrow && yNarrow) {
        high[i] = Math.multiplyHigh(x, y);
        low[i] = x * y;
        fits = Int128.fits(high[i], low[i], precision);
      } else {
        BigInteger product =
            Int128Column.toBigInteger(ah[ao + i], x)
                .multiply(Int128Column.toBigInteger(bh[bo + i], y));
        high[i] = Int128.high(product);
        low[i] = Int128.low(product);
        fits = product.abs().compareTo(Int128.powerOfTen(precision)) < 0;
      }
      bad |= !fits && (valid == null || valid[i] != 0);
    }
    if (bad) {
      throw failure(ArithmeticOp.MULTIPLY, left, right, valid, type);
    }
    return narrowed(high, low, valid, type);
  }

  /** Division in longs for the rows where the scaled dividend fits one. */
  private static Column divideNarrow(
      ArithmeticOp op, LongColumn left, LongColumn right, byte @Nullable [] valid, DataType type) {
    int up = type.scale() - left.type().scale() + right.type().scale();
    if (op == ArithmeticOp.MODULO
        || up < 0
        || up > DataType.MAX_LONG_PRECISION
        || left.type().precision() + up > DataType.MAX_LONG_PRECISION) {
      return exactly(op, left, right, valid, type);
    }
    int n = left.length();
    long[] a = left.values();
    long[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    long factor = Int128.longPowerOfTen(up);
    long[] high = new long[n];
    long[] low = new long[n];
    boolean bad = false;
    for (int i = 0; i < n; i++) {
      long divisor = b[bo + i];
      if (divisor == 0) {
        bad |= valid == null || valid[i] != 0;
        continue;
      }
      long scaled = a[ao + i] * factor;
      long quotient = scaled / divisor;
      long rest = Math.abs(scaled - quotient * divisor);
      if (rest >= Math.abs(divisor) - rest) {
        quotient += (scaled < 0) == (divisor < 0) ? 1 : -1;
      }
      high[i] = quotient >> 63;
      low[i] = quotient;
      bad |= !Int128.fits(high[i], low[i], type.precision()) && (valid == null || valid[i] != 0);
    }
    if (bad) {
      throw failure(op, left, right, valid, type);
    }
    return narrowed(high, low, valid, type);
  }

  private static Column exactly(
      ArithmeticOp op, Column left, Column right, byte @Nullable [] valid, DataType type) {
    Int128Column a = Flats.int128s(left);
    Int128Column b = Flats.int128s(right);
    int n = a.length();
    long[] high = new long[n];
    long[] low = new long[n];
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      BigInteger r = compute(op, decimal(a, left, i), decimal(b, right, i), type);
      if (r.abs().compareTo(Int128.powerOfTen(type.precision())) >= 0) {
        throw failure(op, left, right, valid, type);
      }
      high[i] = Int128.high(r);
      low[i] = Int128.low(r);
    }
    return narrowed(high, low, valid, type);
  }

  private static BigDecimal decimal(Int128Column column, Column original, int row) {
    return new BigDecimal(column.get(row), original.type().scale());
  }

  /** The unscaled result; any size. */
  private static BigInteger compute(ArithmeticOp op, BigDecimal x, BigDecimal y, DataType type) {
    if ((op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MODULO) && y.signum() == 0) {
      throw Arithmetic.divisionByZero(
          x.toPlainString() + " " + op.symbol() + " " + y.toPlainString());
    }
    BigDecimal result =
        switch (op) {
          case ADD -> x.add(y);
          case SUBTRACT -> x.subtract(y);
          case MULTIPLY -> x.multiply(y);
          case DIVIDE -> x.divide(y, type.scale(), RoundingMode.HALF_UP);
          case MODULO -> x.remainder(y);
        };
    return result.setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue();
  }

  /** Finds the row that made a batch fail. */
  private static RuntimeException failure(
      ArithmeticOp op, Column left, Column right, byte @Nullable [] valid, DataType type) {
    Int128Column a = Flats.int128s(left);
    Int128Column b = Flats.int128s(right);
    for (int i = 0; i < a.length(); i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      BigDecimal x = decimal(a, left, i);
      BigDecimal y = decimal(b, right, i);
      BigInteger r = compute(op, x, y, type);
      if (r.abs().compareTo(Int128.powerOfTen(type.precision())) >= 0) {
        return new VarveException(
            ErrorCode.NUMERIC_OUT_OF_RANGE,
            type
                + " out of range: "
                + x.toPlainString()
                + " "
                + op.symbol()
                + " "
                + y.toPlainString());
      }
    }
    return new IllegalStateException("no row of the batch overflows");
  }

  static Column negate(Column column) {
    if (column.flat() instanceof LongColumn narrow) {
      int n = narrow.length();
      long[] values = narrow.values();
      int offset = narrow.offset();
      long[] out = new long[n];
      for (int i = 0; i < n; i++) {
        out[i] = -values[offset + i];
      }
      return new LongColumn(column.type(), out, Masks.copy(narrow));
    }
    Int128Column wide = Flats.int128s(column);
    int n = wide.length();
    long[] high = new long[n];
    long[] low = new long[n];
    for (int i = 0; i < n; i++) {
      long l = wide.low()[wide.offset() + i];
      low[i] = -l;
      high[i] = ~wide.high()[wide.offset() + i] + (l == 0 ? 1 : 0);
    }
    return new Int128Column(column.type(), high, low, Masks.copy(wide));
  }

  /** In the layout of the type: the values are known to fit it. */
  static Column narrowed(long[] high, long[] low, byte @Nullable [] valid, DataType type) {
    return type.physical() == PhysicalType.LONG
        ? new LongColumn(type, low, valid)
        : new Int128Column(type, high, low, valid);
  }
}
