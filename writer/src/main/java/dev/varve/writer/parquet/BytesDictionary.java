package dev.varve.writer.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Distinct byte strings in the order in which they came; open addressing. Confined to one task. */
final class BytesDictionary {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_SLOTS = 256;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private byte[] data = new byte[1024];

  /** Entry i is {@code data[offsets[i] .. offsets[i + 1])}. */
  private int[] offsets = new int[FIRST_SLOTS / 2 + 1];

  private int[] hashes = new int[FIRST_SLOTS / 2];

  /** Code + 1, or 0 where a slot is free. */
  private int[] slots = new int[FIRST_SLOTS];

  private int size;

  int size() {
    return size;
  }

  byte[] data() {
    return data;
  }

  int start(int code) {
    return offsets[code];
  }

  int end(int code) {
    return offsets[code + 1];
  }

  int dataBytes() {
    return offsets[size];
  }

  /** The code of a value; a new one equals the size before the call. */
  int code(byte[] source, int start, int length) {
    int hash = hash(source, start, length);
    int mask = slots.length - 1;
    int at = hash & mask;
    while (true) {
      int slot = slots[at];
      if (slot == 0) {
        break;
      }
      int code = slot - 1;
      if (hashes[code] == hash
          && Arrays.equals(data, offsets[code], offsets[code + 1], source, start, start + length)) {
        return code;
      }
      at = (at + 1) & mask;
    }
    if (size == hashes.length) {
      grow();
      return code(source, start, length);
    }
    append(source, start, length);
    hashes[size] = hash;
    slots[at] = ++size;
    return size - 1;
  }

  private void append(byte[] source, int start, int length) {
    int from = offsets[size];
    int to = Math.addExact(from, length);
    if (to > data.length) {
      data =
          Arrays.copyOf(
              data, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(to, 2L * data.length)));
    }
    System.arraycopy(source, start, data, from, length);
    offsets[size + 1] = to;
  }

  private void grow() {
    offsets = Arrays.copyOf(offsets, 2 * hashes.length + 1);
    hashes = Arrays.copyOf(hashes, 2 * hashes.length);
    int[] larger = new int[2 * slots.length];
    int mask = larger.length - 1;
    for (int code = 0; code < size; code++) {
      int at = hashes[code] & mask;
      while (larger[at] != 0) {
        at = (at + 1) & mask;
      }
      larger[at] = code + 1;
    }
    slots = larger;
  }

  /** Eight bytes a step. */
  static int hash(byte[] source, int start, int length) {
    long hash = length * MIX;
    int at = start;
    int end = start + length;
    for (; at + 8 <= end; at += 8) {
      hash = (hash ^ (long) LONGS.get(source, at)) * MIX;
      hash ^= hash >>> 32;
    }
    long tail = 0;
    for (; at < end; at++) {
      tail = tail << 8 | (source[at] & 0xFF);
    }
    hash = (hash ^ tail) * MIX;
    return (int) (hash ^ hash >>> 32);
  }

  long heldBytes() {
    return data.length + 4L * (offsets.length + hashes.length + slots.length);
  }
}
