package dev.varve.engine.kernel.join;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the combinations of integer keys that lie within the bounds of one side's keys: {@code
 * (..(k0 - min0) * size1 + (k1 - min1)) * size2 + ..}, unsigned. Where nulls are equal a null is 0
 * and the values follow from 1. Everything else, nulls and keys out of bounds, is the number {@link
 * #none()}, one past the largest. Equal numbers but that one mean equal keys. Immutable.
 */
public final class KeyPacking {
  private final long[] min;
  private final long[] size;
  private final boolean[] nullsEqual;
  private final long total;

  private KeyPacking(long[] min, long[] size, boolean[] nullsEqual, long total) {
    this.min = min;
    this.size = size;
    this.nullsEqual = nullsEqual;
    this.total = total;
  }

  /** Empty if the combinations are too many to be numbered. */
  public static Optional<KeyPacking> of(List<KeyBounds> bounds, boolean[] nullsEqual) {
    int keys = bounds.size();
    long[] min = new long[keys];
    long[] size = new long[keys];
    long total = 1;
    for (int k = 0; k < keys; k++) {
      KeyBounds bound = bounds.get(k);
      long range = bound.hasValues() ? bound.max() - bound.min() : -1;
      // max - min overflows into the upper half of the unsigned longs, which is meant; only the
      // full range, whose size is no long any more, and one more for nulls have to be refused.
      if (bound.hasValues() && Long.compareUnsigned(range, -3L) > 0) {
        return Optional.empty();
      }
      min[k] = bound.hasValues() ? bound.min() : 0;
      size[k] = range + 1 + (nullsEqual[k] ? 1 : 0);
      if (k == 0) {
        total = size[0];
      } else {
        if (total < 0 || size[k] < 0 || Math.multiplyHigh(total, size[k]) != 0) {
          return Optional.empty();
        }
        total *= size[k];
        if (total < 0) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(new KeyPacking(min, size, nullsEqual.clone(), total));
  }

  /** The number of no key; as many numbers are below it, unsigned. */
  public long none() {
    return total;
  }

  /** Writes the number of each of {@code count} rows. The columns are flat. */
  public void pack(Column[] keys, int count, long[] numbers) {
    packFirst(keys[0], count, numbers);
    for (int k = 1; k < keys.length; k++) {
      packNext(keys[k], k, count, numbers);
    }
  }

  private void packFirst(Column column, int count, long[] out) {
    long none = total;
    long base = nullsEqual[0] ? min[0] - 1 : min[0];
    long lowest = nullsEqual[0] ? 1 : 0;
    long limit = size[0] + Long.MIN_VALUE;
    int offset = column.offset();
    // A value below the smallest wraps to a number beyond the size; where nulls take number 0, the
    // value just below the smallest must not.
    switch (column) {
      case IntColumn c -> {
        int[] values = c.values();
        for (int i = 0; i < count; i++) {
          long number = values[offset + i] - base;
          out[i] = number + Long.MIN_VALUE < limit && (lowest == 0 || number != 0) ? number : none;
        }
      }
      case LongColumn c -> {
        long[] values = c.values();
        for (int i = 0; i < count; i++) {
          long number = values[offset + i] - base;
          out[i] = number + Long.MIN_VALUE < limit && (lowest == 0 || number != 0) ? number : none;
        }
      }
      case BooleanColumn c -> {
        byte[] values = c.values();
        for (int i = 0; i < count; i++) {
          long number = values[offset + i] - base;
          out[i] = number + Long.MIN_VALUE < limit && (lowest == 0 || number != 0) ? number : none;
        }
      }
      default -> throw new IllegalStateException("no integers: " + column.type());
    }
    byte[] validity = column.validity();
    if (validity != null) {
      long ofNull = nullsEqual[0] && total != 0 ? 0 : none;
      for (int i = 0; i < count; i++) {
        out[i] = validity[offset + i] != 0 ? out[i] : ofNull;
      }
    }
  }

  private void packNext(Column column, int key, int count, long[] out) {
    long none = total;
    long base = nullsEqual[key] ? min[key] - 1 : min[key];
    long lowest = nullsEqual[key] ? 1 : 0;
    long factor = size[key];
    byte[] validity = column.validity();
    long ofNull = nullsEqual[key] ? 0 : -1;
    switch (column) {
      case IntColumn c -> {
        int[] values = c.values();
        for (int i = 0; i < count; i++) {
          long part =
              isNull(validity, c.offset() + i)
                  ? ofNull
                  : part(values[c.offset() + i] - base, lowest, factor);
          out[i] = out[i] == none || part < 0 ? none : out[i] * factor + part;
        }
      }
      case LongColumn c -> {
        long[] values = c.values();
        for (int i = 0; i < count; i++) {
          long part =
              isNull(validity, c.offset() + i)
                  ? ofNull
                  : part(values[c.offset() + i] - base, lowest, factor);
          out[i] = out[i] == none || part < 0 ? none : out[i] * factor + part;
        }
      }
      case BooleanColumn c -> {
        byte[] values = c.values();
        for (int i = 0; i < count; i++) {
          long part =
              isNull(validity, c.offset() + i)
                  ? ofNull
                  : part(values[c.offset() + i] - base, lowest, factor);
          out[i] = out[i] == none || part < 0 ? none : out[i] * factor + part;
        }
      }
      default -> throw new IllegalStateException("no integers: " + column.type());
    }
  }

  private static boolean isNull(byte @Nullable [] validity, int at) {
    return validity != null && validity[at] == 0;
  }

  /** The number itself if it is in [lowest, size), else -1; a size here is positive. */
  private static long part(long number, long lowest, long size) {
    return number >= lowest && number < size ? number : -1;
  }
}
