package dev.varve.engine.kernel.key;

import dev.varve.engine.batch.Column;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Arrays;

/**
 * Numbers distinct keys 0, 1, 2, ... in the order in which they come. Open addressing with linear
 * probing; the keys stand in arrays of their own, so that they can be read out by number. Confined
 * to one task while it is filled; safe for concurrent lookups afterwards.
 *
 * <pre>
 * slot     hash of the key (upper half), its number + 1 (lower half); 0 is empty
 * home     the upper bits of the hash: slots keep their sequence when the table grows, and other
 *          keys in the way are passed without a look at them
 * words    LONG: the key; PAIR: its two halves side by side
 * </pre>
 *
 * Rows are looked up in two passes: the first only reads each row's home, so that the waits for
 * memory overlap; the second compares, and probes on where the home has another key.
 */
public final class KeyTable {
  private static final int INITIAL_KEYS = 64;
  private static final int INITIAL_KEY_BYTES = 16;
  private static final int MAX_KEYS = 1 << 29;

  /** Asked before the table grows. */
  public interface Growth {
    /** Whether the table may take {@code bytes} more, to hold {@code keys} keys in all. */
    boolean reserve(long bytes, int keys);

    /** The table has given {@code bytes} back. */
    void release(long bytes);
  }

  private final KeyLayout layout;
  private final KeyLayout.Shape shape;
  private final long seed;
  private final boolean constantHash;
  private int size;
  private int capacity;
  private long[] slots = new long[2];
  private int shift = 31;
  private long[] words = {};
  private int[] offsets = {0};
  private byte[] bytes = {};

  /** With {@code constantHash} all keys collide, which must change nothing but the time. */
  public KeyTable(KeyLayout layout, long seed, boolean constantHash) {
    this.layout = layout;
    this.shape = layout.shape();
    this.seed = seed;
    this.constantHash = constantHash;
  }

  public KeyLayout layout() {
    return layout;
  }

  public int size() {
    return size;
  }

  /** Room for this many keys is there. */
  public int capacity() {
    return capacity;
  }

  public long sizeInBytes() {
    return bytesFor(capacity, bytes.length);
  }

  private long bytesFor(int keys, int keyBytes) {
    if (keys == 0) {
      return 0;
    }
    long perKey =
        switch (shape) {
          case LONG -> 8;
          case PAIR -> 16;
          case BYTES -> 4;
        };
    return 16L * keys + perKey * keys + keyBytes;
  }

  /** Forgets the keys; memory is kept. */
  public void clear() {
    size = 0;
    Arrays.fill(slots, 0);
  }

  /** Gives all memory back. */
  public void free(Growth growth) {
    long held = sizeInBytes();
    size = 0;
    capacity = 0;
    slots = new long[2];
    shift = 31;
    words = new long[0];
    offsets = new int[] {0};
    bytes = new byte[0];
    growth.release(held);
  }

  /**
   * Writes the number of each key of rows [from, keys.count()) to {@code ids}, new keys being
   * numbered. Returns the row it could not take because growth was refused, or the count.
   */
  public int insert(RowKeys keys, int from, int[] ids, Growth growth) {
    readHomes(keys, from, ids);
    return switch (shape) {
      case LONG -> insertLongs(keys, from, ids, growth);
      case PAIR -> insertPairs(keys, from, ids, growth);
      case BYTES -> insertBytes(keys, from, ids, growth);
    };
  }

  /** Writes the number of each row's key to {@code ids}, -1 where it is not in the table. */
  public void find(RowKeys keys, int[] ids) {
    if (size == 0) {
      Arrays.fill(ids, 0, keys.count, -1);
      return;
    }
    readHomes(keys, 0, ids);
    switch (shape) {
      case LONG -> findLongs(keys, ids);
      case PAIR -> findPairs(keys, ids);
      case BYTES -> findBytes(keys, ids);
    }
  }

  /** Keys [from, from + count) as columns. */
  public Column[] columns(int from, int count) {
    KeyDecoder decoder = new KeyDecoder(layout);
    return switch (shape) {
      case LONG ->
          decoder.decodeNumbers(new long[count], Arrays.copyOfRange(words, from, from + count));
      case PAIR -> {
        long[] high = new long[count];
        long[] low = new long[count];
        for (int i = 0; i < count; i++) {
          high[i] = words[2 * (from + i)];
          low[i] = words[2 * (from + i) + 1];
        }
        yield decoder.decodeNumbers(high, low);
      }
      case BYTES -> decoder.decodeBytes(bytes, offsets, from, count);
    };
  }

  /** Writes the number that stands in the home of each row's key, -1 where that is empty. */
  private void readHomes(RowKeys keys, int from, int[] ids) {
    long[] table = slots;
    int bits = shift;
    switch (shape) {
      case LONG -> {
        for (int i = from; i < keys.count; i++) {
          ids[i] = (int) table[hash(keys.first[i]) >>> bits] - 1;
        }
      }
      case PAIR -> {
        for (int i = from; i < keys.count; i++) {
          ids[i] = (int) table[hash(keys.first[i], keys.second[i]) >>> bits] - 1;
        }
      }
      case BYTES -> {
        for (int i = from; i < keys.count; i++) {
          ids[i] = (int) table[hash(keys, i) >>> bits] - 1;
        }
      }
    }
  }

  private int insertLongs(RowKeys keys, int from, int[] ids, Growth growth) {
    for (int i = from; i < keys.count; i++) {
      long key = keys.first[i];
      int home = ids[i];
      if (home >= 0 && words[home] == key) {
        continue;
      }
      int hash = hash(key);
      int id = probe(hash, key);
      if (id < 0) {
        if (size == capacity && !grow(growth)) {
          return i;
        }
        words[size] = key;
        id = take(hash);
      }
      ids[i] = id;
    }
    return keys.count;
  }

  private int insertPairs(RowKeys keys, int from, int[] ids, Growth growth) {
    for (int i = from; i < keys.count; i++) {
      long high = keys.first[i];
      long low = keys.second[i];
      int home = ids[i];
      if (home >= 0 && words[2 * home] == high && words[2 * home + 1] == low) {
        continue;
      }
      int hash = hash(high, low);
      int id = probe(hash, high, low);
      if (id < 0) {
        if (size == capacity && !grow(growth)) {
          return i;
        }
        words[2 * size] = high;
        words[2 * size + 1] = low;
        id = take(hash);
      }
      ids[i] = id;
    }
    return keys.count;
  }

  private int insertBytes(RowKeys keys, int from, int[] ids, Growth growth) {
    for (int i = from; i < keys.count; i++) {
      int start = keys.offsets[i];
      int end = keys.offsets[i + 1];
      int home = ids[i];
      if (home >= 0 && isKey(home, keys.bytes, start, end)) {
        continue;
      }
      int hash = hash(keys, i);
      int id = probe(hash, keys.bytes, start, end);
      if (id < 0) {
        if ((size == capacity && !grow(growth)) || !ensureBytes(end - start, growth)) {
          return i;
        }
        System.arraycopy(keys.bytes, start, bytes, offsets[size], end - start);
        offsets[size + 1] = offsets[size] + end - start;
        id = take(hash);
      }
      ids[i] = id;
    }
    return keys.count;
  }

  private void findLongs(RowKeys keys, int[] ids) {
    for (int i = 0; i < keys.count; i++) {
      int home = ids[i];
      if (home >= 0 && words[home] != keys.first[i]) {
        ids[i] = probe(hash(keys.first[i]), keys.first[i]);
      }
    }
  }

  private void findPairs(RowKeys keys, int[] ids) {
    for (int i = 0; i < keys.count; i++) {
      long high = keys.first[i];
      long low = keys.second[i];
      int home = ids[i];
      if (home >= 0 && (words[2 * home] != high || words[2 * home + 1] != low)) {
        ids[i] = probe(hash(high, low), high, low);
      }
    }
  }

  private void findBytes(RowKeys keys, int[] ids) {
    for (int i = 0; i < keys.count; i++) {
      int start = keys.offsets[i];
      int end = keys.offsets[i + 1];
      int home = ids[i];
      if (home >= 0 && !isKey(home, keys.bytes, start, end)) {
        ids[i] = probe(hash(keys, i), keys.bytes, start, end);
      }
    }
  }

  /** The number of a key, or -1. */
  private int probe(int hash, long key) {
    int mask = slots.length - 1;
    for (int slot = hash >>> shift; slots[slot] != 0; slot = slot + 1 & mask) {
      int id = (int) slots[slot] - 1;
      if ((int) (slots[slot] >>> 32) == hash && words[id] == key) {
        return id;
      }
    }
    return -1;
  }

  private int probe(int hash, long high, long low) {
    int mask = slots.length - 1;
    for (int slot = hash >>> shift; slots[slot] != 0; slot = slot + 1 & mask) {
      int id = (int) slots[slot] - 1;
      if ((int) (slots[slot] >>> 32) == hash && words[2 * id] == high && words[2 * id + 1] == low) {
        return id;
      }
    }
    return -1;
  }

  private int probe(int hash, byte[] source, int start, int end) {
    int mask = slots.length - 1;
    for (int slot = hash >>> shift; slots[slot] != 0; slot = slot + 1 & mask) {
      int id = (int) slots[slot] - 1;
      if ((int) (slots[slot] >>> 32) == hash && isKey(id, source, start, end)) {
        return id;
      }
    }
    return -1;
  }

  private boolean isKey(int id, byte[] source, int start, int end) {
    return Arrays.equals(bytes, offsets[id], offsets[id + 1], source, start, end);
  }

  /** Gives the key that was written last a slot and a number. */
  private int take(int hash) {
    place((long) hash << 32 | (size + 1));
    return size++;
  }

  private void place(long entry) {
    int mask = slots.length - 1;
    int slot = (int) (entry >>> 32) >>> shift;
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = entry;
  }

  private int hash(long key) {
    return constantHash ? 0 : (int) (Mixing.mix(key ^ seed) >>> 32);
  }

  private int hash(long high, long low) {
    return constantHash ? 0 : (int) (Mixing.mix(high ^ seed, low) >>> 32);
  }

  private int hash(RowKeys keys, int row) {
    return constantHash
        ? 0
        : (int) (Mixing.mix(keys.bytes, keys.offsets[row], keys.offsets[row + 1], seed) >>> 32);
  }

  /** Doubles the room for keys. The old arrays are given back once the new ones are filled. */
  private boolean grow(Growth growth) {
    if (capacity == MAX_KEYS) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED, "more than " + MAX_KEYS + " distinct keys in one table");
    }
    int wanted = capacity == 0 ? INITIAL_KEYS : capacity * 2;
    int wantedBytes =
        shape == KeyLayout.Shape.BYTES && bytes.length == 0
            ? INITIAL_KEYS * INITIAL_KEY_BYTES
            : bytes.length;
    long old = bytesFor(capacity, bytes.length) - bytes.length;
    if (!growth.reserve(bytesFor(wanted, wantedBytes) - bytes.length, wanted)) {
      return false;
    }
    bytes = wantedBytes == bytes.length ? bytes : new byte[wantedBytes];
    switch (shape) {
      case LONG -> words = Arrays.copyOf(words, wanted);
      case PAIR -> words = Arrays.copyOf(words, 2 * wanted);
      case BYTES -> offsets = Arrays.copyOf(offsets, wanted + 1);
    }
    long[] before = slots;
    slots = new long[2 * wanted];
    shift = 32 - Integer.numberOfTrailingZeros(slots.length);
    capacity = wanted;
    for (long entry : before) {
      if (entry != 0) {
        place(entry);
      }
    }
    growth.release(old);
    return true;
  }

  private boolean ensureBytes(int more, Growth growth) {
    long needed = (long) offsets[size] + more;
    if (needed <= bytes.length) {
      return true;
    }
    if (needed > Integer.MAX_VALUE - 16) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED, "the keys of one table take more than 2 GB");
    }
    int wanted = (int) Math.min(Integer.MAX_VALUE - 16, Math.max(needed, 2L * bytes.length));
    if (!growth.reserve(wanted, capacity)) {
      return false;
    }
    int old = bytes.length;
    bytes = Arrays.copyOf(bytes, wanted);
    growth.release(old);
    return true;
  }
}
