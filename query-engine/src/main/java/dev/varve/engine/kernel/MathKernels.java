package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Mathematical functions with PostgreSQL's domain errors. */
public final class MathKernels {
  private MathKernels() {}

  public static Column unary(Column column, DoubleUnaryOperator operator) {
    DoubleColumn input = Flats.doubles(column);
    int n = input.length();
    double[] out = new double[n];
    for (int i = 0; i < n; i++) {
      if (!input.isNull(i)) {
        out[i] = operator.applyAsDouble(input.get(i));
      }
    }
    return new DoubleColumn(DataType.DOUBLE, out, Masks.copy(input));
  }

  public static Column binary(Column left, Column right, DoubleBinaryOperator operator) {
    DoubleColumn a = Flats.doubles(left);
    DoubleColumn b = Flats.doubles(right);
    int n = a.length();
    byte[] valid = Masks.and(a, b);
    double[] out = new double[n];
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        out[i] = operator.applyAsDouble(a.get(i), b.get(i));
      }
    }
    return new DoubleColumn(DataType.DOUBLE, out, valid);
  }

  public static double sqrt(double x) {
    if (x < 0) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "cannot take square root of a negative number: " + TextFormat.formatDouble(x));
    }
    return Math.sqrt(x);
  }

  public static double exp(double x) {
    double result = Math.exp(x);
    if (Double.isInfinite(result) && !Double.isInfinite(x)) {
      throw range("overflow", "exp(" + TextFormat.formatDouble(x) + ")");
    }
    if (result == 0 && !Double.isInfinite(x)) {
      throw range("underflow", "exp(" + TextFormat.formatDouble(x) + ")");
    }
    return result;
  }

  public static double ln(double x) {
    checkLogarithm(x);
    return Math.log(x);
  }

  public static double log10(double x) {
    checkLogarithm(x);
    return Math.log10(x);
  }

  public static double log(double base, double x) {
    checkLogarithm(base);
    checkLogarithm(x);
    double divisor = Math.log(base);
    if (divisor == 0) {
      throw Arithmetic.divisionByZero("log(" + TextFormat.formatDouble(base) + ", ...)");
    }
    return Math.log(x) / divisor;
  }

  private static void checkLogarithm(double x) {
    if (x <= 0) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          (x == 0 ? "cannot take logarithm of zero" : "cannot take logarithm of a negative number")
              + (x == 0 ? "" : ": " + TextFormat.formatDouble(x)));
    }
  }

  public static double power(double x, double y) {
    if (x == 0 && y < 0) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "zero raised to a negative power is undefined");
    }
    if (x < 0 && !Double.isInfinite(x) && y != Math.rint(y) && !Double.isNaN(y)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "a negative number raised to a non-integer power yields a complex result: "
              + TextFormat.formatDouble(x)
              + " ^ "
              + TextFormat.formatDouble(y));
    }
    if (x == 1) {
      return 1;
    }
    double result = Math.pow(x, y);
    boolean finite = !Double.isInfinite(x) && !Double.isInfinite(y);
    if (finite && (Double.isInfinite(result) || (result == 0 && x != 0))) {
      throw range(
          result == 0 ? "underflow" : "overflow",
          TextFormat.formatDouble(x) + " ^ " + TextFormat.formatDouble(y));
    }
    return result;
  }

  public static double sin(double x) {
    return Math.sin(finite(x));
  }

  public static double cos(double x) {
    return Math.cos(finite(x));
  }

  public static double tan(double x) {
    return Math.tan(finite(x));
  }

  public static double asin(double x) {
    return Math.asin(unit(x));
  }

  public static double acos(double x) {
    return Math.acos(unit(x));
  }

  private static double finite(double x) {
    if (Double.isInfinite(x)) {
      throw range("input", TextFormat.formatDouble(x));
    }
    return x;
  }

  private static double unit(double x) {
    if (x < -1 || x > 1) {
      throw range("input", TextFormat.formatDouble(x));
    }
    return x;
  }

  private static VarveException range(String what, String value) {
    return new VarveException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, DataType.DOUBLE + " out of range: " + what + ": " + value);
  }

  public static Column isNaN(Column column) {
    DoubleColumn input = Flats.doubles(column);
    byte[] out = new byte[input.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) (Double.isNaN(input.get(i)) ? 1 : 0);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, Masks.copy(input));
  }

  /** The absolute value, in the argument's type. */
  public static Column abs(Column column) {
    Column flat = column.flat();
    DataType type = column.type();
    int n = flat.length();
    byte[] valid = Masks.copy(flat);
    return switch (type.physical()) {
      case INT -> {
        IntColumn input = Flats.ints(flat);
        int smallest = type.kind() == TypeKind.SMALLINT ? Short.MIN_VALUE : Integer.MIN_VALUE;
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
          int x = input.get(i);
          out[i] = Math.abs(x);
          if (x == smallest && (valid == null || valid[i] != 0)) {
            throw Arithmetic.outOfRange(type, "abs(" + x + ")");
          }
        }
        yield new IntColumn(type, out, valid);
      }
      case LONG -> {
        LongColumn input = Flats.longs(flat);
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
          long x = input.get(i);
          out[i] = Math.abs(x);
          if (x == Long.MIN_VALUE && (valid == null || valid[i] != 0)) {
            throw Arithmetic.outOfRange(type, "abs(" + x + ")");
          }
        }
        yield new LongColumn(type, out, valid);
      }
      case INT128 -> {
        Int128Column input = Flats.int128s(flat);
        long[] high = new long[n];
        long[] low = new long[n];
        for (int i = 0; i < n; i++) {
          long h = input.high()[input.offset() + i];
          long l = input.low()[input.offset() + i];
          low[i] = h < 0 ? -l : l;
          high[i] = h < 0 ? ~h + (l == 0 ? 1 : 0) : h;
        }
        yield new Int128Column(type, high, low, valid);
      }
      case FLOAT -> {
        FloatColumn input = Flats.floats(flat);
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
          out[i] = Math.abs(input.get(i));
        }
        yield new FloatColumn(type, out, valid);
      }
      case DOUBLE -> {
        DoubleColumn input = Flats.doubles(flat);
        double[] out = new double[n];
        for (int i = 0; i < n; i++) {
          out[i] = Math.abs(input.get(i));
        }
        yield new DoubleColumn(type, out, valid);
      }
      case BOOLEAN, BYTES -> throw new IllegalStateException("abs of " + type);
    };
  }

  /** -1, 0 or 1 as a decimal of {@code type}, which has no fraction. */
  public static Column decimalSign(Column column, DataType type) {
    Int128Column input = Flats.int128s(column);
    int n = input.length();
    long[] high = new long[n];
    long[] low = new long[n];
    for (int i = 0; i < n; i++) {
      long h = input.high()[input.offset() + i];
      long l = input.low()[input.offset() + i];
      int sign = h < 0 ? -1 : (h | l) == 0 ? 0 : 1;
      high[i] = sign >> 31;
      low[i] = sign;
    }
    return DecimalArithmetic.narrowed(high, low, Masks.copy(input), type);
  }

  public static Column gcd(Column left, Column right) {
    LongColumn a = Flats.longs(left);
    LongColumn b = Flats.longs(right);
    int n = a.length();
    byte[] valid = Masks.and(a, b);
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      long x = a.get(i);
      long y = b.get(i);
      while (y != 0) {
        long rest = x % y;
        x = y;
        y = rest;
      }
      if (x == Long.MIN_VALUE) {
        throw Arithmetic.outOfRange(DataType.BIGINT, "gcd(" + a.get(i) + ", " + b.get(i) + ")");
      }
      out[i] = Math.abs(x);
    }
    return new LongColumn(DataType.BIGINT, out, valid);
  }
}
