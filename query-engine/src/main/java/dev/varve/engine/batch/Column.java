package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A run of values of one type: immutable once published, sliceable without a copy, safe for
 * concurrent reads.
 *
 * <p>Flat columns hold a primitive array, an offset into it and a validity mask that shares the
 * offset: {@code validity[offset + i]} is 1 for a value and 0 for a null; a null mask says that
 * there are no nulls. The value under a null is arbitrary but present. {@link DictionaryColumn} and
 * {@link ConstantColumn} are encodings that operators keep as long as they can; {@link #flat()}
 * undoes them.
 */
public abstract sealed class Column
    permits BooleanColumn,
        IntColumn,
        LongColumn,
        Int128Column,
        FloatColumn,
        DoubleColumn,
        BytesColumn,
        DictionaryColumn,
        ConstantColumn {

  private final DataType type;
  final int offset;
  final int length;
  final byte @Nullable [] validity;

  Column(DataType type, int offset, int length, byte @Nullable [] validity) {
    this.type = type;
    this.offset = offset;
    this.length = length;
    this.validity = validity;
  }

  public final DataType type() {
    return type;
  }

  public final int length() {
    return length;
  }

  /** Where row 0 is in the arrays. */
  public final int offset() {
    return offset;
  }

  /**
   * 1 for a value, 0 for a null, at {@link #offset()} + row; null if there are no nulls. Not to be
   * written.
   */
  public final byte @Nullable [] validity() {
    return validity;
  }

  /** False only if no row is null. */
  public boolean mayHaveNulls() {
    return validity != null;
  }

  public boolean isNull(int row) {
    return validity != null && validity[offset + row] == 0;
  }

  public final int nullCount() {
    if (!mayHaveNulls()) {
      return 0;
    }
    int nulls = 0;
    for (int i = 0; i < length; i++) {
      nulls += isNull(i) ? 1 : 0;
    }
    return nulls;
  }

  /** Rows [from, from + count), sharing the arrays. */
  public abstract Column slice(int from, int count);

  /** The rows at {@code rows[0..count)}, in that order; a row number of -1 gives a null. Copies. */
  public abstract Column take(int[] rows, int count);

  /** This column without dictionary or constant encoding; itself if it is flat. */
  public Column flat() {
    return this;
  }

  /** Bytes that this column's rows occupy (a slice counts its own part), for memory accounting. */
  public abstract long sizeInBytes();

  /** This column in arrays of its own if it is a slice of larger ones; itself otherwise. */
  public abstract Column compact();

  /**
   * The value as a Java object, for edges and tests: Boolean, Short, Integer, Long, Float, Double,
   * BigDecimal, LocalDate, LocalTime, LocalDateTime, Instant, Duration, Period, String, byte[],
   * UUID; null for a null.
   */
  public final @Nullable Object value(int row) {
    return Values.toObject(this, row);
  }

  static byte @Nullable [] takeValidity(Column column, int[] rows, int count) {
    byte[] source = column.validity;
    boolean any = false;
    byte[] taken = new byte[count];
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      byte valid = row < 0 ? 0 : source == null ? 1 : source[column.offset + row];
      taken[i] = valid;
      any |= valid == 0;
    }
    return any ? taken : null;
  }

  static boolean hasNegative(int[] rows, int count) {
    int all = 0;
    for (int i = 0; i < count; i++) {
      all |= rows[i];
    }
    return all < 0;
  }

  /** Validity of a take, without a loop where neither source nor row numbers can give a null. */
  static byte @Nullable [] takenValidity(Column column, int[] rows, int count) {
    return column.validity == null && !hasNegative(rows, count)
        ? null
        : takeValidity(column, rows, count);
  }

  static byte @Nullable [] compactValidity(Column column) {
    byte[] mask = column.validity;
    return mask == null
        ? null
        : java.util.Arrays.copyOfRange(mask, column.offset, column.offset + column.length);
  }

  final long validityBytes() {
    return validity == null ? 0 : length;
  }

  final void checkSlice(int from, int count) {
    if (from < 0 || count < 0 || from + count > length) {
      throw new IllegalArgumentException("slice " + from + "+" + count + " of " + length + " rows");
    }
  }

  @Override
  public final String toString() {
    StringBuilder text = new StringBuilder(type.toString()).append('[');
    for (int i = 0; i < Math.min(length, 20); i++) {
      text.append(i == 0 ? "" : ", ").append(value(i));
    }
    return text.append(length > 20 ? ", ..." : "").append(']').toString();
  }
}
