package dev.varve.engine.kernel.key;

import dev.varve.engine.batch.Column;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Arrays;

/**
 * Numbers distinct keys 0, 1, 2, ... in the order in which they come. Open addressing with linear
 * probing over slots that hold a key's number + 1; the keys stand in arrays of their own, so that
 * they can be read out by number. Confined to one task while it is filled; safe for concurrent
 * lookups afterwards.
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
  private int[] slots = {0};
  private long[] first = {};
  private long[] second = {};
  private int[] hashes = {};
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
          case BYTES -> 8;
        };
    return 8L * keys + perKey * keys + keyBytes;
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
    slots = new int[] {0};
    first = new long[0];
    second = new long[0];
    hashes = new int[0];
    offsets = new int[] {0};
    bytes = new byte[0];
    growth.release(held);
  }

  /**
   * Writes the number of each key of rows [from, keys.count()) to {@code ids}, new keys being
   * numbered. Returns the row it could not take because growth was refused, or the count.
   */
  public int insert(RowKeys keys, int from, int[] ids, Growth growth) {
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
    switch (shape) {
      case LONG -> findLongs(keys, ids);
      case PAIR -> findPairs(keys, ids);
      case BYTES -> findBytes(keys, ids);
    }
  }

  /** Keys [from, from + count) as columns. */
  public Column[] columns(int from, int count) {
    KeyDecoder decoder = new KeyDecoder(layout);
    return shape == KeyLayout.Shape.BYTES
        ? decoder.decodeBytes(bytes, offsets, from, count)
        : decoder.decodeNumbers(first, second, from, count);
  }

  private int insertLongs(RowKeys keys, int from, int[] ids, Growth growth) {
    for (int i = from; i < keys.count; i++) {
      long key = keys.first[i];
      int slot = slotOf(hash(key));
      int found;
      while ((found = slots[slot]) != 0 && first[found - 1] != key) {
        slot = slot + 1 & slots.length - 1;
      }
      if (found == 0) {
        if (size == capacity) {
          if (!grow(growth)) {
            return i;
          }
          slot = freeSlot(hash(key));
        }
        first[size] = key;
        slots[slot] = found = ++size;
      }
      ids[i] = found - 1;
    }
    return keys.count;
  }

  private int insertPairs(RowKeys keys, int from, int[] ids, Growth growth) {
    for (int i = from; i < keys.count; i++) {
      long high = keys.first[i];
      long low = keys.second[i];
      int slot = slotOf(hash(high, low));
      int found;
      while ((found = slots[slot]) != 0 && (second[found - 1] != low || first[found - 1] != high)) {
        slot = slot + 1 & slots.length - 1;
      }
      if (found == 0) {
        if (size == capacity) {
          if (!grow(growth)) {
            return i;
          }
          slot = freeSlot(hash(high, low));
        }
        first[size] = high;
        second[size] = low;
        slots[slot] = found = ++size;
      }
      ids[i] = found - 1;
    }
    return keys.count;
  }

  private int insertBytes(RowKeys keys, int from, int[] ids, Growth growth) {
    for (int i = from; i < keys.count; i++) {
      int start = keys.offsets[i];
      int end = keys.offsets[i + 1];
      int hash = hash(keys.bytes, start, end);
      int slot = slotOf(hash);
      int found;
      while ((found = slots[slot]) != 0 && !isKey(found - 1, hash, keys.bytes, start, end)) {
        slot = slot + 1 & slots.length - 1;
      }
      if (found == 0) {
        if (size == capacity) {
          if (!grow(growth)) {
            return i;
          }
          slot = freeSlot(hash);
        }
        if (!ensureBytes(end - start, growth)) {
          return i;
        }
        System.arraycopy(keys.bytes, start, bytes, offsets[size], end - start);
        offsets[size + 1] = offsets[size] + end - start;
        hashes[size] = hash;
        slots[slot] = found = ++size;
      }
      ids[i] = found - 1;
    }
    return keys.count;
  }

  private void findLongs(RowKeys keys, int[] ids) {
    for (int i = 0; i < keys.count; i++) {
      long key = keys.first[i];
      int slot = slotOf(hash(key));
      int found;
      while ((found = slots[slot]) != 0 && first[found - 1] != key) {
        slot = slot + 1 & slots.length - 1;
      }
      ids[i] = found - 1;
    }
  }

  private void findPairs(RowKeys keys, int[] ids) {
    for (int i = 0; i < keys.count; i++) {
      long high = keys.first[i];
      long low = keys.second[i];
      int slot = slotOf(hash(high, low));
      int found;
      while ((found = slots[slot]) != 0 && (second[found - 1] != low || first[found - 1] != high)) {
        slot = slot + 1 & slots.length - 1;
      }
      ids[i] = found - 1;
    }
  }

  private void findBytes(RowKeys keys, int[] ids) {
    for (int i = 0; i < keys.count; i++) {
      int start = keys.offsets[i];
      int end = keys.offsets[i + 1];
      int hash = hash(keys.bytes, start, end);
      int slot = slotOf(hash);
      int found;
      while ((found = slots[slot]) != 0 && !isKey(found - 1, hash, keys.bytes, start, end)) {
        slot = slot + 1 & slots.length - 1;
      }
      ids[i] = found - 1;
    }
  }

  private boolean isKey(int id, int hash, byte[] source, int start, int end) {
    return hashes[id] == hash
        && Arrays.equals(bytes, offsets[id], offsets[id + 1], source, start, end);
  }

  private int hash(long key) {
    return constantHash ? 0 : (int) Mixing.mix(key ^ seed);
  }

  private int hash(long high, long low) {
    return constantHash ? 0 : (int) Mixing.mix(high ^ seed, low);
  }

  private int hash(byte[] source, int start, int end) {
    return constantHash ? 0 : (int) Mixing.mix(source, start, end, seed);
  }

  private int slotOf(int hash) {
    return hash & slots.length - 1;
  }

  private int freeSlot(int hash) {
    int slot = slotOf(hash);
    while (slots[slot] != 0) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
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
      case LONG -> first = Arrays.copyOf(first, wanted);
      case PAIR -> {
        first = Arrays.copyOf(first, wanted);
        second = Arrays.copyOf(second, wanted);
      }
      case BYTES -> {
        hashes = Arrays.copyOf(hashes, wanted);
        offsets = Arrays.copyOf(offsets, wanted + 1);
      }
    }
    slots = new int[2 * wanted];
    capacity = wanted;
    for (int id = 0; id < size; id++) {
      int hash =
          switch (shape) {
            case LONG -> hash(first[id]);
            case PAIR -> hash(first[id], second[id]);
            case BYTES -> hashes[id];
          };
      slots[freeSlot(hash)] = id + 1;
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
