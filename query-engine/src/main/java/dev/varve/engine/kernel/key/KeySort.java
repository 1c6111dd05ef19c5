package dev.varve.engine.kernel.key;

import java.util.Arrays;
import java.util.List;

/**
 * Sorts rows by their encoded keys, stably: radix passes over the bytes that differ, then, for keys
 * longer than a prefix, a merge sort of the rows whose prefixes are equal.
 */
public final class KeySort {
  private static final int SMALL = 64;

  private final List<RowKeys> blocks;
  private final int count;
  private final int[] blockOf;
  private final int[] start;
  private final Runnable check;

  private KeySort(List<RowKeys> blocks, Runnable check) {
    this.blocks = blocks;
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
    KeyLayout.Shape shape = blocks.isEmpty() ? KeyLayout.Shape.LONG : blocks.get(0).shape;
    if (count < SMALL) {
      mergeSort(index, 0, count);
    } else {
      if (shape == KeyLayout.Shape.PAIR) {
        index = radix(seconds(index), index);
      }
      long[] first = firsts(index);
      index = radix(first, index);
      if (shape == KeyLayout.Shape.BYTES) {
        sortTies(index);
      }
    }
    int[] rowBlocks = new int[count];
    for (int i = 0; i < count; i++) {
      rowBlocks[i] = blockOf[index[i]];
      index[i] -= start[rowBlocks[i]];
    }
    return new Order(rowBlocks, index);
  }

  private long[] firsts(int[] index) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      int block = blockOf[index[i]];
      keys[i] = blocks.get(block).first[index[i] - start[block]];
    }
    return keys;
  }

  private long[] seconds(int[] index) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      int block = blockOf[index[i]];
      keys[i] = blocks.get(block).second[index[i] - start[block]];
    }
    return keys;
  }

  /** The index in ascending unsigned order of its keys; both arrays are used up. */
  private int[] radix(long[] keys, int[] index) {
    long any = 0;
    for (int i = 1; i < count; i++) {
      any |= keys[i] ^ keys[0];
    }
    if (isAscending(keys)) {
      return index;
    }
    long[] nextKeys = new long[count];
    int[] nextIndex = new int[count];
    for (int shift = 0; shift < 64; shift += 8) {
      if ((any >>> shift & 0xFF) == 0) {
        continue;
      }
      check.run();
      int[] position = new int[257];
      for (int i = 0; i < count; i++) {
        position[(int) (keys[i] >>> shift & 0xFF) + 1]++;
      }
      for (int b = 0; b < 256; b++) {
        position[b + 1] += position[b];
      }
      for (int i = 0; i < count; i++) {
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
    return index;
  }

  private boolean isAscending(long[] keys) {
    for (int i = 1; i < count; i++) {
      if (Long.compareUnsigned(keys[i - 1], keys[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  private void sortTies(int[] index) {
    int from = 0;
    while (from < count) {
      long prefix = prefix(index[from]);
      int to = from + 1;
      while (to < count && prefix(index[to]) == prefix) {
        to++;
      }
      if (to - from > 1) {
        mergeSort(index, from, to);
      }
      from = to;
    }
  }

  private long prefix(int row) {
    int block = blockOf[row];
    return blocks.get(block).first[row - start[block]];
  }

  private int compare(int left, int right) {
    int leftBlock = blockOf[left];
    int rightBlock = blockOf[right];
    return blocks
        .get(leftBlock)
        .compare(left - start[leftBlock], blocks.get(rightBlock), right - start[rightBlock]);
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
