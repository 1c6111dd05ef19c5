package dev.varve.engine.kernel.key;

/** Mixes key bits into hashes; finalizers after SplitMix64 (Steele, Lea, Flood 2014). */
final class Mixing {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mixing() {}

  static long mix(long value) {
    long h = value * GOLDEN;
    h ^= h >>> 32;
    h *= 0xD6E8FEB86659FD93L;
    h ^= h >>> 29;
    h *= 0xBF58476D1CE4E5B9L;
    return h ^ (h >>> 32);
  }

  static long mix(long first, long second) {
    return mix(mix(first) + second * GOLDEN);
  }

  static long mix(byte[] bytes, int start, int end, long seed) {
    long h = seed ^ (end - start) * GOLDEN;
    int at = start;
    for (; at + 8 <= end; at += 8) {
      h = Long.rotateLeft(h ^ (long) RowKeys.BIG_ENDIAN_LONG.get(bytes, at), 29) * GOLDEN;
      h ^= h >>> 32;
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << 8 | (bytes[at] & 0xFF);
    }
    return mix(h ^ rest);
  }
}
