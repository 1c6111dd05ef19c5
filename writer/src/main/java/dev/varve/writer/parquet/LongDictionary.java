package dev.varve.writer.parquet;

import java.util.Arrays;

/** Distinct longs in the order in which they came; open addressing. Confined to one task. */
final class LongDictionary {
  private static final int FIRST_SLOTS = 256;

  private long[] values = new long[FIRST_SLOTS / 2];

  /** Code + 1, or 0 where a slot is free. */
  private int[] slots = new int[FIRST_SLOTS];

  private int size;

  int size() {
    return size;
  }

  long value(int code) {
    return values[code];
  }

  long[] values() {
    return values;
  }

  /** The code of a value; a new one equals the size before the call. */
  int code(long value) {
    int mask = slots.length - 1;
    int at = hash(value) & mask;
    while (true) {
      int slot = slots[at];
      if (slot == 0) {
        break;
      }
      if (values[slot - 1] == value) {
        return slot - 1;
      }
      at = (at + 1) & mask;
    }
    if (size == values.length) {
      grow();
      return code(value);
    }
    values[size] = value;
    slots[at] = ++size;
    return size - 1;
  }

  private void grow() {
    values = Arrays.copyOf(values, 2 * values.length);
    int[] larger = new int[2 * slots.length];
    int mask = larger.length - 1;
    for (int code = 0; code < size; code++) {
      int at = hash(values[code]) & mask;
      while (larger[at] != 0) {
        at = (at + 1) & mask;
      }
      larger[at] = code + 1;
    }
    slots = larger;
  }

  private static int hash(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return (int) (mixed ^ mixed >>> 32);
  }

  long heldBytes() {
    return 8L * values.length + 4L * slots.length;
  }
}
