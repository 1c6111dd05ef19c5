package dev.varve.engine.kernel.key;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.Int128Column;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Encodes key columns as a {@link KeyLayout} says. Confined to one task: it has scratch space. */
public final class KeyEncoder {
  private static final VarHandle BIG_ENDIAN_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final KeyLayout layout;
  private long[] values = {};

  public KeyEncoder(KeyLayout layout) {
    this.layout = layout;
  }

  public KeyLayout layout() {
    return layout;
  }

  /** The keys of rows [0, count) of the columns, one column for each key of the layout. */
  public RowKeys encode(Column[] columns, int count) {
    Column[] flat = new Column[columns.length];
    for (int k = 0; k < columns.length; k++) {
      flat[k] = columns[k].flat();
    }
    if (!layout.nulls()) {
      requireNoNulls(flat);
    }
    if (values.length < count) {
      values = new long[count];
    }
    return switch (layout.shape()) {
      case LONG -> encodeLongs(flat, count);
      case PAIR -> encodePairs(flat, count);
      case BYTES -> encodeBytes(flat, count);
    };
  }

  private static void requireNoNulls(Column[] columns) {
    for (Column column : columns) {
      if (column.validity() != null && column.nullCount() > 0) {
        throw new IllegalStateException("a null among keys that have none: " + column.type());
      }
    }
  }

  private RowKeys encodeLongs(Column[] columns, int count) {
    long[] keys = new long[count];
    if (!layout.nulls()) {
      return packLongs(columns, count, keys);
    }
    for (int k = 0; k < columns.length; k++) {
      int bits = 8 * KeyLayout.width(columns[k].type());
      normalize(columns[k], count, k);
      long valueByte = (long) KeyLayout.VALUE << bits;
      long nullByte = (long) layout.nullByte(k) << bits;
      byte[] validity = columns[k].validity();
      if (validity == null) {
        for (int i = 0; i < count; i++) {
          keys[i] = keys[i] << bits + 8 | valueByte | values[i];
        }
      } else {
        int offset = columns[k].offset();
        for (int i = 0; i < count; i++) {
          long mark = validity[offset + i] != 0 ? valueByte : nullByte;
          keys[i] = keys[i] << bits + 8 | mark | values[i];
        }
      }
    }
    return RowKeys.ofLongs(count, keys);
  }

  /** Values alone, side by side. */
  private RowKeys packLongs(Column[] columns, int count, long[] keys) {
    if (columns.length == 1) {
      NormalizedValues.write(
          columns[0], count, layout.descending(0), KeyLayout.width(columns[0].type()), keys);
      return RowKeys.ofLongs(count, keys);
    }
    for (int k = 0; k < columns.length; k++) {
      int bits = 8 * KeyLayout.width(columns[k].type());
      normalize(columns[k], count, k);
      for (int i = 0; i < count; i++) {
        keys[i] = keys[i] << bits | values[i];
      }
    }
    return RowKeys.ofLongs(count, keys);
  }

  private RowKeys packPairs(Column[] columns, int count, long[] high, long[] low) {
    for (int k = 0; k < columns.length; k++) {
      int bits = 8 * KeyLayout.width(columns[k].type());
      normalize(columns[k], count, k);
      if (bits == 64) {
        System.arraycopy(low, 0, high, 0, count);
        System.arraycopy(values, 0, low, 0, count);
      } else {
        for (int i = 0; i < count; i++) {
          high[i] = high[i] << bits | low[i] >>> 64 - bits;
          low[i] = low[i] << bits | values[i];
        }
      }
    }
    return RowKeys.ofPairs(count, high, low);
  }

  private RowKeys encodePairs(Column[] columns, int count) {
    long[] high = new long[count];
    long[] low = new long[count];
    if (!layout.nulls()) {
      return packPairs(columns, count, high, low);
    }
    for (int k = 0; k < columns.length; k++) {
      int bits = 8 * KeyLayout.width(columns[k].type());
      normalize(columns[k], count, k);
      byte[] validity = columns[k].validity();
      int offset = columns[k].offset();
      int nullByte = layout.nullByte(k);
      for (int i = 0; i < count; i++) {
        long mark = validity == null || validity[offset + i] != 0 ? KeyLayout.VALUE : nullByte;
        high[i] = high[i] << 8 | low[i] >>> 56;
        low[i] = low[i] << 8 | mark;
        if (bits == 64) {
          high[i] = low[i];
          low[i] = values[i];
        } else {
          high[i] = high[i] << bits | low[i] >>> 64 - bits;
          low[i] = low[i] << bits | values[i];
        }
      }
    }
    return RowKeys.ofPairs(count, high, low);
  }

  private void normalize(Column column, int count, int key) {
    NormalizedValues.write(
        column, count, layout.descending(key), KeyLayout.width(column.type()), values);
  }

  private RowKeys encodeBytes(Column[] columns, int count) {
    int[] offsets = offsets(columns, count);
    byte[] out = new byte[offsets[count]];
    int[] cursor = offsets.clone();
    for (int k = 0; k < columns.length; k++) {
      Column column = columns[k];
      byte flip = (byte) (layout.descending(k) ? 0xFF : 0);
      if (column instanceof BytesColumn bytes) {
        if (KeyLayout.width(column.type()) < 0) {
          writeVarying(bytes, count, layout.nullByte(k), flip, out, cursor);
        } else {
          writeFixed(bytes, count, layout.nullByte(k), flip, out, cursor);
        }
      } else if (column instanceof Int128Column wide) {
        writeWide(wide, count, layout.nullByte(k), layout.descending(k), out, cursor);
      } else {
        normalize(column, count, k);
        writeNormalized(column, count, layout.nullByte(k), out, cursor);
      }
    }
    return RowKeys.ofBytes(count, out, offsets);
  }

  private static int[] offsets(Column[] columns, int count) {
    int[] offsets = new int[count + 1];
    int fixed = 0;
    long varying = 0;
    for (Column column : columns) {
      int width = KeyLayout.width(column.type());
      fixed += 1 + Math.max(width, 0);
      if (width < 0) {
        BytesColumn bytes = (BytesColumn) column;
        byte[] data = bytes.data();
        for (int i = 0; i < count; i++) {
          if (!bytes.isNull(i)) {
            int start = bytes.start(i);
            int end = bytes.end(i);
            int size = end - start + 2;
            for (int at = start; at < end; at++) {
              size += data[at] == 0 ? 1 : 0;
            }
            offsets[i + 1] += size;
            varying += size;
          }
        }
      }
    }
    if ((long) fixed * count + varying > Integer.MAX_VALUE - 16) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED,
          "the keys of " + count + " rows take more than 2 GB",
          null,
          "lower execution.batch_size",
          null);
    }
    for (int i = 0; i < count; i++) {
      offsets[i + 1] += offsets[i] + fixed;
    }
    return offsets;
  }

  private void writeNormalized(Column column, int count, int nullByte, byte[] out, int[] cursor) {
    int width = KeyLayout.width(column.type());
    byte[] validity = column.validity();
    int offset = column.offset();
    for (int i = 0; i < count; i++) {
      int at = cursor[i];
      out[at] = mark(validity, offset + i, nullByte);
      switch (width) {
        case 1 -> out[at + 1] = (byte) values[i];
        case 4 -> BIG_ENDIAN_INT.set(out, at + 1, (int) values[i]);
        default -> RowKeys.BIG_ENDIAN_LONG.set(out, at + 1, values[i]);
      }
      cursor[i] = at + 1 + width;
    }
  }

  private static byte mark(byte @Nullable [] validity, int row, int nullByte) {
    return (byte) (validity == null || validity[row] != 0 ? KeyLayout.VALUE : nullByte);
  }

  private static void writeWide(
      Int128Column column, int count, int nullByte, boolean descending, byte[] out, int[] cursor) {
    long flip = descending ? -1L : 0L;
    int offset = column.offset();
    for (int i = 0; i < count; i++) {
      int at = cursor[i];
      if (column.isNull(i)) {
        out[at] = (byte) nullByte;
      } else {
        out[at] = KeyLayout.VALUE;
        RowKeys.BIG_ENDIAN_LONG.set(out, at + 1, column.high()[offset + i] ^ Long.MIN_VALUE ^ flip);
        RowKeys.BIG_ENDIAN_LONG.set(out, at + 9, column.low()[offset + i] ^ flip);
      }
      cursor[i] = at + 17;
    }
  }

  private static void writeFixed(
      BytesColumn column, int count, int nullByte, byte flip, byte[] out, int[] cursor) {
    int width = KeyLayout.width(column.type());
    for (int i = 0; i < count; i++) {
      int at = cursor[i];
      if (column.isNull(i)) {
        out[at] = (byte) nullByte;
      } else {
        out[at] = KeyLayout.VALUE;
        int start = column.start(i);
        for (int b = 0; b < width; b++) {
          out[at + 1 + b] = (byte) (column.data()[start + b] ^ flip);
        }
      }
      cursor[i] = at + 1 + width;
    }
  }

  private static void writeVarying(
      BytesColumn column, int count, int nullByte, byte flip, byte[] out, int[] cursor) {
    byte[] data = column.data();
    for (int i = 0; i < count; i++) {
      int at = cursor[i];
      if (column.isNull(i)) {
        out[at++] = (byte) nullByte;
      } else {
        out[at++] = KeyLayout.VALUE;
        int end = column.end(i);
        for (int from = column.start(i); from < end; from++) {
          byte value = data[from];
          out[at++] = (byte) (value ^ flip);
          if (value == 0) {
            out[at++] = (byte) (0xFF ^ flip);
          }
        }
        out[at++] = flip;
        out[at++] = flip;
      }
      cursor[i] = at;
    }
  }
}
