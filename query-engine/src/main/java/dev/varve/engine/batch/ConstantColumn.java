package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;

/** The same value, or null, in every row. */
public final class ConstantColumn extends Column {
  private final Column single;

  /** {@code single} is a flat column of one row. */
  public ConstantColumn(Column single, int length) {
    super(single.type(), 0, length, null);
    if (single.length() != 1
        || single instanceof DictionaryColumn
        || single instanceof ConstantColumn) {
      throw new IllegalArgumentException("a constant is one flat row");
    }
    this.single = single;
  }

  public static ConstantColumn nulls(DataType type, int length) {
    return new ConstantColumn(ColumnBuilder.of(type, 1).appendNull().build(), length);
  }

  /** The value, as a flat column of one row. */
  public Column single() {
    return single;
  }

  @Override
  public boolean mayHaveNulls() {
    return single.isNull(0);
  }

  @Override
  public boolean isNull(int row) {
    return single.isNull(0);
  }

  @Override
  public ConstantColumn slice(int from, int count) {
    checkSlice(from, count);
    return count == length ? this : new ConstantColumn(single, count);
  }

  @Override
  public Column take(int[] rows, int count) {
    if (!hasNegative(rows, count)) {
      return new ConstantColumn(single, count);
    }
    int[] first = new int[count];
    for (int i = 0; i < count; i++) {
      first[i] = rows[i] < 0 ? -1 : 0;
    }
    return single.take(first, count);
  }

  @Override
  public Column flat() {
    return single.take(new int[length], length);
  }

  @Override
  public long sizeInBytes() {
    return single.sizeInBytes();
  }

  @Override
  public ConstantColumn compact() {
    return this;
  }
}
