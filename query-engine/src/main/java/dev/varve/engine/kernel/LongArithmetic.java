package dev.varve.engine.kernel;

import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import org.jspecify.annotations.Nullable;

/** BIGINT and day interval arithmetic; overflow is collected as a sign bit over the batch. */
final class LongArithmetic {
  private LongArithmetic() {}

  static LongColumn apply(ArithmeticOp op, LongColumn left, LongColumn right, DataType type) {
    int n = left.length();
    long[] a = left.values();
    long[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    byte[] valid = Masks.and(left, right);
    long[] out = new long[n];
    boolean failed =
        switch (op) {
          case ADD -> add(a, ao, b, bo, valid, out);
          case SUBTRACT -> subtract(a, ao, b, bo, valid, out);
          case MULTIPLY -> multiply(a, ao, b, bo, valid, out);
          case DIVIDE -> divide(a, ao, b, bo, valid, out);
          case MODULO -> modulo(a, ao, b, bo, valid, out);
        };
    if (failed) {
      throw failure(op, a, ao, b, bo, valid, n, type);
    }
    return new LongColumn(type, out, valid);
  }

  private static boolean add(
      long[] a, int ao, long[] b, int bo, byte @Nullable [] valid, long[] out) {
    long bad = 0;
    if (valid == null) {
      for (int i = 0; i < out.length; i++) {
        long x = a[ao + i];
        long y = b[bo + i];
        long r = x + y;
        out[i] = r;
        bad |= (x ^ r) & (y ^ r);
      }
    } else {
      for (int i = 0; i < out.length; i++) {
        long x = a[ao + i];
        long y = b[bo + i];
        long r = x + y;
        out[i] = r;
        bad |= (x ^ r) & (y ^ r) & -(long) valid[i];
      }
    }
    return bad < 0;
  }

  private static boolean subtract(
      long[] a, int ao, long[] b, int bo, byte @Nullable [] valid, long[] out) {
    long bad = 0;
    if (valid == null) {
      for (int i = 0; i < out.length; i++) {
        long x = a[ao + i];
        long y = b[bo + i];
        long r = x - y;
        out[i] = r;
        bad |= (x ^ y) & (x ^ r);
      }
    } else {
      for (int i = 0; i < out.length; i++) {
        long x = a[ao + i];
        long y = b[bo + i];
        long r = x - y;
        out[i] = r;
        bad |= (x ^ y) & (x ^ r) & -(long) valid[i];
      }
    }
    return bad < 0;
  }

  private static boolean multiply(
      long[] a, int ao, long[] b, int bo, byte @Nullable [] valid, long[] out) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long x = a[ao + i];
      long y = b[bo + i];
      long r = x * y;
      out[i] = r;
      long excess = Math.multiplyHigh(x, y) ^ (r >> 63);
      bad |= valid == null ? excess : excess & -(long) valid[i];
    }
    return bad != 0;
  }

  private static boolean divide(
      long[] a, int ao, long[] b, int bo, byte @Nullable [] valid, long[] out) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long x = a[ao + i];
      long y = b[bo + i];
      long problem = y == 0 || (y == -1 && x == Long.MIN_VALUE) ? 1 : 0;
      // A row that fails, or a null's arbitrary value, divides by one instead.
      out[i] = x / (problem != 0 ? 1 : y);
      bad |= valid == null ? problem : problem & -(long) valid[i];
    }
    return bad != 0;
  }

  private static boolean modulo(
      long[] a, int ao, long[] b, int bo, byte @Nullable [] valid, long[] out) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long y = b[bo + i];
      long zero = y == 0 ? 1 : 0;
      out[i] = a[ao + i] % (y + zero);
      bad |= valid == null ? zero : zero & -(long) valid[i];
    }
    return bad != 0;
  }

  static LongColumn negate(LongColumn column) {
    int n = column.length();
    long[] a = column.values();
    int ao = column.offset();
    byte[] valid = Masks.copy(column);
    long[] out = new long[n];
    long bad = 0;
    for (int i = 0; i < n; i++) {
      long x = a[ao + i];
      out[i] = -x;
      long excess = x & -x;
      bad |= valid == null ? excess : excess & -(long) valid[i];
    }
    // Only the smallest long and its negative have the sign bit in common.
    if (bad < 0) {
      throw Arithmetic.outOfRange(column.type(), "-(" + Long.MIN_VALUE + ")");
    }
    return new LongColumn(column.type(), out, valid);
  }

  private static RuntimeException failure(
      ArithmeticOp op,
      long[] a,
      int ao,
      long[] b,
      int bo,
      byte @Nullable [] valid,
      int n,
      DataType type) {
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      long x = a[ao + i];
      long y = b[bo + i];
      String computation = x + " " + op.symbol() + " " + y;
      boolean overflows =
          switch (op) {
            case ADD -> ((x ^ (x + y)) & (y ^ (x + y))) < 0;
            case SUBTRACT -> ((x ^ y) & (x ^ (x - y))) < 0;
            case MULTIPLY -> Math.multiplyHigh(x, y) != (x * y) >> 63;
            case DIVIDE, MODULO -> {
              if (y == 0) {
                throw Arithmetic.divisionByZero(computation);
              }
              yield op == ArithmeticOp.DIVIDE && y == -1 && x == Long.MIN_VALUE;
            }
          };
      if (overflows) {
        return Arithmetic.outOfRange(type, computation);
      }
    }
    return new IllegalStateException("no row of the batch overflows");
  }
}
