package dev.varve.engine.parquet;

/** BYTE_STREAM_SPLIT: the first bytes of all values, then the second bytes, and so on. */
final class ByteStreamSplitDecoder extends PageDecoder {
  private final byte[] buffer;
  private final int start;
  private final int width;
  private final int values;
  private int next;

  ByteStreamSplitDecoder(byte[] buffer, int start, int end, int width) {
    super("BYTE_STREAM_SPLIT");
    if (width <= 0) {
      throw wrongType("variable length");
    }
    this.buffer = buffer;
    this.start = start;
    this.width = width;
    this.values = (end - start) / width;
  }

  @Override
  void ints(int[] target, int at, int count) {
    take(count, 4);
    for (int i = 0; i < count; i++) {
      target[at + i] = (int) gather(next + i);
    }
    next += count;
  }

  @Override
  void longs(long[] target, int at, int count) {
    take(count, 8);
    for (int i = 0; i < count; i++) {
      target[at + i] = gather(next + i);
    }
    next += count;
  }

  @Override
  void floats(float[] target, int at, int count) {
    take(count, 4);
    for (int i = 0; i < count; i++) {
      target[at + i] = Float.intBitsToFloat((int) gather(next + i));
    }
    next += count;
  }

  @Override
  void doubles(double[] target, int at, int count) {
    take(count, 8);
    for (int i = 0; i < count; i++) {
      target[at + i] = Double.longBitsToDouble(gather(next + i));
    }
    next += count;
  }

  @Override
  void bytes(BytesSink sink, int at, int count) {
    take(count, width);
    int used = sink.offsets[at];
    sink.ensure(used, (long) count * width);
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < width; k++) {
        sink.data[used++] = buffer[start + k * values + next + i];
      }
      sink.offsets[at + i + 1] = used;
    }
    next += count;
  }

  @Override
  void skip(int count) {
    take(count, width);
    next += count;
  }

  private long gather(int index) {
    long value = 0;
    for (int k = 0; k < width; k++) {
      value |= (buffer[start + k * values + index] & 0xffL) << (8 * k);
    }
    return value;
  }

  private void take(int count, int bytes) {
    if (bytes != width) {
      throw wrongType(bytes + " byte");
    }
    if (count > values - next) {
      throw tooFew(count, (long) (values - next) * width);
    }
  }
}
