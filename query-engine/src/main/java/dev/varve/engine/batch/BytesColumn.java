package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * VARCHAR (UTF-8), VARBINARY or UUID (16 bytes, big-endian): row i is {@code data[offsets[offset +
 * i] .. offsets[offset + i + 1])}. A null's range is valid, usually empty.
 */
public final class BytesColumn extends Column {
  private final byte[] data;
  private final int[] offsets;

  public BytesColumn(
      DataType type,
      byte[] data,
      int[] offsets,
      int offset,
      int length,
      byte @Nullable [] validity) {
    super(type, offset, length, validity);
    this.data = data;
    this.offsets = offsets;
  }

  public BytesColumn(DataType type, byte[] data, int[] offsets, byte @Nullable [] validity) {
    this(type, data, offsets, 0, offsets.length - 1, validity);
  }

  /** The bytes of all rows. Not to be written. */
  public byte[] data() {
    return data;
  }

  /**
   * One more than there are rows; row 0 starts at {@code offsets()[offset()]}. Not to be written.
   */
  public int[] offsets() {
    return offsets;
  }

  public int start(int row) {
    return offsets[offset + row];
  }

  public int end(int row) {
    return offsets[offset + row + 1];
  }

  public byte[] getBytes(int row) {
    return Arrays.copyOfRange(data, start(row), end(row));
  }

  public String getString(int row) {
    return new String(data, start(row), end(row) - start(row), StandardCharsets.UTF_8);
  }

  @Override
  public BytesColumn slice(int from, int count) {
    checkSlice(from, count);
    return from == 0 && count == length
        ? this
        : new BytesColumn(type(), data, offsets, offset + from, count, validity);
  }

  @Override
  public BytesColumn take(int[] rows, int count) {
    int[] takenOffsets = new int[count + 1];
    long total = 0;
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      if (row >= 0) {
        total += offsets[offset + row + 1] - offsets[offset + row];
      }
      takenOffsets[i + 1] = (int) total;
    }
    if (total > Integer.MAX_VALUE - 16) {
      throw new IllegalStateException(
          "a batch of " + count + " rows holds " + total + " bytes in one column");
    }
    byte[] taken = new byte[(int) total];
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      if (row >= 0) {
        int start = offsets[offset + row];
        System.arraycopy(data, start, taken, takenOffsets[i], offsets[offset + row + 1] - start);
      }
    }
    return new BytesColumn(type(), taken, takenOffsets, 0, count, takenValidity(this, rows, count));
  }

  @Override
  public long sizeInBytes() {
    return offsets[offset + length] - offsets[offset] + 4L * (length + 1) + validityBytes();
  }

  @Override
  public BytesColumn compact() {
    int start = offsets[offset];
    int end = offsets[offset + length];
    if (offset == 0 && length == offsets.length - 1 && start == 0 && end == data.length) {
      return this;
    }
    int[] own = new int[length + 1];
    for (int i = 0; i <= length; i++) {
      own[i] = offsets[offset + i] - start;
    }
    return new BytesColumn(
        type(), Arrays.copyOfRange(data, start, end), own, 0, length, compactValidity(this));
  }
}
