package dev.varve.engine.kernel;

import dev.varve.engine.batch.BytesColumn;
import java.util.Arrays;

/**
 * Loops of comparisons. {@code out[i]} becomes the answer for row i, flipped if {@code flip} is 1;
 * {@code out.length} is the number of rows. {@code less} with a constant is {@code value <
 * constant}, {@code greater} is {@code constant < value}.
 */
final class CompareKernels {
  private CompareKernels() {}

  static void equal(int[] a, int ao, int[] b, int bo, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] == b[bo + i] ? 1 : 0) ^ flip);
    }
  }

  static void equal(int[] a, int ao, int k, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] == k ? 1 : 0) ^ flip);
    }
  }

  static void less(int[] a, int ao, int[] b, int bo, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] < b[bo + i] ? 1 : 0) ^ flip);
    }
  }

  static void less(int[] a, int ao, int k, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] < k ? 1 : 0) ^ flip);
    }
  }

  static void greater(int[] a, int ao, int k, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((k < a[ao + i] ? 1 : 0) ^ flip);
    }
  }

  static void equal(long[] a, int ao, long[] b, int bo, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] == b[bo + i] ? 1 : 0) ^ flip);
    }
  }

  static void equal(long[] a, int ao, long k, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] == k ? 1 : 0) ^ flip);
    }
  }

  static void less(long[] a, int ao, long[] b, int bo, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] < b[bo + i] ? 1 : 0) ^ flip);
    }
  }

  static void less(long[] a, int ao, long k, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] < k ? 1 : 0) ^ flip);
    }
  }

  static void greater(long[] a, int ao, long k, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((k < a[ao + i] ? 1 : 0) ^ flip);
    }
  }

  static void equal(double[] a, int ao, double[] b, int bo, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      double x = a[ao + i];
      double y = b[bo + i];
      out[i] = (byte) ((x == y || (Double.isNaN(x) && Double.isNaN(y)) ? 1 : 0) ^ flip);
    }
  }

  static void equal(double[] a, int ao, double k, int flip, byte[] out) {
    if (Double.isNaN(k)) {
      for (int i = 0; i < out.length; i++) {
        double x = a[ao + i];
        out[i] = (byte) ((Double.isNaN(x) ? 1 : 0) ^ flip);
      }
      return;
    }
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] == k ? 1 : 0) ^ flip);
    }
  }

  static void less(double[] a, int ao, double[] b, int bo, int flip, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      double x = a[ao + i];
      double y = b[bo + i];
      out[i] = (byte) ((x < y || (Double.isNaN(y) && !Double.isNaN(x)) ? 1 : 0) ^ flip);
    }
  }

  static void less(double[] a, int ao, double k, int flip, byte[] out) {
    if (Double.isNaN(k)) {
      for (int i = 0; i < out.length; i++) {
        double x = a[ao + i];
        out[i] = (byte) ((Double.isNaN(x) ? 0 : 1) ^ flip);
      }
      return;
    }
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) ((a[ao + i] < k ? 1 : 0) ^ flip);
    }
  }

  static void greater(double[] a, int ao, double k, int flip, byte[] out) {
    boolean nothing = Double.isNaN(k);
    for (int i = 0; i < out.length; i++) {
      // Not "k < x": a NaN is greater than any k.
      out[i] = (byte) ((!nothing && !(a[ao + i] <= k) ? 1 : 0) ^ flip);
    }
  }

  static void equal(BytesColumn a, BytesColumn b, int flip, byte[] out) {
    byte[] x = a.data();
    byte[] y = b.data();
    for (int i = 0; i < out.length; i++) {
      boolean equal = BytesOrder.equal(x, a.start(i), a.end(i), y, b.start(i), b.end(i));
      out[i] = (byte) ((equal ? 1 : 0) ^ flip);
    }
  }

  static void equal(BytesColumn a, byte[] k, int kStart, int kEnd, int flip, byte[] out) {
    byte[] x = a.data();
    int[] offsets = a.offsets();
    int offset = a.offset();
    int length = kEnd - kStart;
    long prefix = BytesOrder.prefix(k, kStart, kEnd);
    for (int i = 0; i < out.length; i++) {
      int start = offsets[offset + i];
      int end = offsets[offset + i + 1];
      boolean equal = end - start == length && BytesOrder.prefix(x, start, end) == prefix;
      if (equal && length > 8) {
        equal = Arrays.equals(x, start + 8, end, k, kStart + 8, kEnd);
      }
      out[i] = (byte) ((equal ? 1 : 0) ^ flip);
    }
  }

  static void less(BytesColumn a, BytesColumn b, int flip, byte[] out) {
    byte[] x = a.data();
    byte[] y = b.data();
    for (int i = 0; i < out.length; i++) {
      int order = BytesOrder.compare(x, a.start(i), a.end(i), y, b.start(i), b.end(i));
      out[i] = (byte) ((order < 0 ? 1 : 0) ^ flip);
    }
  }

  /** {@code value < constant}, or {@code constant < value} if the constant comes first. */
  static void less(
      BytesColumn a, byte[] k, int kStart, int kEnd, boolean constantFirst, int flip, byte[] out) {
    byte[] x = a.data();
    int[] offsets = a.offsets();
    int offset = a.offset();
    for (int i = 0; i < out.length; i++) {
      int order =
          BytesOrder.compare(x, offsets[offset + i], offsets[offset + i + 1], k, kStart, kEnd);
      out[i] = (byte) (((constantFirst ? order > 0 : order < 0) ? 1 : 0) ^ flip);
    }
  }
}
