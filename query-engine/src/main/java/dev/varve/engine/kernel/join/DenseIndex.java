package dev.varve.engine.kernel.join;

import org.jspecify.annotations.Nullable;

/**
 * An array with an entry for each possible number: its first row + 1, or 0. The last entry, of the
 * number that is no key, stays 0, so that finding is a load without a branch.
 */
public final class DenseIndex extends NumberIndex {
  private static final long MAX_ENTRIES = 1L << 29;
  private static final long SMALL = 1L << 10;
  private static final long ENTRIES_PER_ROW = 8;

  private final int[] heads;
  private long @Nullable [] numbers;
  private int @Nullable [] next;
  private volatile boolean repeats;

  private DenseIndex(int entries, long[] numbers) {
    this.heads = new int[entries];
    this.numbers = numbers;
    this.next = new int[numbers.length];
  }

  /** Whether an array is no larger than a hash table would be, or small anyway. */
  public static boolean suits(KeyPacking packing, int rows) {
    return Long.compareUnsigned(
            packing.none(), Math.min(MAX_ENTRIES, Math.max(SMALL, ENTRIES_PER_ROW * rows)))
        < 0;
  }

  /** Bytes it takes while it is filled. */
  public static long bytes(KeyPacking packing, int rows) {
    return 4 * (packing.none() + 1) + 4L * rows;
  }

  /** Of rows with these numbers. */
  public static DenseIndex of(KeyPacking packing, long[] numbers) {
    return new DenseIndex((int) packing.none() + 1, numbers);
  }

  @Override
  public boolean insert(int part, int parts) {
    int[] after = next;
    long[] ofRows = numbers;
    if (after == null || ofRows == null) {
      throw new IllegalStateException("insert after finish");
    }
    int none = heads.length - 1;
    int from = (int) ((long) none * part / parts);
    int to = (int) ((long) none * (part + 1) / parts);
    boolean found = false;
    for (int row = after.length - 1; row >= 0; row--) {
      int number = (int) ofRows[row];
      if (number >= from && number < to) {
        int head = heads[number];
        after[row] = head - 1;
        found |= head != 0;
        heads[number] = row + 1;
      } else if (number == none && part == 0) {
        after[row] = -1;
      }
    }
    if (found) {
      repeats = true;
    }
    return true;
  }

  @Override
  public void finish() {
    numbers = null;
    if (!repeats) {
      next = null;
    }
  }

  @Override
  public void find(long[] wanted, int count, int[] firsts, Scratch scratch) {
    int[] array = heads;
    for (int i = 0; i < count; i++) {
      firsts[i] = array[(int) wanted[i]] - 1;
    }
  }

  @Override
  public int @Nullable [] next() {
    return next;
  }

  @Override
  public long sizeInBytes() {
    int[] after = next;
    return 4L * heads.length + (after == null ? 0 : 4L * after.length);
  }
}
