package dev.varve.writer.analyze;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The first half of MurmurHash3 for x64 with 128 bits, by Austin Appleby: what theta sketches
 * number values with.
 */
final class MurmurHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final int BLOCK = 16;

  private MurmurHash() {}

  static long hash(byte[] data, int start, int length, long seed) {
    long h1 = seed;
    long h2 = seed;
    int end = start + length / BLOCK * BLOCK;
    for (int at = start; at < end; at += BLOCK) {
      h1 ^= mixFirst((long) LONGS.get(data, at));
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
      h2 ^= mixSecond((long) LONGS.get(data, at + 8));
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    int rest = length % BLOCK;
    if (rest > 8) {
      h2 ^= mixSecond(little(data, end + 8, rest - 8));
    }
    if (rest > 0) {
      h1 ^= mixFirst(little(data, end, Math.min(rest, 8)));
    }
    return finish(h1, h2, length);
  }

  /** Of a value of up to eight bytes, the lowest first. */
  static long hash(long value, int length, long seed) {
    return finish(seed ^ mixFirst(value), seed, length);
  }

  private static long little(byte[] data, int start, int length) {
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << 8 | data[start + i] & 0xff;
    }
    return value;
  }

  private static long mixFirst(long k) {
    return Long.rotateLeft(k * C1, 31) * C2;
  }

  private static long mixSecond(long k) {
    return Long.rotateLeft(k * C2, 33) * C1;
  }

  private static long finish(long first, long second, int length) {
    long h1 = first ^ length;
    long h2 = second ^ length;
    h1 += h2;
    h2 += h1;
    return avalanche(h1) + avalanche(h2);
  }

  private static long avalanche(long value) {
    long h = value;
    h = (h ^ h >>> 33) * 0xff51afd7ed558ccdL;
    h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
    return h ^ h >>> 33;
  }
}
