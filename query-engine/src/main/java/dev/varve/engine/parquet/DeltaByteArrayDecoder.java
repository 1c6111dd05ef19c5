package dev.varve.engine.parquet;

import java.util.Arrays;

/** DELTA_BYTE_ARRAY: how much of the value before a value starts with, and what follows. */
final class DeltaByteArrayDecoder extends PageDecoder {
  private final byte[] buffer;
  private final DeltaBinaryDecoder prefixes;
  private final DeltaLengthDecoder suffixes;
  private final int[] one = new int[1];
  private byte[] value = new byte[64];
  private int length;

  DeltaByteArrayDecoder(byte[] buffer, int start, int end) {
    super("DELTA_BYTE_ARRAY");
    this.buffer = buffer;
    this.prefixes = new DeltaBinaryDecoder(buffer, start, end);
    int suffixesAt = new DeltaBinaryDecoder(buffer, start, end).endPosition();
    this.suffixes = new DeltaLengthDecoder(buffer, suffixesAt, end);
  }

  @Override
  void bytes(BytesSink sink, int at, int count) {
    for (int i = 0; i < count; i++) {
      next();
      int used = sink.offsets[at + i];
      sink.ensure(used, length);
      System.arraycopy(value, 0, sink.data, used, length);
      sink.offsets[at + i + 1] = used + length;
    }
  }

  @Override
  void skip(int count) {
    for (int i = 0; i < count; i++) {
      next();
    }
  }

  private void next() {
    prefixes.ints(one, 0, 1);
    int prefix = one[0];
    if (prefix < 0 || prefix > length) {
      throw new CorruptPageException(
          "a value shares " + prefix + " bytes with one of " + length + " bytes");
    }
    int suffix = suffixes.nextLength();
    int from = suffixes.take(suffix);
    if (prefix + suffix > value.length) {
      value = Arrays.copyOf(value, Math.max(prefix + suffix, value.length * 2));
    }
    System.arraycopy(buffer, from, value, prefix, suffix);
    length = prefix + suffix;
  }
}
