package dev.varve.engine.kernel.key;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Makes columns of encoded keys again. */
final class KeyDecoder {
  private final KeyLayout layout;

  KeyDecoder(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * Of shape LONG or PAIR: the lower longs of the keys and, of pairs, the upper; both are used up.
   */
  Column[] decodeNumbers(long[] high, long[] low) {
    int count = low.length;
    Column[] columns = new Column[layout.size()];
    long[] values = new long[count];
    for (int k = layout.size() - 1; k >= 0; k--) {
      DataType type = layout.types().get(k);
      int width = KeyLayout.width(type);
      int bits = 8 * width;
      long mask = NormalizedValues.mask(width);
      for (int i = 0; i < count; i++) {
        values[i] = low[i] & mask;
        if (bits == 64) {
          low[i] = high[i];
          high[i] = 0;
        } else {
          low[i] = low[i] >>> bits | high[i] << 64 - bits;
          high[i] >>>= bits;
        }
      }
      byte[] validity = layout.nulls() ? takeMarks(high, low) : null;
      columns[k] =
          NormalizedValues.read(type, values, count, layout.descending(k), width, validity);
    }
    return columns;
  }

  /** Takes the lowest bytes, which place nulls, off the keys; null if there are no nulls. */
  private static byte @Nullable [] takeMarks(long[] high, long[] low) {
    byte[] validity = new byte[low.length];
    int all = 1;
    for (int i = 0; i < low.length; i++) {
      validity[i] = (byte) ((low[i] & 0xFF) == KeyLayout.VALUE ? 1 : 0);
      all &= validity[i];
      low[i] = low[i] >>> 8 | high[i] << 56;
      high[i] >>>= 8;
    }
    return all == 1 ? null : validity;
  }

  /** Of shape BYTES: keys [from, from + count). */
  Column[] decodeBytes(byte[] bytes, int[] offsets, int from, int count) {
    int[] cursor = Arrays.copyOfRange(offsets, from, from + count);
    Column[] columns = new Column[layout.size()];
    for (int k = 0; k < columns.length; k++) {
      DataType type = layout.types().get(k);
      int width = KeyLayout.width(type);
      byte[] validity = validity(bytes, cursor, count);
      boolean descending = layout.descending(k);
      columns[k] =
          switch (type.physical()) {
            case BYTES ->
                width < 0
                    ? varying(type, bytes, cursor, count, descending, validity)
                    : fixed(type, bytes, cursor, count, descending, validity);
            case INT128 -> wide(type, bytes, cursor, count, descending, validity);
            default -> number(type, bytes, cursor, count, descending, validity);
          };
    }
    return columns;
  }

  /** Reads the null bytes and moves the cursors past them; null if there are no nulls. */
  private static byte @Nullable [] validity(byte[] bytes, int[] cursor, int count) {
    byte[] validity = new byte[count];
    int all = 1;
    for (int i = 0; i < count; i++) {
      validity[i] = (byte) (bytes[cursor[i]++] == KeyLayout.VALUE ? 1 : 0);
      all &= validity[i];
    }
    return all == 1 ? null : validity;
  }

  private static boolean isNull(byte @Nullable [] validity, int row) {
    return validity != null && validity[row] == 0;
  }

  private static Column number(
      DataType type,
      byte[] bytes,
      int[] cursor,
      int count,
      boolean descending,
      byte @Nullable [] validity) {
    int width = KeyLayout.width(type);
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      long value = 0;
      for (int b = 0; b < width; b++) {
        value = value << 8 | (bytes[cursor[i] + b] & 0xFF);
      }
      values[i] = value;
      cursor[i] += width;
    }
    return NormalizedValues.read(type, values, count, descending, width, validity);
  }

  private static Column wide(
      DataType type,
      byte[] bytes,
      int[] cursor,
      int count,
      boolean descending,
      byte @Nullable [] validity) {
    long flip = descending ? -1L : 0L;
    long[] high = new long[count];
    long[] low = new long[count];
    for (int i = 0; i < count; i++) {
      if (!isNull(validity, i)) {
        high[i] = (long) RowKeys.BIG_ENDIAN_LONG.get(bytes, cursor[i]) ^ flip ^ Long.MIN_VALUE;
        low[i] = (long) RowKeys.BIG_ENDIAN_LONG.get(bytes, cursor[i] + 8) ^ flip;
      }
      cursor[i] += 16;
    }
    return new Int128Column(type, high, low, validity);
  }

  private static Column fixed(
      DataType type,
      byte[] bytes,
      int[] cursor,
      int count,
      boolean descending,
      byte @Nullable [] validity) {
    int width = KeyLayout.width(type);
    byte flip = (byte) (descending ? 0xFF : 0);
    byte[] data = new byte[count * width];
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      for (int b = 0; b < width; b++) {
        data[i * width + b] = (byte) (bytes[cursor[i] + b] ^ flip);
      }
      cursor[i] += width;
      offsets[i + 1] = (i + 1) * width;
    }
    return new BytesColumn(type, data, offsets, validity);
  }

  private static Column varying(
      DataType type,
      byte[] bytes,
      int[] cursor,
      int count,
      boolean descending,
      byte @Nullable [] validity) {
    byte flip = (byte) (descending ? 0xFF : 0);
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      int size = 0;
      if (!isNull(validity, i)) {
        int at = cursor[i];
        while (true) {
          if (bytes[at] != flip) {
            at++;
          } else if (bytes[at + 1] != flip) {
            at += 2;
          } else {
            break;
          }
          size++;
        }
      }
      offsets[i + 1] = offsets[i] + size;
    }
    byte[] data = new byte[offsets[count]];
    for (int i = 0; i < count; i++) {
      if (!isNull(validity, i)) {
        int at = cursor[i];
        for (int to = offsets[i]; to < offsets[i + 1]; to++) {
          byte value = bytes[at];
          data[to] = (byte) (value ^ flip);
          at += value == flip ? 2 : 1;
        }
        cursor[i] = at + 2;
      }
    }
    return new BytesColumn(type, data, offsets, validity);
  }
}
