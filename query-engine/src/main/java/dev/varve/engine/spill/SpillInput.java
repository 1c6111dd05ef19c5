package dev.varve.engine.spill;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads arrays from a part of a file, ahead through a buffer. Confined to one task. */
final class SpillInput {
  private final SpillStorage.Handle handle;
  private final long end;
  private final ByteBuffer buffer;
  private long position;

  SpillInput(SpillStorage.Handle handle, SpillFile.Segment segment, int bufferBytes) {
    this.handle = handle;
    this.position = segment.start();
    this.end = segment.end();
    this.buffer = ByteBuffer.allocate(bufferBytes).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  }

  boolean atEnd() {
    return position == end && !buffer.hasRemaining();
  }

  /** Makes at least {@code bytes} of at most eight available in the buffer. */
  private void need(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      buffer.compact();
      while (buffer.position() < bytes) {
        long left = end - position;
        buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + left));
        int read = left == 0 ? -1 : handle.read(buffer, position);
        if (read <= 0) {
          throw new EOFException("the spill file ends at byte " + position + " of " + end);
        }
        position += read;
      }
      buffer.flip();
    }
  }

  int getInt() throws IOException {
    need(Integer.BYTES);
    return buffer.getInt();
  }

  byte[] getBytes(int count) throws IOException {
    byte[] bytes = new byte[count];
    int at = 0;
    while (at < count) {
      need(1);
      int now = Math.min(count - at, buffer.remaining());
      buffer.get(bytes, at, now);
      at += now;
    }
    return bytes;
  }

  int[] getInts(int count) throws IOException {
    int[] values = new int[count];
    int at = 0;
    while (at < count) {
      need(Integer.BYTES);
      int now = Math.min(count - at, buffer.remaining() / Integer.BYTES);
      buffer.asIntBuffer().get(values, at, now);
      buffer.position(buffer.position() + now * Integer.BYTES);
      at += now;
    }
    return values;
  }

  long[] getLongs(int count) throws IOException {
    long[] values = new long[count];
    int at = 0;
    while (at < count) {
      need(Long.BYTES);
      int now = Math.min(count - at, buffer.remaining() / Long.BYTES);
      buffer.asLongBuffer().get(values, at, now);
      buffer.position(buffer.position() + now * Long.BYTES);
      at += now;
    }
    return values;
  }

  float[] getFloats(int count) throws IOException {
    float[] values = new float[count];
    int at = 0;
    while (at < count) {
      need(Float.BYTES);
      int now = Math.min(count - at, buffer.remaining() / Float.BYTES);
      buffer.asFloatBuffer().get(values, at, now);
      buffer.position(buffer.position() + now * Float.BYTES);
      at += now;
    }
    return values;
  }

  double[] getDoubles(int count) throws IOException {
    double[] values = new double[count];
    int at = 0;
    while (at < count) {
      need(Double.BYTES);
      int now = Math.min(count - at, buffer.remaining() / Double.BYTES);
      buffer.asDoubleBuffer().get(values, at, now);
      buffer.position(buffer.position() + now * Double.BYTES);
      at += now;
    }
    return values;
  }

  /** Pairs of lower and upper halves, apart. */
  void getPairs(long[] high, long[] low) throws IOException {
    for (int i = 0; i < low.length; i++) {
      need(Long.BYTES);
      low[i] = buffer.getLong();
      need(Long.BYTES);
      high[i] = buffer.getLong();
    }
  }

  /** Bits as bytes of 0 or 1. */
  byte[] getBits(int count) throws IOException {
    byte[] flags = new byte[count];
    for (int i = 0; i < count; i += 8) {
      need(1);
      int bits = buffer.get();
      int end8 = Math.min(8, count - i);
      for (int b = 0; b < end8; b++) {
        flags[i + b] = (byte) (bits >>> b & 1);
      }
    }
    return flags;
  }

  /** Passes over the padding after {@code size} bytes. */
  void skipPadding(long size) throws IOException {
    for (long at = size; (at & 7) != 0; at++) {
      need(1);
      buffer.get();
    }
  }
}
