package dev.varve.engine.kernel.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The encoded keys of some rows; see {@link KeyLayout}. In shape LONG a key is {@code first}, in
 * shape PAIR {@code first} then {@code second}; in shape BYTES it is {@code bytes[offsets[i] ..
 * offsets[i + 1])}, of which {@code first} has the first eight, filled up with zeros. Not to be
 * written once made; safe for concurrent reads.
 */
public final class RowKeys {
  static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final long[] NO_LONGS = {};
  private static final byte[] NO_BYTES = {};
  private static final int[] NO_OFFSETS = {};

  final KeyLayout.Shape shape;
  final int count;
  final long[] first;
  final long[] second;
  final byte[] bytes;
  final int[] offsets;

  private RowKeys(
      KeyLayout.Shape shape, int count, long[] first, long[] second, byte[] bytes, int[] offsets) {
    this.shape = shape;
    this.count = count;
    this.first = first;
    this.second = second;
    this.bytes = bytes;
    this.offsets = offsets;
  }

  static RowKeys ofLongs(int count, long[] first) {
    return new RowKeys(KeyLayout.Shape.LONG, count, first, NO_LONGS, NO_BYTES, NO_OFFSETS);
  }

  static RowKeys ofPairs(int count, long[] first, long[] second) {
    return new RowKeys(KeyLayout.Shape.PAIR, count, first, second, NO_BYTES, NO_OFFSETS);
  }

  static RowKeys ofBytes(int count, byte[] bytes, int[] offsets) {
    long[] first = new long[count];
    for (int i = 0; i < count; i++) {
      first[i] = prefix(bytes, offsets[i], offsets[i + 1]);
    }
    return new RowKeys(KeyLayout.Shape.BYTES, count, first, NO_LONGS, bytes, offsets);
  }

  /** The first eight bytes of [start, end), filled up with zeros. */
  static long prefix(byte[] bytes, int start, int end) {
    if (end - start >= 8) {
      return (long) BIG_ENDIAN_LONG.get(bytes, start);
    }
    long prefix = 0;
    for (int i = start; i < end; i++) {
      prefix = prefix << 8 | (bytes[i] & 0xFF);
    }
    return end == start ? 0 : prefix << 8 * (8 - (end - start));
  }

  public int count() {
    return count;
  }

  /** Negative, 0 or positive: row {@code i} of these against row {@code j} of the others. */
  public int compare(int i, RowKeys other, int j) {
    int order = Long.compareUnsigned(first[i], other.first[j]);
    if (order != 0) {
      return order;
    }
    return switch (shape) {
      case LONG -> 0;
      case PAIR -> Long.compareUnsigned(second[i], other.second[j]);
      case BYTES ->
          Arrays.compareUnsigned(
              bytes,
              offsets[i],
              offsets[i + 1],
              other.bytes,
              other.offsets[j],
              other.offsets[j + 1]);
    };
  }

  /** Writes the numbers of the rows whose key is below the first of {@code limit}; how many. */
  public int selectBelow(RowKeys limit, int[] rows) {
    int selected = 0;
    if (shape == KeyLayout.Shape.LONG) {
      long bound = limit.first[0] ^ Long.MIN_VALUE;
      for (int i = 0; i < count; i++) {
        rows[selected] = i;
        selected += (first[i] ^ Long.MIN_VALUE) < bound ? 1 : 0;
      }
      return selected;
    }
    for (int i = 0; i < count; i++) {
      rows[selected] = i;
      selected += compare(i, limit, 0) < 0 ? 1 : 0;
    }
    return selected;
  }

  public boolean equal(int i, RowKeys other, int j) {
    return first[i] == other.first[j] && compare(i, other, j) == 0;
  }

  /** Writes a hash of each row. */
  public void hash(long seed, long[] hashes) {
    switch (shape) {
      case LONG -> {
        for (int i = 0; i < count; i++) {
          hashes[i] = Mixing.mix(first[i] ^ seed);
        }
      }
      case PAIR -> {
        for (int i = 0; i < count; i++) {
          hashes[i] = Mixing.mix(first[i] ^ seed, second[i]);
        }
      }
      case BYTES -> {
        for (int i = 0; i < count; i++) {
          hashes[i] = Mixing.mix(bytes, offsets[i], offsets[i + 1], seed);
        }
      }
    }
  }

  public long sizeInBytes() {
    return 8L * first.length + 8L * second.length + bytes.length + 4L * offsets.length;
  }
}
