package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** DOUBLE. */
public final class DoubleColumn extends Column {
  private final double[] values;

  public DoubleColumn(
      DataType type, double[] values, int offset, int length, byte @Nullable [] validity) {
    super(type, offset, length, validity);
    this.values = values;
  }

  public DoubleColumn(DataType type, double[] values, byte @Nullable [] validity) {
    this(type, values, 0, values.length, validity);
  }

  /** The array behind this column; row 0 is at {@link #offset()}. Not to be written. */
  public double[] values() {
    return values;
  }

  public double get(int row) {
    return values[offset + row];
  }

  @Override
  public DoubleColumn slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new DoubleColumn(type(), values, offset + from, count, validity);
  }

  @Override
  public DoubleColumn take(int[] rows, int count) {
    double[] taken = new double[count];
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
    return new DoubleColumn(type(), taken, 0, count, valid);
  }

  @Override
  public long sizeInBytes() {
    return (long) length * 8 + validityBytes();
  }

  @Override
  public DoubleColumn compact() {
    if (offset == 0 && length == values.length) {
      return this;
    }
    return new DoubleColumn(
        type(),
        Arrays.copyOfRange(values, offset, offset + length),
        0,
        length,
        compactValidity(this));
  }
}
