package dev.varve.engine.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes arrays to a file one after the other, through a buffer. Confined to one task. */
final class SpillOutput {
  private static final int LEAST_BUFFER = 1 << 10;
  private static final int LARGEST_BUFFER = 64 << 10;

  private final SpillStorage.Handle handle;
  private final ByteBuffer buffer;
  private long written;

  SpillOutput(SpillStorage.Handle handle, int bufferBytes) {
    this.handle = handle;
    this.buffer = ByteBuffer.allocate(bufferBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A buffer in proportion to the batches: few bytes where memory is short. */
  static int bufferFor(long batchBytes) {
    long quarter = Math.max(LEAST_BUFFER, Math.min(LARGEST_BUFFER, batchBytes / 4));
    return Integer.highestOneBit((int) quarter);
  }

  /** Bytes put so far. */
  long total() {
    return written + buffer.position();
  }

  private void flushIfFull() throws IOException {
    if (buffer.remaining() < Long.BYTES) {
      flush();
    }
  }

  void flush() throws IOException {
    buffer.flip();
    int size = buffer.remaining();
    handle.write(buffer, written);
    written += size;
    buffer.clear();
  }

  void put(byte[] bytes) throws IOException {
    put(bytes, 0, bytes.length);
  }

  void put(byte[] bytes, int from, int count) throws IOException {
    int at = from;
    int left = count;
    while (left > 0) {
      flushIfFull();
      int now = Math.min(left, buffer.remaining());
      buffer.put(bytes, at, now);
      at += now;
      left -= now;
    }
  }

  void putByte(int value) throws IOException {
    flushIfFull();
    buffer.put((byte) value);
  }

  void putInt(int value) throws IOException {
    flushIfFull();
    buffer.putInt(value);
  }

  void putLong(long value) throws IOException {
    flushIfFull();
    buffer.putLong(value);
  }

  void put(int[] values, int from, int count) throws IOException {
    int at = from;
    int left = count;
    while (left > 0) {
      flushIfFull();
      int now = Math.min(left, buffer.remaining() / Integer.BYTES);
      buffer.asIntBuffer().put(values, at, now);
      buffer.position(buffer.position() + now * Integer.BYTES);
      at += now;
      left -= now;
    }
  }

  void put(long[] values, int from, int count) throws IOException {
    int at = from;
    int left = count;
    while (left > 0) {
      flushIfFull();
      int now = Math.min(left, buffer.remaining() / Long.BYTES);
      buffer.asLongBuffer().put(values, at, now);
      buffer.position(buffer.position() + now * Long.BYTES);
      at += now;
      left -= now;
    }
  }

  void put(float[] values, int from, int count) throws IOException {
    int at = from;
    int left = count;
    while (left > 0) {
      flushIfFull();
      int now = Math.min(left, buffer.remaining() / Float.BYTES);
      buffer.asFloatBuffer().put(values, at, now);
      buffer.position(buffer.position() + now * Float.BYTES);
      at += now;
      left -= now;
    }
  }

  void put(double[] values, int from, int count) throws IOException {
    int at = from;
    int left = count;
    while (left > 0) {
      flushIfFull();
      int now = Math.min(left, buffer.remaining() / Double.BYTES);
      buffer.asDoubleBuffer().put(values, at, now);
      buffer.position(buffer.position() + now * Double.BYTES);
      at += now;
      left -= now;
    }
  }

  /** Bytes of 0 or 1 as bits, the first in the lowest. */
  void putBits(byte[] flags, int from, int count) throws IOException {
    for (int i = 0; i < count; i += 8) {
      int bits = 0;
      int end = Math.min(8, count - i);
      for (int b = 0; b < end; b++) {
        bits |= flags[from + i + b] << b;
      }
      putByte(bits);
    }
  }

  /** Zeros up to the next multiple of eight after {@code size} bytes. */
  void pad(long size) throws IOException {
    for (long at = size; (at & 7) != 0; at++) {
      putByte(0);
    }
  }
}
