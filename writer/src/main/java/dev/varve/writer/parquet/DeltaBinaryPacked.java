package dev.varve.writer.parquet;

/**
 * DELTA_BINARY_PACKED: blocks of 128 differences, each in four miniblocks with a bit width of its
 * own. Differences wrap around, in 32 bits for INT32 and in 64 for INT64, as readers add them.
 */
final class DeltaBinaryPacked {
  private static final int BLOCK = 128;
  private static final int MINIBLOCKS = 4;
  private static final int MINIBLOCK = BLOCK / MINIBLOCKS;

  private final long[] deltas = new long[BLOCK];

  void encode(int[] values, int count, ByteSink out) {
    header(count, count == 0 ? 0 : values[0], out);
    for (int from = 1; from < count; from += BLOCK) {
      int n = Math.min(BLOCK, count - from);
      int least = Integer.MAX_VALUE;
      for (int i = 0; i < n; i++) {
        int delta = values[from + i] - values[from + i - 1];
        deltas[i] = delta;
        least = Math.min(least, delta);
      }
      for (int i = 0; i < n; i++) {
        deltas[i] = (deltas[i] - least) & 0xFFFF_FFFFL;
      }
      block(n, least, out);
    }
  }

  void encode(long[] values, int count, ByteSink out) {
    header(count, count == 0 ? 0 : values[0], out);
    for (int from = 1; from < count; from += BLOCK) {
      int n = Math.min(BLOCK, count - from);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < n; i++) {
        long delta = values[from + i] - values[from + i - 1];
        deltas[i] = delta;
        least = Math.min(least, delta);
      }
      for (int i = 0; i < n; i++) {
        deltas[i] -= least;
      }
      block(n, least, out);
    }
  }

  private static void header(int count, long first, ByteSink out) {
    out.writeVarint(BLOCK);
    out.writeVarint(MINIBLOCKS);
    out.writeVarint(count);
    out.writeZigZag(first);
  }

  private void block(int count, long least, ByteSink out) {
    for (int i = count; i < BLOCK; i++) {
      deltas[i] = 0;
    }
    out.writeZigZag(least);
    int[] widths = new int[MINIBLOCKS];
    for (int m = 0; m < MINIBLOCKS; m++) {
      long all = 0;
      for (int i = m * MINIBLOCK; i < (m + 1) * MINIBLOCK; i++) {
        all |= deltas[i];
      }
      widths[m] = 64 - Long.numberOfLeadingZeros(all);
      out.write(widths[m]);
    }
    for (int m = 0; m * MINIBLOCK < count; m++) {
      out.writeLongBits(deltas, m * MINIBLOCK, MINIBLOCK, widths[m]);
    }
  }
}
