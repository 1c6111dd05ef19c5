package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;

/** Comparison of decimals that are wide or of different scales, by value. */
final class DecimalComparisons {
  private DecimalComparisons() {}

  static void compare(ComparisonOp op, Column left, Column right, byte[] out) {
    Int128Column a = Flats.int128s(left);
    Int128Column b = Flats.int128s(right);
    int scale = Math.max(left.type().scale(), right.type().scale());
    int aDigits = left.type().precision() + scale - left.type().scale();
    int bDigits = right.type().precision() + scale - right.type().scale();
    if (Math.max(aDigits, bDigits) > DataType.MAX_DECIMAL_PRECISION) {
      compareExactly(op, a, left.type().scale(), b, right.type().scale(), out);
      return;
    }
    a = Int128.rescaledUp(a, scale - left.type().scale());
    b = Int128.rescaledUp(b, scale - right.type().scale());
    boolean equality = Comparisons.isEquality(op);
    boolean exchanged = op == ComparisonOp.GT || op == ComparisonOp.LE;
    int flip = Comparisons.flip(op);
    Int128Column x = exchanged ? b : a;
    Int128Column y = exchanged ? a : b;
    long[] xh = x.high();
    long[] xl = x.low();
    long[] yh = y.high();
    long[] yl = y.low();
    int xo = x.offset();
    int yo = y.offset();
    for (int i = 0; i < out.length; i++) {
      long h = xh[xo + i];
      long k = yh[yo + i];
      boolean answer =
          equality
              ? h == k && xl[xo + i] == yl[yo + i]
              : h < k || (h == k && Long.compareUnsigned(xl[xo + i], yl[yo + i]) < 0);
      out[i] = (byte) ((answer ? 1 : 0) ^ flip);
    }
  }

  /** For scales so far apart that no 38 digits hold both. */
  private static void compareExactly(
      ComparisonOp op, Int128Column a, int aScale, Int128Column b, int bScale, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      int order = new BigDecimal(a.get(i), aScale).compareTo(new BigDecimal(b.get(i), bScale));
      boolean answer =
          switch (op) {
            case EQ, IS_NOT_DISTINCT -> order == 0;
            case NE, IS_DISTINCT -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
          };
      out[i] = (byte) (answer ? 1 : 0);
    }
  }
}
