package dev.varve.engine.kernel.join;

import org.jspecify.annotations.Nullable;

/**
 * Rows by the number of their key ({@link KeyPacking}): for each number its first row, and for each
 * row the next one of the same number, ascending. It is filled by several tasks at once, each of
 * which inserts the numbers of its own part, and may be asked by any number of tasks once all have.
 */
public abstract sealed class NumberIndex permits DenseIndex, HashIndex {

  /** Room for what a task that asks the index writes in between. */
  public static final class Scratch {
    long[] hashes = {};
    long[] slots = {};

    void ensure(int count) {
      if (hashes.length < count) {
        hashes = new long[count];
        slots = new long[count];
      }
    }
  }

  /**
   * Inserts the rows whose numbers belong to {@code part} of {@code parts}; of each part the rows
   * are inserted once, and of two tasks no two have the same part. False if that part is full,
   * after which the index is of no use; it cannot happen with one part.
   */
  public abstract boolean insert(int part, int parts);

  /** Forgets what only rows with equal keys need, if there are none. After all inserts. */
  public abstract void finish();

  /** Writes the first row of each number, or -1. */
  public abstract void find(long[] wanted, int count, int[] firsts, Scratch scratch);

  /** For each row the next of the same key, or -1; null if all keys are different. */
  public abstract int @Nullable [] next();

  public abstract long sizeInBytes();
}
