package dev.varve.engine.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds bytes in bytes, eight positions at a time: a position is looked at only if the first and
 * the last byte that are searched for are where they would have to be.
 */
public final class ByteSearch {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private ByteSearch() {}

  /** Where {@code wanted} is first in {@code data[from..end)}; -1 if it is not there. */
  public static int find(byte[] wanted, byte[] data, int from, int end) {
    int length = wanted.length;
    if (length == 0) {
      return from;
    }
    int last = length - 1;
    long firsts = (wanted[0] & 0xFF) * ONES;
    long lasts = (wanted[last] & 0xFF) * ONES;
    int at = from;
    for (; at + last + Long.BYTES <= end; at += Long.BYTES) {
      long differing =
          ((long) LONGS.get(data, at) ^ firsts) | ((long) LONGS.get(data, at + last) ^ lasts);
      // The lowest zero byte gives the lowest bit that is set; bits above it may be wrong.
      long zeros = (differing - ONES) & ~differing & HIGHS;
      while (zeros != 0) {
        int candidate = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
        if (matches(wanted, data, candidate)) {
          return candidate;
        }
        zeros &= zeros - 1;
      }
    }
    return findByByte(wanted, data, at, end);
  }

  /** The same, one position at a time. */
  public static int findByByte(byte[] wanted, byte[] data, int from, int end) {
    byte first = wanted[0];
    for (int at = from; at + wanted.length <= end; at++) {
      if (data[at] == first && matches(wanted, data, at)) {
        return at;
      }
    }
    return -1;
  }

  private static boolean matches(byte[] wanted, byte[] data, int at) {
    return Arrays.equals(data, at, at + wanted.length, wanted, 0, wanted.length);
  }
}
