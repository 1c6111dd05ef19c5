package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.jspecify.annotations.Nullable;

/**
 * REAL and DOUBLE arithmetic. As in PostgreSQL an infinite result of finite operands, a product or
 * quotient that vanishes, and a zero divisor are errors. A real result is computed in doubles and
 * rounded once, which gives what single precision gives.
 */
final class FloatingArithmetic {
  private FloatingArithmetic() {}

  static Column apply(ArithmeticOp op, Column leftColumn, Column rightColumn, DataType type) {
    DoubleColumn left = Flats.widened(leftColumn);
    DoubleColumn right = Flats.widened(rightColumn);
    int n = left.length();
    double[] a = left.values();
    double[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    byte[] valid = Masks.and(left, right);
    double[] out = new double[n];
    switch (op) {
      case ADD -> {
        for (int i = 0; i < n; i++) {
          out[i] = a[ao + i] + b[bo + i];
        }
      }
      case SUBTRACT -> {
        for (int i = 0; i < n; i++) {
          out[i] = a[ao + i] - b[bo + i];
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < n; i++) {
          out[i] = a[ao + i] * b[bo + i];
        }
      }
      case DIVIDE -> {
        for (int i = 0; i < n; i++) {
          out[i] = a[ao + i] / b[bo + i];
        }
      }
      case MODULO -> {
        for (int i = 0; i < n; i++) {
          out[i] = a[ao + i] % b[bo + i];
        }
      }
    }
    boolean real = type.kind() == TypeKind.REAL;
    if (suspicious(op, out, real)) {
      check(op, a, ao, b, bo, valid, out, type);
    }
    if (!real) {
      return new DoubleColumn(type, out, valid);
    }
    float[] narrow = new float[n];
    for (int i = 0; i < n; i++) {
      narrow[i] = (float) out[i];
    }
    return new FloatColumn(type, narrow, valid);
  }

  /** Whether any result is infinite, NaN or vanishing, nulls included. */
  private static boolean suspicious(ArithmeticOp op, double[] out, boolean real) {
    double largest = real ? Float.MAX_VALUE : Double.MAX_VALUE;
    double smallest = real ? Float.MIN_VALUE : Double.MIN_VALUE;
    boolean mayVanish = op == ArithmeticOp.MULTIPLY || op == ArithmeticOp.DIVIDE;
    boolean any = false;
    for (double value : out) {
      double magnitude = Math.abs(value);
      any |= !(magnitude <= largest) | (mayVanish & magnitude < smallest);
    }
    return any;
  }

  private static void check(
      ArithmeticOp op,
      double[] a,
      int ao,
      double[] b,
      int bo,
      byte @Nullable [] valid,
      double[] out,
      DataType type) {
    boolean real = type.kind() == TypeKind.REAL;
    for (int i = 0; i < out.length; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      double x = a[ao + i];
      double y = b[bo + i];
      double result = real ? (float) out[i] : out[i];
      boolean divides = op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MODULO;
      if (divides && y == 0 && !Double.isNaN(x)) {
        throw Arithmetic.divisionByZero(x + " " + op.symbol() + " " + y);
      }
      if (Double.isInfinite(result) && !Double.isInfinite(x) && !Double.isInfinite(y)) {
        throw range(type, "overflow", x, op, y);
      }
      boolean vanished =
          result == 0
              && ((op == ArithmeticOp.MULTIPLY && x != 0 && y != 0)
                  || (op == ArithmeticOp.DIVIDE && x != 0 && !Double.isInfinite(y)));
      if (vanished) {
        throw range(type, "underflow", x, op, y);
      }
    }
  }

  private static VarveException range(
      DataType type, String what, double x, ArithmeticOp op, double y) {
    return new VarveException(
        ErrorCode.NUMERIC_OUT_OF_RANGE,
        type + " out of range: " + what + ": " + x + " " + op.symbol() + " " + y);
  }

  static Column negate(Column column) {
    int n = column.length();
    if (column.flat() instanceof FloatColumn floats) {
      float[] values = floats.values();
      int offset = floats.offset();
      float[] out = new float[n];
      for (int i = 0; i < n; i++) {
        out[i] = -values[offset + i];
      }
      return new FloatColumn(column.type(), out, Masks.copy(floats));
    }
    DoubleColumn doubles = Flats.doubles(column);
    double[] values = doubles.values();
    int offset = doubles.offset();
    double[] out = new double[n];
    for (int i = 0; i < n; i++) {
      out[i] = -values[offset + i];
    }
    return new DoubleColumn(column.type(), out, Masks.copy(doubles));
  }
}
