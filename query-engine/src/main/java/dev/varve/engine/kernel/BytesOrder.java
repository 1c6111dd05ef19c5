package dev.varve.engine.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytewise unsigned order of byte ranges, which is the order of UTF-8 text by code point. */
public final class BytesOrder {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BytesOrder() {}

  /**
   * The first eight bytes of a range as an unsigned number, most significant first, missing ones
   * zero: unequal prefixes order their ranges.
   */
  public static long prefix(byte[] data, int start, int end) {
    int length = end - start;
    if (length <= 0) {
      return 0;
    }
    if (start + 8 <= data.length) {
      long loaded = (long) LONG.get(data, start);
      return length >= 8 ? loaded : loaded & (-1L << (64 - 8 * length));
    }
    long assembled = 0;
    int count = Math.min(length, 8);
    for (int i = 0; i < count; i++) {
      assembled |= (data[start + i] & 0xFFL) << (56 - 8 * i);
    }
    return assembled;
  }

  public static int compare(byte[] a, int aStart, int aEnd, byte[] b, int bStart, int bEnd) {
    long aPrefix = prefix(a, aStart, aEnd);
    long bPrefix = prefix(b, bStart, bEnd);
    if (aPrefix != bPrefix) {
      return Long.compareUnsigned(aPrefix, bPrefix);
    }
    int aLength = aEnd - aStart;
    int bLength = bEnd - bStart;
    // Equal prefixes of short ranges differ at most in trailing zero bytes, which the length tells.
    if (aLength <= 8 || bLength <= 8) {
      return Integer.compare(aLength, bLength);
    }
    return Arrays.compareUnsigned(a, aStart + 8, aEnd, b, bStart + 8, bEnd);
  }

  public static boolean equal(byte[] a, int aStart, int aEnd, byte[] b, int bStart, int bEnd) {
    int length = aEnd - aStart;
    if (length != bEnd - bStart || prefix(a, aStart, aEnd) != prefix(b, bStart, bEnd)) {
      return false;
    }
    return length <= 8 || Arrays.equals(a, aStart + 8, aEnd, b, bStart + 8, bEnd);
  }
}
