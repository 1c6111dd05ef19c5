package dev.varve.writer.parquet;

import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing byte array. Confined to one task. */
final class ByteSink extends OutputStream {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int size;

  ByteSink(int capacity) {
    bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  int capacity() {
    return bytes.length;
  }

  /** The backing array; only its first {@link #size} bytes count, until the next write. */
  byte[] array() {
    return bytes;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void reset() {
    size = 0;
  }

  /** Makes room for {@code more} bytes. */
  void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.max(needed, Math.min(Integer.MAX_VALUE - 16, 2L * bytes.length)));
    }
  }

  /** Claims bytes that were written into {@link #array} directly. */
  void advance(int count) {
    size += count;
  }

  @Override
  public void write(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  @Override
  public void write(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, bytes, size, count);
    size += count;
  }

  void writeInt(int value) {
    reserve(4);
    INTS.set(bytes, size, value);
    size += 4;
  }

  void writeLong(long value) {
    reserve(8);
    LONGS.set(bytes, size, value);
    size += 8;
  }

  void writeInts(int[] values, int count) {
    reserve(Math.multiplyExact(4, count));
    int at = size;
    for (int i = 0; i < count; i++) {
      INTS.set(bytes, at + 4 * i, values[i]);
    }
    size = at + 4 * count;
  }

  void writeLongs(long[] values, int count) {
    reserve(Math.multiplyExact(8, count));
    int at = size;
    for (int i = 0; i < count; i++) {
      LONGS.set(bytes, at + 8 * i, values[i]);
    }
    size = at + 8 * count;
  }

  /** Unsigned LEB128. */
  void writeVarint(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  void writeZigZag(long value) {
    writeVarint((value << 1) ^ (value >> 63));
  }

  /**
   * The lowest {@code width} bits of each value, least significant first; a multiple of 8 values.
   */
  void writeBits(int[] values, int from, int count, int width) {
    if (width == 0) {
      return;
    }
    reserve(count / 8 * width + 8);
    long pending = 0;
    int bits = 0;
    int at = size;
    for (int i = from; i < from + count; i++) {
      pending |= (values[i] & 0xFFFF_FFFFL) << bits;
      bits += width;
      if (bits >= 32) {
        INTS.set(bytes, at, (int) pending);
        at += 4;
        pending >>>= 32;
        bits -= 32;
      }
    }
    for (; bits > 0; bits -= 8) {
      bytes[at++] = (byte) pending;
      pending >>>= 8;
    }
    size = at;
  }

  /** As {@link #writeBits}, for values of up to 64 bits that have no higher bit set. */
  void writeLongBits(long[] values, int from, int count, int width) {
    if (width == 0) {
      return;
    }
    reserve(count / 8 * width + 16);
    long pending = 0;
    int bits = 0;
    int at = size;
    for (int i = from; i < from + count; i++) {
      long value = values[i];
      pending |= value << bits;
      int total = bits + width;
      if (total >= 64) {
        LONGS.set(bytes, at, pending);
        at += 8;
        pending = bits == 0 ? 0 : value >>> (64 - bits);
        bits = total - 64;
      } else {
        bits = total;
      }
    }
    for (; bits > 0; bits -= 8) {
      bytes[at++] = (byte) pending;
      pending >>>= 8;
    }
    size = at;
  }
}
