package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** REAL. */
public final class FloatColumn extends Column {
  private final float[] values;

  public FloatColumn(
      DataType type, float[] values, int offset, int length, byte @Nullable [] validity) {
    super(type, offset, length, validity);
    this.values = values;
  }

  public FloatColumn(DataType type, float[] values, byte @Nullable [] validity) {
    this(type, values, 0, values.length, validity);
  }

  /** The array behind this column; row 0 is at {@link #offset()}. Not to be written. */
  public float[] values() {
    return values;
  }

  public float get(int row) {
    return values[offset + row];
  }

  @Override
  public FloatColumn slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new FloatColumn(type(), values, offset + from, count, validity);
  }

  @Override
  public FloatColumn take(int[] rows, int count) {
    float[] taken = new float[count];
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
    return new FloatColumn(type(), taken, 0, count, valid);
  }

  @Override
  public long sizeInBytes() {
    return (long) length * 4 + validityBytes();
  }

  @Override
  public FloatColumn compact() {
    if (offset == 0 && length == values.length) {
      return this;
    }
    return new FloatColumn(
        type(),
        Arrays.copyOfRange(values, offset, offset + length),
        0,
        length,
        compactValidity(this));
  }
}
