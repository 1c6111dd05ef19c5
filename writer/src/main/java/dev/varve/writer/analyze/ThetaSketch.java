package dev.varve.writer.analyze;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Estimates how many distinct values there are from the smallest of their hashes, in memory that
 * does not grow with them; the sketch of all rows is the merge of the sketches of their parts.
 *
 * <p>Written as Apache DataSketches' compact, ordered theta sketch with its default seed, which is
 * what Iceberg's {@code apache-datasketches-theta-v1} holds:
 *
 * <pre>
 * 0 preamble longs | 1 serial version 3 | 2 family 3 | 3-4 zero | 5 flags | 6-7 hash of the seed
 * 8 count (int) | 12 sampling probability 1.0 (float)     unless there is one hash or none
 * 16 theta (long)                                         if hashes were left out
 * then the hashes, ascending; all little endian
 * </pre>
 *
 * Confined to one task at a time.
 */
final class ThetaSketch {
  /** Hashes kept: an error of about 1.6 % at one standard deviation. */
  private static final int KEPT = 4096;

  private static final int MOST_SLOTS = 4 * KEPT;

  static final long SEED = 9001;

  private static final short SEED_HASH = (short) MurmurHash.hash(SEED, Long.BYTES, 0);

  private static final byte SERIAL_VERSION = 3;
  private static final byte COMPACT_FAMILY = 3;
  private static final int READ_ONLY = 2;
  private static final int EMPTY = 4;
  private static final int COMPACT = 8;
  private static final int ORDERED = 16;
  private static final int SINGLE = 32;

  /** Open addressing; 0 where a slot is free, which no hash is. */
  private long[] slots = new long[256];

  private int count;

  /** Only hashes below it are kept; all are while it is the largest. */
  private long theta = Long.MAX_VALUE;

  /** The most bytes that a sketch takes. */
  static long maxBytes() {
    return 8L * MOST_SLOTS + 8L * MOST_SLOTS / 2;
  }

  void add(byte[] value, int start, int length) {
    // An empty value is none to those who read and write these sketches.
    if (length > 0) {
      insert(MurmurHash.hash(value, start, length, SEED) >>> 1);
    }
  }

  /** A value of four or eight bytes. */
  void add(long value, int length) {
    insert(MurmurHash.hash(length == Long.BYTES ? value : value & 0xffffffffL, length, SEED) >>> 1);
  }

  void merge(ThetaSketch other) {
    if (other.theta < theta) {
      lower(other.theta);
    }
    for (long hash : other.slots) {
      insert(hash);
    }
  }

  double estimate() {
    return theta == Long.MAX_VALUE ? count : count * (Math.pow(2, 63) / theta);
  }

  private void insert(long hash) {
    if (hash == 0 || hash >= theta) {
      return;
    }
    int mask = slots.length - 1;
    int at = (int) hash & mask;
    while (slots[at] != 0) {
      if (slots[at] == hash) {
        return;
      }
      at = at + 1 & mask;
    }
    slots[at] = hash;
    count++;
    if (count >= 2 * KEPT) {
      long[] sorted = sorted();
      lower(sorted[KEPT]);
    } else if (count * 2 > slots.length && slots.length < MOST_SLOTS) {
      fill(slots, slots.length * 4);
    }
  }

  /** Forgets the hashes that are not below a new theta. */
  private void lower(long newTheta) {
    theta = newTheta;
    fill(slots, slots.length);
  }

  private void fill(long[] hashes, int size) {
    slots = new long[size];
    count = 0;
    int mask = size - 1;
    for (long hash : hashes) {
      if (hash != 0 && hash < theta) {
        int at = (int) hash & mask;
        while (slots[at] != 0) {
          at = at + 1 & mask;
        }
        slots[at] = hash;
        count++;
      }
    }
  }

  private long[] sorted() {
    long[] sorted = new long[count];
    int n = 0;
    for (long hash : slots) {
      if (hash != 0) {
        sorted[n++] = hash;
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }

  ByteBuffer toBytes() {
    boolean all = theta == Long.MAX_VALUE;
    int preamble = all ? (count <= 1 ? 1 : 2) : 3;
    ByteBuffer bytes = ByteBuffer.allocate(8 * (preamble + count)).order(ByteOrder.LITTLE_ENDIAN);
    int flags = READ_ONLY | COMPACT | ORDERED;
    if (all && count == 0) {
      flags |= EMPTY;
    } else if (all && count == 1) {
      flags |= SINGLE;
    }
    bytes.put((byte) preamble).put(SERIAL_VERSION).put(COMPACT_FAMILY).putShort((short) 0);
    bytes.put((byte) flags).putShort(SEED_HASH);
    if (preamble > 1) {
      bytes.putInt(count).putFloat(1);
    }
    if (preamble > 2) {
      bytes.putLong(theta);
    }
    for (long hash : sorted()) {
      bytes.putLong(hash);
    }
    return bytes.flip();
  }
}
