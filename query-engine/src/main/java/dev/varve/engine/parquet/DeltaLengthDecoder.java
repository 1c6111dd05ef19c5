package dev.varve.engine.parquet;

/** DELTA_LENGTH_BYTE_ARRAY: all lengths, delta encoded, then all bytes. */
final class DeltaLengthDecoder extends PageDecoder {
  private static final int CHUNK = 1024;

  private final byte[] buffer;
  private final int end;
  private final DeltaBinaryDecoder lengths;
  private final int[] chunk = new int[CHUNK];
  private int position;

  DeltaLengthDecoder(byte[] buffer, int start, int end) {
    super("DELTA_LENGTH_BYTE_ARRAY");
    this.buffer = buffer;
    this.end = end;
    this.lengths = new DeltaBinaryDecoder(buffer, start, end);
    // The lengths are read twice, once for where they end: they are never held all at once.
    this.position = new DeltaBinaryDecoder(buffer, start, end).endPosition();
  }

  @Override
  void bytes(BytesSink sink, int at, int count) {
    int done = 0;
    while (done < count) {
      int n = Math.min(CHUNK, count - done);
      int total = nextLengths(n);
      int used = sink.offsets[at + done];
      sink.ensure(used, total);
      System.arraycopy(buffer, position, sink.data, used, total);
      for (int i = 0; i < n; i++) {
        used += chunk[i];
        sink.offsets[at + done + i + 1] = used;
      }
      position += total;
      done += n;
    }
  }

  @Override
  void skip(int count) {
    int done = 0;
    while (done < count) {
      int n = Math.min(CHUNK, count - done);
      position += nextLengths(n);
      done += n;
    }
  }

  /** For DELTA_BYTE_ARRAY: the length of the next value, whose bytes are then at {@link #take}. */
  int nextLength() {
    return nextLengths(1);
  }

  /** Passes over {@code length} bytes and answers where they are. */
  int take(int length) {
    int at = position;
    position += length;
    return at;
  }

  private int nextLengths(int count) {
    lengths.ints(chunk, 0, count);
    long total = 0;
    for (int i = 0; i < count; i++) {
      if (chunk[i] < 0) {
        throw new CorruptPageException("a value has a length of " + chunk[i]);
      }
      total += chunk[i];
    }
    if (total > end - position) {
      throw tooFew(count, end - position);
    }
    return (int) total;
  }
}
