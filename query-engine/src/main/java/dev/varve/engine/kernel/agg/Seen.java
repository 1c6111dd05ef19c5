package dev.varve.engine.kernel.agg;

import org.jspecify.annotations.Nullable;

/** Validity masks of results. */
final class Seen {
  private Seen() {}

  /** 0 where nothing was counted; null if there is no such group. */
  static byte @Nullable [] validity(long[] counts, int from, int count) {
    return validity(counts, from, count, 1);
  }

  /** 0 where fewer than {@code least} were counted. */
  static byte @Nullable [] validity(long[] counts, int from, int count, long least) {
    byte[] validity = new byte[count];
    boolean all = true;
    for (int i = 0; i < count; i++) {
      boolean valid = counts[from + i] >= least;
      validity[i] = (byte) (valid ? 1 : 0);
      all &= valid;
    }
    return all ? null : validity;
  }

  static byte @Nullable [] validity(byte[] seen, int from, int count) {
    int all = 1;
    for (int i = from; i < from + count; i++) {
      all &= seen[i];
    }
    return all == 1 ? null : java.util.Arrays.copyOfRange(seen, from, from + count);
  }
}
