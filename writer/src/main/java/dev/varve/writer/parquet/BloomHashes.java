package dev.varve.writer.parquet;

import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/**
 * The distinct hashes of a chunk's values, kept until the chunk is sealed: only then is it known
 * how large a bloom filter must be. Confined to one task at a time.
 */
final class BloomHashes {
  private static final int FIRST_CAPACITY = 1024;

  private final double falsePositives;

  /** Only lends its hash functions. */
  private final BlockSplitBloomFilter hasher =
      new BlockSplitBloomFilter(BlockSplitBloomFilter.LOWER_BOUND_BYTES);

  private long[] slots = new long[FIRST_CAPACITY];
  private int size;
  private boolean hasZero;

  BloomHashes(double falsePositives) {
    this.falsePositives = falsePositives;
  }

  void addInt(int value) {
    add(hasher.hash(value));
  }

  void addLong(long value) {
    add(hasher.hash(value));
  }

  /** Zeros of both signs are one value, and so are all NaNs: whoever asks may ask with any. */
  void addFloat(float value) {
    if (value == 0) {
      add(hasher.hash(0.0f));
      add(hasher.hash(-0.0f));
    } else {
      add(hasher.hash(Float.isNaN(value) ? Float.NaN : value));
    }
  }

  void addDouble(double value) {
    if (value == 0) {
      add(hasher.hash(0.0));
      add(hasher.hash(-0.0));
    } else {
      add(hasher.hash(Double.isNaN(value) ? Double.NaN : value));
    }
  }

  void addBytes(byte[] data, int start, int length) {
    add(hasher.hash(Binary.fromConstantByteArray(data, start, length)));
  }

  private void add(long hash) {
    if (hash == 0) {
      size += hasZero ? 0 : 1;
      hasZero = true;
      return;
    }
    if (insert(slots, hash) && ++size * 2 > slots.length) {
      long[] larger = new long[Math.multiplyExact(slots.length, 2)];
      for (long old : slots) {
        if (old != 0) {
          insert(larger, old);
        }
      }
      slots = larger;
    }
  }

  private static boolean insert(long[] slots, long hash) {
    int mask = slots.length - 1;
    int at = (int) (hash ^ hash >>> 32) & mask;
    while (slots[at] != 0) {
      if (slots[at] == hash) {
        return false;
      }
      at = (at + 1) & mask;
    }
    slots[at] = hash;
    return true;
  }

  /** The filter of all hashes since the last call; forgets them. */
  BlockSplitBloomFilter build() {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(Math.max(1, size), falsePositives);
    BlockSplitBloomFilter filter = new BlockSplitBloomFilter(bits / 8);
    if (hasZero) {
      filter.insertHash(0);
    }
    for (long hash : slots) {
      if (hash != 0) {
        filter.insertHash(hash);
      }
    }
    slots = new long[FIRST_CAPACITY];
    size = 0;
    hasZero = false;
    return filter;
  }

  long heldBytes() {
    return 8L * slots.length;
  }
}
