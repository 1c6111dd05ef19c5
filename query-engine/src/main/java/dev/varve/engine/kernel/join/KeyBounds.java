package dev.varve.engine.kernel.join;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import org.jspecify.annotations.Nullable;

/** The smallest and the largest value of a column of integers. Confined to one task. */
public final class KeyBounds {
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;

  /** Whether values of this type are integers of up to 64 bits, equal if their bits are. */
  public static boolean covers(DataType type) {
    return switch (type.physical()) {
      case BOOLEAN, INT, LONG -> true;
      case INT128, FLOAT, DOUBLE, BYTES -> false;
    };
  }

  /** False until there was a value that is not null. */
  public boolean hasValues() {
    return min <= max;
  }

  public long min() {
    return min;
  }

  public long max() {
    return max;
  }

  public void add(KeyBounds other) {
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
  }

  /** Widens the bounds by the values of a column that are not null. */
  public void add(Column column) {
    Column flat =
        column instanceof DictionaryColumn coded
                && !coded.mayHaveNulls()
                && coded.dictionary().length() <= coded.length()
            // Entries that no row refers to only make the bounds wider.
            ? coded.dictionary()
            : column.flat();
    int from = flat.offset();
    int to = from + flat.length();
    byte[] validity = flat.validity();
    switch (flat) {
      case IntColumn c -> addInts(c.values(), validity, from, to);
      case LongColumn c -> addLongs(c.values(), validity, from, to);
      case BooleanColumn c -> {
        for (int i = from; i < to; i++) {
          if (validity == null || validity[i] != 0) {
            include(c.values()[i]);
          }
        }
      }
      default -> throw new IllegalStateException("no integers: " + column.type());
    }
  }

  private void include(long value) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  private void addInts(int[] values, byte @Nullable [] validity, int from, int to) {
    if (from == to) {
      return;
    }
    int low = Integer.MAX_VALUE;
    int high = Integer.MIN_VALUE;
    boolean any = validity == null;
    if (validity == null) {
      for (int i = from; i < to; i++) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    } else {
      for (int i = from; i < to; i++) {
        if (validity[i] != 0) {
          any = true;
          low = Math.min(low, values[i]);
          high = Math.max(high, values[i]);
        }
      }
    }
    if (any) {
      include(low);
      include(high);
    }
  }

  private void addLongs(long[] values, byte @Nullable [] validity, int from, int to) {
    long low = min;
    long high = max;
    if (validity == null) {
      for (int i = from; i < to; i++) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    } else {
      for (int i = from; i < to; i++) {
        if (validity[i] != 0) {
          low = Math.min(low, values[i]);
          high = Math.max(high, values[i]);
        }
      }
    }
    min = low;
    max = high;
  }
}
