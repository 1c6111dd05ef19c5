package dev.varve.engine.kernel.join;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values of integer columns, for the question whether another may be among them: a bit for each
 * value between the smallest and the largest, or where these are far apart a Bloom filter whose
 * bits for one value lie in one word. A Bloom filter says yes to some values too many. Immutable
 * once made.
 */
public final class KeySet {
  private static final long MAX_BITS = 1L << 26;
  private static final long SMALL_BITS = 1L << 19;
  private static final long BITS_PER_VALUE = 512;
  private static final int BLOOM_BITS_PER_VALUE = 12;
  private static final int MAX_BLOOM_WORDS = 1 << 20;

  private final long min;
  private final long size;
  private final boolean exact;
  private final long[] words;
  private final int shift;

  private KeySet(long min, long size, boolean exact, int wordCount) {
    this.min = min;
    this.size = size;
    this.exact = exact;
    this.words = new long[wordCount];
    this.shift = 64 - Integer.numberOfTrailingZeros(Integer.highestOneBit(wordCount));
  }

  /** Bytes of the set of so many values. */
  public static long bytes(KeyBounds bounds, long values) {
    return 8L * words(bounds, values);
  }

  private static boolean isExact(KeyBounds bounds, long values) {
    long range = bounds.max() - bounds.min();
    return range >= 0 && range < Math.min(MAX_BITS, Math.max(SMALL_BITS, BITS_PER_VALUE * values));
  }

  private static int words(KeyBounds bounds, long values) {
    if (isExact(bounds, values)) {
      // One bit more than there are values, which stays 0.
      return (int) ((bounds.max() - bounds.min() + 1) / 64 + 1);
    }
    long wanted = values * BLOOM_BITS_PER_VALUE / 64 + 2;
    return Integer.highestOneBit((int) Math.min(MAX_BLOOM_WORDS, wanted - 1)) << 1;
  }

  /** The set of the values of some flat columns that lie within {@code bounds}, nulls left out. */
  public static KeySet of(KeyBounds bounds, List<Column> columns) {
    long values = 0;
    for (Column column : columns) {
      values += column.length();
    }
    // A range that overflows is none: every value is asked of the Bloom filter.
    long size = bounds.max() - bounds.min() + 1;
    KeySet set = new KeySet(bounds.min(), size, isExact(bounds, values), words(bounds, values));
    columns.forEach(set::add);
    return set;
  }

  private void add(Column column) {
    int from = column.offset();
    int to = from + column.length();
    byte[] validity = column.validity();
    switch (column) {
      case IntColumn c -> {
        for (int i = from; i < to; i++) {
          if (validity == null || validity[i] != 0) {
            add(c.values()[i]);
          }
        }
      }
      case LongColumn c -> {
        for (int i = from; i < to; i++) {
          if (validity == null || validity[i] != 0) {
            add(c.values()[i]);
          }
        }
      }
      case BooleanColumn c -> {
        for (int i = from; i < to; i++) {
          if (validity == null || validity[i] != 0) {
            add(c.values()[i]);
          }
        }
      }
      default -> throw new IllegalStateException("no integers: " + column.type());
    }
  }

  private void add(long value) {
    if (exact) {
      long bit = value - min;
      words[(int) (bit >>> 6)] |= 1L << bit;
    } else {
      long hash = hash(value);
      words[(int) (hash >>> shift)] |= mask(hash);
    }
  }

  private static long hash(long value) {
    long h = value * 0x9E3779B97F4A7C15L;
    h ^= h >>> 32;
    h *= 0xD6E8FEB86659FD93L;
    return h ^ h >>> 29;
  }

  /** Four bits by the lower bits of a hash; the upper ones choose the word. */
  private static long mask(long hash) {
    return 1L << hash | 1L << (hash >>> 6) | 1L << (hash >>> 12) | 1L << (hash >>> 18);
  }

  /** 1 or 0. */
  private int mayContain(long value) {
    long number = value - min;
    if (exact) {
      long bit = number >= 0 && number < size ? number : size;
      return (int) (words[(int) (bit >>> 6)] >>> bit) & 1;
    }
    if (size > 0 && (number < 0 || number >= size)) {
      return 0;
    }
    long hash = hash(value);
    long mask = mask(hash);
    return (words[(int) (hash >>> shift)] & mask) == mask ? 1 : 0;
  }

  /**
   * Writes the numbers of the rows of a flat column whose value may be in the set, and of nulls if
   * {@code withNulls}, into {@code selection}, and answers how many there are.
   */
  public int select(Column column, boolean withNulls, int[] selection) {
    byte[] validity = column.validity();
    int nullPasses = withNulls ? 1 : 0;
    int offset = column.offset();
    int rows = column.length();
    int count = 0;
    switch (column) {
      case IntColumn c -> {
        int[] values = c.values();
        for (int i = 0; i < rows; i++) {
          selection[count] = i;
          count += isNull(validity, offset + i) ? nullPasses : mayContain(values[offset + i]);
        }
      }
      case LongColumn c -> {
        long[] values = c.values();
        for (int i = 0; i < rows; i++) {
          selection[count] = i;
          count += isNull(validity, offset + i) ? nullPasses : mayContain(values[offset + i]);
        }
      }
      case BooleanColumn c -> {
        byte[] values = c.values();
        for (int i = 0; i < rows; i++) {
          selection[count] = i;
          count += isNull(validity, offset + i) ? nullPasses : mayContain(values[offset + i]);
        }
      }
      default -> throw new IllegalStateException("no integers: " + column.type());
    }
    return count;
  }

  private static boolean isNull(byte @Nullable [] validity, int at) {
    return validity != null && validity[at] == 0;
  }

  /** The values, ascending, if they are known and at most {@code most}. */
  public Optional<long[]> values(int most) {
    if (!exact) {
      return Optional.empty();
    }
    int count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
      if (count > most) {
        return Optional.empty();
      }
    }
    long[] values = new long[count];
    int at = 0;
    for (int w = 0; w < words.length; w++) {
      for (long rest = words[w]; rest != 0; rest &= rest - 1) {
        values[at++] = min + 64L * w + Long.numberOfTrailingZeros(rest);
      }
    }
    return Optional.of(values);
  }
}
