package dev.varve.engine.kernel;

import dev.varve.engine.batch.Column;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Validity masks of results, which start at offset 0. */
public final class Masks {
  private Masks() {}

  /** The column's mask from its row 0 on, shared if it starts there; null if it has none. */
  public static byte @Nullable [] copy(Column column) {
    byte[] valid = column.validity();
    if (valid == null) {
      return null;
    }
    return column.offset() == 0
        ? valid
        : Arrays.copyOfRange(valid, column.offset(), column.offset() + column.length());
  }

  /** A mask of the column's own to write to, all ones if it has no nulls. */
  public static byte[] copyOrFull(Column column) {
    byte[] valid = column.validity();
    if (valid == null) {
      byte[] full = new byte[column.length()];
      Arrays.fill(full, (byte) 1);
      return full;
    }
    return Arrays.copyOfRange(valid, column.offset(), column.offset() + column.length());
  }

  /** Valid where both are; null if neither has nulls. */
  public static byte @Nullable [] and(Column left, Column right) {
    byte[] a = left.validity();
    byte[] b = right.validity();
    if (a == null) {
      return copy(right);
    }
    if (b == null) {
      return copy(left);
    }
    int n = left.length();
    int ao = left.offset();
    int bo = right.offset();
    byte[] out = new byte[n];
    for (int i = 0; i < n; i++) {
      out[i] = (byte) (a[ao + i] & b[bo + i]);
    }
    return out;
  }

  public static byte @Nullable [] dropIfAllValid(byte[] valid) {
    for (byte b : valid) {
      if (b == 0) {
        return valid;
      }
    }
    return null;
  }
}
