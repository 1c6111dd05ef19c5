package dev.varve.writer.parquet;

/**
 * Parquet's hybrid of run lengths and bit packing, without a length before it: a run is {@code
 * varint(length << 1)} and the value in whole bytes, packed values are {@code varint(groups << 1 |
 * 1)} and groups of 8 values.
 */
final class RunLength {
  private static final int GROUP = 8;

  private RunLength() {}

  /**
   * {@code values} must have room for 7 more than {@code count}: the last group is padded there.
   */
  static void encode(int[] values, int count, int width, ByteSink out) {
    int packedFrom = 0;
    int at = 0;
    while (at < count) {
      int run = at + 1;
      int value = values[at];
      while (run < count && values[run] == value) {
        run++;
      }
      // A run first fills up the group that is open; it is worth its header only if 8 are left.
      int fill = (GROUP - (at - packedFrom) % GROUP) % GROUP;
      if (run - at - fill >= GROUP) {
        pack(values, packedFrom, at + fill, width, out);
        at += fill;
        out.writeVarint((long) (run - at) << 1);
        writeValue(value, width, out);
        packedFrom = run;
      }
      at = run;
    }
    pack(values, packedFrom, count, width, out);
  }

  /** The same value {@code count} times. */
  static void encodeRun(int value, int count, int width, ByteSink out) {
    out.writeVarint((long) count << 1);
    writeValue(value, width, out);
  }

  private static void pack(int[] values, int from, int to, int width, ByteSink out) {
    if (from == to) {
      return;
    }
    int groups = (to - from + GROUP - 1) / GROUP;
    int end = from + groups * GROUP;
    for (int i = to; i < end; i++) {
      values[i] = 0;
    }
    out.writeVarint((long) groups << 1 | 1);
    out.writeBits(values, from, end - from, width);
  }

  private static void writeValue(int value, int width, ByteSink out) {
    for (int bits = 0; bits < width; bits += 8) {
      out.write(value >>> bits);
    }
  }
}
