package dev.varve.catalog.index;

import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys that cut the key space of an order into cells of about equally many files. By how many cells
 * a file's key range crosses it has a width class: 0 within one cell, w &gt; 0 when it crosses at
 * least 2^(w-1) and fewer than 2^w. So of a class, a key range can be met only by files that begin
 * fewer than 2^w cells before it, however wide others are.
 *
 * <p>Split keys that fit the data badly only cost time, provided that class and question use the
 * same ones: they never change under one order id.
 */
record SplitKeys(List<EncodedKey> keys) {
  /** The class of files that cross all cells, and of every file where there are no split keys. */
  static final int WIDEST = 10;

  /** So many that no file is wider than the widest class. */
  static final int MOST = (1 << WIDEST) - 1;

  static final SplitKeys NONE = new SplitKeys(List.of());

  SplitKeys {
    keys = List.copyOf(keys);
    if (keys.size() > MOST) {
      throw new IllegalArgumentException(keys.size() + " split keys");
    }
  }

  int widthClass(EncodedKey lower, EncodedKey upper) {
    if (keys.isEmpty()) {
      return WIDEST;
    }
    int crossed = cell(upper) - cell(lower);
    return crossed == 0 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(crossed);
  }

  /** The least key at which a file of a class can begin that reaches up to {@code key}. */
  EncodedKey leastStart(int widthClass, EncodedKey key) {
    int first = cell(key) - ((1 << widthClass) - 1);
    return first <= 0 ? LifeKey.LEAST : keys.get(first - 1);
  }

  /** How many split keys are at most this key. */
  private int cell(EncodedKey key) {
    int low = 0;
    int high = keys.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.get(middle).compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Cuts at the quantiles of some of the data's keys, which are ascending. */
  static SplitKeys quantiles(List<EncodedKey> ascending) {
    List<EncodedKey> keys = new ArrayList<>();
    int count = Math.min(MOST, ascending.size());
    for (int i = 1; i <= count; i++) {
      EncodedKey key = ascending.get((int) ((long) ascending.size() * i / (count + 1)));
      if (keys.isEmpty() || keys.getLast().compareTo(key) < 0) {
        keys.add(key);
      }
    }
    return new SplitKeys(keys);
  }

  byte[] pack() {
    BlobWriter out = new BlobWriter();
    keys.forEach(out::key);
    return out.toByteArray();
  }

  static SplitKeys unpack(byte[] blob, int count) {
    BlobReader in = new BlobReader(blob);
    List<EncodedKey> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(in.key());
    }
    in.end();
    return new SplitKeys(keys);
  }
}
