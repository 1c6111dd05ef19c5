package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Booleans as bytes, 0 or 1. */
public final class BooleanColumn extends Column {
  private final byte[] values;

  public BooleanColumn(
      DataType type, byte[] values, int offset, int length, byte @Nullable [] validity) {
    super(type, offset, length, validity);
    this.values = values;
  }

  public BooleanColumn(DataType type, byte[] values, byte @Nullable [] validity) {
    this(type, values, 0, values.length, validity);
  }

  /** The array behind this column; row 0 is at {@link #offset()}. Not to be written. */
  public byte[] values() {
    return values;
  }

  public byte get(int row) {
    return values[offset + row];
  }

  @Override
  public BooleanColumn slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new BooleanColumn(type(), values, offset + from, count, validity);
  }

  @Override
  public BooleanColumn take(int[] rows, int count) {
    byte[] taken = new byte[count];
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
    return new BooleanColumn(type(), taken, 0, count, valid);
  }

  @Override
  public long sizeInBytes() {
    return (long) length * 1 + validityBytes();
  }

  @Override
  public BooleanColumn compact() {
    if (offset == 0 && length == values.length) {
      return this;
    }
    return new BooleanColumn(
        type(),
        Arrays.copyOfRange(values, offset, offset + length),
        0,
        length,
        compactValidity(this));
  }
}
