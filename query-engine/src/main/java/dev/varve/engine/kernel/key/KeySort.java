package dev.varve.engine.kernel.key;

import java.util.Arrays;
import java.util.List;

/**
 * Sorts rows by their encoded keys, stably: radix passes over the bytes that differ, eight bytes at
 * a time. Of keys longer than that the rows that are still equal are sorted by the next eight; few
 * rows, and keys with a long common beginning, by merging.
 */
public final class KeySort {
  private static final int SMALL = 64;
  private static final int MAX_RADIX_DEPTH = 64;

  private final RowKeys[] blocks;
  private final int count;
  private final int[] blockOf;
  private final int[] start;
  private final Runnable check;

  private KeySort(List<RowKeys> blocks, Runnable check) {
    this.blocks = blocks.toArray(RowKeys[]::new);
    this.check = check;
    this.start = new int[blocks.size() + 1];
    for (int b = 0; b < blocks.size(); b++) {
      start[b + 1] = Math.addExact(start[b], blocks.get(b).count);
    }
    this.count = start[blocks.size()];
    this.blockOf = new int[count];
    for (int b = 0; b < blocks.size(); b++) {
      Arrays.fill(blockOf, start[b], start[b + 1], b);
    }
  }

  /** Rows in order: row i is row {@code rows[i]} of block {@code blocks[i]}. */
  public record Order(int[] blocks, int[] rows) {
    public int count() {
      return rows.length;
    }
  }

  /** Bytes that sorting takes for each row, beside the keys. */
  public static int bytesPerRow(KeyLayout layout) {
    return layout.shape() == KeyLayout.Shape.PAIR ? 48 : 32;
  }

  /** The stable order of all rows of the blocks; {@code check} may throw to end the sort. */
  public static Order sort(List<RowKeys> blocks, Runnable check) {
    return new KeySort(blocks, check).run();
  }

  private Order run() {
    int[] index = new int[count];
    for (int i = 0; i < count; i++) {
      index[i] = i;
    }
    KeyLayout.Shape shape = blocks.length == 0 ? KeyLayout.Shape.LONG : blocks[0].shape;
    if (count < SMALL) {
      mergeSort(index, 0, count);
    } else {
      Keyed keyed = new Keyed(new long[count], index);
      if (shape == KeyLayout.Shape.PAIR) {
        fill(keyed, true);
        radix(keyed);
      }
      fill(keyed, false);
      radix(keyed);
      index = keyed.index;
      if (shape == KeyLayout.Shape.BYTES) {
        refineTies(keyed.keys, index, 0, 8);
      }
    }
    int[] rowBlocks = new int[count];
    for (int i = 0; i < count; i++) {
      rowBlocks[i] = blockOf[index[i]];
      index[i] -= start[rowBlocks[i]];
    }
    return new Order(rowBlocks, index);
  }

  /** Row numbers with the part of their keys that is being sorted by. */
  private static final class Keyed {
    private long[] keys;
    private int[] index;

    private Keyed(long[] keys, int[] index) {
      this.keys = keys;
      this.index = index;
    }
  }

  private void fill(Keyed keyed, boolean second) {
    for (int i = 0; i < count; i++) {
      int row = keyed.index[i];
      RowKeys block = blocks[blockOf[row]];
      keyed.keys[i] = (second ? block.second : block.first)[row - start[blockOf[row]]];
    }
  }

  /** Sorts stably by the keys, as unsigned numbers. */
  private void radix(Keyed keyed) {
    long[] keys = keyed.keys;
    int[] index = keyed.index;
    int size = keys.length;
    long any = 0;
    boolean ascending = true;
    for (int i = 1; i < size; i++) {
      any |= keys[i] ^ keys[0];
      ascending &= Long.compareUnsigned(keys[i - 1], keys[i]) <= 0;
    }
    if (ascending) {
      return;
    }
    long[] nextKeys = new long[size];
    int[] nextIndex = new int[size];
    for (int shift = 0; shift < 64; shift += 8) {
      if ((any >>> shift & 0xFF) == 0) {
        continue;
      }
      check.run();
      int[] position = new int[257];
      for (int i = 0; i < size; i++) {
        position[(int) (keys[i] >>> shift & 0xFF) + 1]++;
      }
      for (int b = 0; b < 256; b++) {
        position[b + 1] += position[b];
      }
      for (int i = 0; i < size; i++) {
        int to = position[(int) (keys[i] >>> shift & 0xFF)]++;
        nextKeys[to] = keys[i];
        nextIndex[to] = index[i];
      }
      long[] keysBefore = keys;
      keys = nextKeys;
      nextKeys = keysBefore;
      int[] indexBefore = index;
      index = nextIndex;
      nextIndex = indexBefore;
    }
    keyed.keys = keys;
    keyed.index = index;
  }

  /** Sorts rows of equal keys, from {@code from} on, by what follows their first bytes. */
  private void refineTies(long[] keys, int[] index, int from, int depth) {
    int low = 0;
    while (low < keys.length) {
      int high = low + 1;
      while (high < keys.length && keys[high] == keys[low]) {
        high++;
      }
      if (high - low > 1) {
        refine(index, from + low, from + high, depth);
      }
      low = high;
    }
  }

  /** Sorts rows [from, to), whose keys are equal in their first {@code depth} bytes. */
  private void refine(int[] index, int from, int to, int depth) {
    if (to - from < SMALL || depth >= MAX_RADIX_DEPTH) {
      mergeSort(index, from, to);
      return;
    }
    Keyed keyed = new Keyed(new long[to - from], Arrays.copyOfRange(index, from, to));
    boolean longer = false;
    for (int i = 0; i < keyed.keys.length; i++) {
      int row = keyed.index[i];
      RowKeys block = blocks[blockOf[row]];
      int at = block.offsets[row - start[blockOf[row]]] + depth;
      int end = block.offsets[row - start[blockOf[row]] + 1];
      keyed.keys[i] = RowKeys.prefix(block.bytes, Math.min(at, end), end);
      longer |= end - at > 8;
    }
    radix(keyed);
    System.arraycopy(keyed.index, 0, index, from, to - from);
    if (longer) {
      refineTies(keyed.keys, index, from, depth + 8);
    }
  }

  private int compare(int left, int right) {
    int leftBlock = blockOf[left];
    int rightBlock = blockOf[right];
    return blocks[leftBlock].compare(
        left - start[leftBlock], blocks[rightBlock], right - start[rightBlock]);
  }

  /** Stable, bottom-up: runs of eight by insertion, then merges. */
  private void mergeSort(int[] index, int from, int to) {
    int run = 8;
    for (int low = from; low < to; low += run) {
      insertionSort(index, low, Math.min(low + run, to));
    }
    if (to - from <= run) {
      return;
    }
    int[] buffer = new int[to - from];
    for (int width = run; width < to - from; width *= 2) {
      check.run();
      for (int low = from; low < to - width; low += 2 * width) {
        merge(index, low, low + width, Math.min(low + 2 * width, to), buffer);
      }
    }
  }

  private void insertionSort(int[] index, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int row = index[i];
      int at = i;
      while (at > from && compare(index[at - 1], row) > 0) {
        index[at] = index[at - 1];
        at--;
      }
      index[at] = row;
    }
  }

  private void merge(int[] index, int low, int middle, int high, int[] buffer) {
    if (compare(index[middle - 1], index[middle]) <= 0) {
      return;
    }
    int size = middle - low;
    System.arraycopy(index, low, buffer, 0, size);
    int left = 0;
    int right = middle;
    int out = low;
    while (left < size && right < high) {
      index[out++] = compare(buffer[left], index[right]) <= 0 ? buffer[left++] : index[right++];
    }
    System.arraycopy(buffer, left, index, out, size - left);
  }
}
