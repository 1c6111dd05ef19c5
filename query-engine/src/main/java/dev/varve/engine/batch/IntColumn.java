package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** SMALLINT, INTEGER, DATE (days since 1970-01-01) or INTERVAL_MONTH as ints. */
public final class IntColumn extends Column {
  private final int[] values;

  public IntColumn(
      DataType type, int[] values, int offset, int length, byte @Nullable [] validity) {
    super(type, offset, length, validity);
    this.values = values;
  }

  public IntColumn(DataType type, int[] values, byte @Nullable [] validity) {
    this(type, values, 0, values.length, validity);
  }

  /** The array behind this column; row 0 is at {@link #offset()}. Not to be written. */
  public int[] values() {
    return values;
  }

  public int get(int row) {
    return values[offset + row];
  }

  @Override
  public IntColumn slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new IntColumn(type(), values, offset + from, count, validity);
  }

  @Override
  public IntColumn take(int[] rows, int count) {
    int[] taken = new int[count];
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
    return new IntColumn(type(), taken, 0, count, valid);
  }

  @Override
  public long sizeInBytes() {
    return (long) length * 4 + validityBytes();
  }

  @Override
  public IntColumn compact() {
    if (offset == 0 && length == values.length) {
      return this;
    }
    return new IntColumn(
        type(),
        Arrays.copyOfRange(values, offset, offset + length),
        0,
        length,
        compactValidity(this));
  }
}
