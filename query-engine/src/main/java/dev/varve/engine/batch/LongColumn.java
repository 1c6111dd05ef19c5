package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * BIGINT, times and timestamps (microseconds), INTERVAL_DAY, or DECIMAL up to 18 digits (unscaled)
 * as longs.
 */
public final class LongColumn extends Column {
  private final long[] values;

  public LongColumn(
      DataType type, long[] values, int offset, int length, byte @Nullable [] validity) {
    super(type, offset, length, validity);
    this.values = values;
  }

  public LongColumn(DataType type, long[] values, byte @Nullable [] validity) {
    this(type, values, 0, values.length, validity);
  }

  /** The array behind this column; row 0 is at {@link #offset()}. Not to be written. */
  public long[] values() {
    return values;
  }

  public long get(int row) {
    return values[offset + row];
  }

  @Override
  public LongColumn slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new LongColumn(type(), values, offset + from, count, validity);
  }

  @Override
  public LongColumn take(int[] rows, int count) {
    long[] taken = new long[count];
    byte[] valid = takenValidity(this, rows, count);
    if (valid == null) {
      for (int i = 0; i < count; i++) {
        taken[i] = values[offset + rows[i]];
      }
    } else {
      for (int i = 0; i < count; i++) {
        int row = rows[i];
        if (row >= 0) {
          taken[i] = values[offset + row];
        }
      }
    }
    return new LongColumn(type(), taken, 0, count, valid);
  }

  @Override
  public long sizeInBytes() {
    return (long) length * 8 + validityBytes();
  }

  @Override
  public LongColumn compact() {
    if (offset == 0 && length == values.length) {
      return this;
    }
    return new LongColumn(
        type(),
        Arrays.copyOfRange(values, offset, offset + length),
        0,
        length,
        compactValidity(this));
  }
}
