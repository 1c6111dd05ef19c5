package dev.varve.engine.kernel;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes of a result column, appended row by row. Confined to one task. */
public final class BytesBuilder {
  private static final int LARGEST = Integer.MAX_VALUE - 16;

  private byte[] data;
  private int size;
  private final int[] offsets;
  private int row;

  public BytesBuilder(int rows, int bytesPerRow) {
    this.offsets = new int[rows + 1];
    this.data = new byte[(int) Math.min(1 << 20, Math.max(16L, (long) rows * bytesPerRow))];
  }

  /** Makes room for so many more bytes; the array is then {@link #data()}. */
  public void ensure(int more) {
    long needed = (long) size + more;
    if (needed > data.length) {
      if (needed > LARGEST) {
        throw new VarveException(
            ErrorCode.STRING_TOO_LONG,
            "a batch of text would take " + needed + " bytes; the limit is " + LARGEST);
      }
      data = Arrays.copyOf(data, (int) Math.min(LARGEST, Math.max(needed, data.length * 2L)));
    }
  }

  public void append(byte value) {
    ensure(1);
    data[size++] = value;
  }

  public void append(byte[] source, int start, int end) {
    ensure(end - start);
    System.arraycopy(source, start, data, size, end - start);
    size += end - start;
  }

  public void append(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    append(bytes, 0, bytes.length);
  }

  @SuppressWarnings("deprecation") // the one copy from a Latin-1 string that allocates nothing
  void appendAscii(String text) {
    ensure(text.length());
    text.getBytes(0, text.length(), data, size);
    size += text.length();
  }

  /** The bytes of the current row so far are all that it has. */
  public void endRow() {
    offsets[++row] = size;
  }

  /** Where the current row starts. */
  public int rowStart() {
    return offsets[row];
  }

  public int size() {
    return size;
  }

  public byte[] data() {
    return data;
  }

  public BytesColumn build(DataType type, byte @Nullable [] validity) {
    if (row != offsets.length - 1) {
      throw new IllegalStateException(row + " rows of " + (offsets.length - 1));
    }
    byte[] exact = data.length > size + size / 4 + 64 ? Arrays.copyOf(data, size) : data;
    return new BytesColumn(type, exact, offsets, validity);
  }
}
