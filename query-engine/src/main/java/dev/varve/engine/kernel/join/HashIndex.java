package dev.varve.engine.kernel.join;

import org.jspecify.annotations.Nullable;

/**
 * Open addressing with linear probing over slots of 64 bits, at most half of them used:
 *
 * <pre>
 * upper 32 bits   where all numbers have 32 bits: the number; else 32 bits of its hash
 * lower 32 bits   the number's first row + 1; 0 in an empty slot
 * </pre>
 *
 * A number of 32 bits is thus found with one access to memory; of others the row's number is
 * compared where the hash bits agree. A slot is chosen by the upper bits of the hash. The slots are
 * divided into parts by their uppermost bits; a chain of probes stays in its part, so that tasks
 * may fill different parts.
 */
public final class HashIndex extends NumberIndex {
  private static final long[] NO_NUMBERS = {};
  private static final int MIN_BITS = 6;
  private static final int MAX_ROWS = 1 << 29;

  private final long[] slots;
  private final int shift;
  private final int partMask;
  private final long none;
  private final boolean exact;
  private final long seed;
  private final boolean constantHash;
  private long[] numbers;
  private int @Nullable [] next;
  private volatile boolean repeats;

  private HashIndex(
      int bits, int parts, long none, long[] numbers, long seed, boolean constantHash) {
    this.slots = new long[1 << bits];
    this.shift = 64 - bits;
    this.partMask = (slots.length / parts) - 1;
    this.none = none;
    this.exact = Long.compareUnsigned(none, 0xFFFFFFFFL) < 0;
    this.seed = seed;
    this.constantHash = constantHash;
    this.numbers = numbers;
    this.next = new int[numbers.length];
  }

  /**
   * Of rows with these numbers.
   *
   * @param parts a power of two, at most 8; 1 if hashes are constant
   */
  public static HashIndex of(
      KeyPacking packing, long[] numbers, int parts, long seed, boolean constantHash) {
    return new HashIndex(bits(numbers.length), parts, packing.none(), numbers, seed, constantHash);
  }

  private static int bits(int rows) {
    if (rows > MAX_ROWS) {
      throw new IllegalStateException("more than " + MAX_ROWS + " rows in one table");
    }
    return Math.max(MIN_BITS, 33 - Integer.numberOfLeadingZeros(Math.max(1, rows - 1)));
  }

  /** Bytes it takes while it is filled. */
  public static long bytes(int rows) {
    return (8L << bits(rows)) + 4L * rows;
  }

  private long hash(long number) {
    if (constantHash) {
      return 0;
    }
    long h = (number ^ seed) * 0x9E3779B97F4A7C15L;
    h ^= h >>> 32;
    return h * 0xD6E8FEB86659FD93L;
  }

  @Override
  public boolean insert(int part, int parts) {
    int[] after = next;
    if (after == null) {
      throw new IllegalStateException("insert after finish");
    }
    int partSize = partMask + 1;
    int free = partSize - 1;
    boolean found = false;
    for (int row = after.length - 1; row >= 0; row--) {
      long number = numbers[row];
      if (number == none) {
        if (part == 0) {
          after[row] = -1;
        }
        continue;
      }
      long hash = hash(number);
      int at = (int) (hash >>> shift);
      if (at / partSize != part) {
        continue;
      }
      int check = exact ? (int) number : (int) hash;
      int end = at & ~partMask;
      long slot;
      while ((slot = slots[at]) != 0 && !holds(slot, check, number)) {
        at = end | (at + 1 & partMask);
      }
      if (slot == 0 && free-- == 0) {
        return false;
      }
      found |= slot != 0;
      after[row] = (int) slot - 1;
      slots[at] = (long) check << 32 | row + 1;
    }
    if (found) {
      repeats = true;
    }
    return true;
  }

  private boolean holds(long slot, int check, long number) {
    return (int) (slot >>> 32) == check && (exact || numbers[(int) slot - 1] == number);
  }

  @Override
  public void finish() {
    if (!repeats) {
      next = null;
    }
    if (exact) {
      numbers = NO_NUMBERS;
    }
  }

  @Override
  public void find(long[] wanted, int count, int[] firsts, Scratch scratch) {
    scratch.ensure(count);
    long[] hashes = scratch.hashes;
    long[] loaded = scratch.slots;
    long[] table = slots;
    for (int i = 0; i < count; i++) {
      hashes[i] = hash(wanted[i]);
    }
    // Loads that do not depend on one another wait for memory together.
    for (int i = 0; i < count; i++) {
      loaded[i] = table[(int) (hashes[i] >>> shift)];
    }
    for (int i = 0; i < count; i++) {
      long slot = loaded[i];
      if (slot != 0) {
        long number = wanted[i];
        int check = exact ? (int) number : (int) hashes[i];
        if (!holds(slot, check, number)) {
          slot = probe((int) (hashes[i] >>> shift), check, number);
        }
      }
      firsts[i] = (int) slot - 1;
    }
  }

  private long probe(int start, int check, long number) {
    int end = start & ~partMask;
    int at = start;
    long slot;
    do {
      at = end | (at + 1 & partMask);
      slot = slots[at];
    } while (slot != 0 && !holds(slot, check, number));
    return slot;
  }

  @Override
  public int @Nullable [] next() {
    return next;
  }

  @Override
  public long sizeInBytes() {
    int[] after = next;
    return 8L * slots.length + (after == null ? 0 : 4L * after.length) + 8L * numbers.length;
  }
}
