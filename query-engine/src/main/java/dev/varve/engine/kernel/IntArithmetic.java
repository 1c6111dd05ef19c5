package dev.varve.engine.kernel;

import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import org.jspecify.annotations.Nullable;

/**
 * SMALLINT and INTEGER arithmetic, computed in longs. The bits that a result has too many are
 * collected over the whole batch; only if there are any is the row looked for.
 */
final class IntArithmetic {
  private IntArithmetic() {}

  static IntColumn apply(ArithmeticOp op, IntColumn left, IntColumn right, DataType type) {
    int n = left.length();
    int[] a = left.values();
    int[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    byte[] valid = Masks.and(left, right);
    int[] out = new int[n];
    boolean small = type.kind() == TypeKind.SMALLINT;
    long excess =
        switch (op) {
          case ADD -> add(a, ao, b, bo, valid, out, small);
          case SUBTRACT -> subtract(a, ao, b, bo, valid, out, small);
          case MULTIPLY -> multiply(a, ao, b, bo, valid, out, small);
          case DIVIDE -> divide(a, ao, b, bo, valid, out, small);
          case MODULO -> modulo(a, ao, b, bo, valid, out);
        };
    if (excess != 0) {
      throw failure(op, a, ao, b, bo, valid, n, type);
    }
    return new IntColumn(type, out, valid);
  }

  /** Non-zero if the value needs more bits than the type has. */
  private static long excess(long value, boolean small) {
    return value ^ (small ? (short) value : (int) value);
  }

  private static long add(
      int[] a, int ao, int[] b, int bo, byte @Nullable [] valid, int[] out, boolean small) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long r = (long) a[ao + i] + b[bo + i];
      out[i] = (int) r;
      bad |= valid == null ? excess(r, small) : excess(r, small) & -valid[i];
    }
    return bad;
  }

  private static long subtract(
      int[] a, int ao, int[] b, int bo, byte @Nullable [] valid, int[] out, boolean small) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long r = (long) a[ao + i] - b[bo + i];
      out[i] = (int) r;
      bad |= valid == null ? excess(r, small) : excess(r, small) & -valid[i];
    }
    return bad;
  }

  private static long multiply(
      int[] a, int ao, int[] b, int bo, byte @Nullable [] valid, int[] out, boolean small) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long r = (long) a[ao + i] * b[bo + i];
      out[i] = (int) r;
      bad |= valid == null ? excess(r, small) : excess(r, small) & -valid[i];
    }
    return bad;
  }

  private static long divide(
      int[] a, int ao, int[] b, int bo, byte @Nullable [] valid, int[] out, boolean small) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long divisor = b[bo + i];
      long zero = divisor == 0 ? 1 : 0;
      long r = a[ao + i] / (divisor + zero);
      out[i] = (int) r;
      long problem = zero | excess(r, small);
      bad |= valid == null ? problem : problem & -valid[i];
    }
    return bad;
  }

  private static long modulo(int[] a, int ao, int[] b, int bo, byte @Nullable [] valid, int[] out) {
    long bad = 0;
    for (int i = 0; i < out.length; i++) {
      long divisor = b[bo + i];
      long zero = divisor == 0 ? 1 : 0;
      out[i] = (int) (a[ao + i] % (divisor + zero));
      bad |= valid == null ? zero : zero & -valid[i];
    }
    return bad;
  }

  static IntColumn negate(IntColumn column) {
    int n = column.length();
    int[] a = column.values();
    int ao = column.offset();
    byte[] valid = Masks.copy(column);
    int[] out = new int[n];
    boolean small = column.type().kind() == TypeKind.SMALLINT;
    long bad = 0;
    for (int i = 0; i < n; i++) {
      long r = -(long) a[ao + i];
      out[i] = (int) r;
      bad |= valid == null ? excess(r, small) : excess(r, small) & -valid[i];
    }
    if (bad != 0) {
      throw Arithmetic.outOfRange(
          column.type(), "-(" + (small ? Short.MIN_VALUE : Integer.MIN_VALUE) + ")");
    }
    return new IntColumn(column.type(), out, valid);
  }

  private static RuntimeException failure(
      ArithmeticOp op,
      int[] a,
      int ao,
      int[] b,
      int bo,
      byte @Nullable [] valid,
      int n,
      DataType type) {
    boolean small = type.kind() == TypeKind.SMALLINT;
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      long x = a[ao + i];
      long y = b[bo + i];
      String computation = x + " " + op.symbol() + " " + y;
      boolean divides = op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MODULO;
      if (divides && y == 0) {
        return Arithmetic.divisionByZero(computation);
      }
      long r =
          switch (op) {
            case ADD -> x + y;
            case SUBTRACT -> x - y;
            case MULTIPLY -> x * y;
            case DIVIDE -> x / y;
            case MODULO -> 0;
          };
      if (excess(r, small) != 0) {
        return Arithmetic.outOfRange(type, computation);
      }
    }
    return new IllegalStateException("no row of the batch overflows");
  }
}
