package dev.varve.engine.kernel.key;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where a row differs from the one before it, by the engine's key equality: what splits ordered
 * rows into groups, without encoding them.
 */
public final class Neighbours {
  private Neighbours() {}

  /**
   * Sets {@code differs[i]} to 1 for each row i in [1, count) whose value is another than that of
   * row i - 1; what is set stays.
   */
  public static void mark(Column column, int count, byte[] differs) {
    if (column instanceof ConstantColumn) {
      return;
    }
    byte[] validity = column.validity();
    if (validity == null) {
      markValues(column, count, differs);
      return;
    }
    int offset = column.offset();
    byte[] values = new byte[count];
    markValues(column, count, values);
    for (int i = 1; i < count; i++) {
      int valid = validity[offset + i] & 1;
      int before = validity[offset + i - 1] & 1;
      // Two nulls are the same, whatever is in their place.
      differs[i] |= (byte) ((valid ^ before) | (values[i] & valid & before));
    }
  }

  private static void markValues(Column column, int count, byte[] differs) {
    int offset = column.offset();
    switch (column) {
      case IntColumn c -> {
        int[] values = c.values();
        for (int i = 1; i < count; i++) {
          differs[i] |= (byte) (values[offset + i] != values[offset + i - 1] ? 1 : 0);
        }
      }
      case LongColumn c -> {
        long[] values = c.values();
        for (int i = 1; i < count; i++) {
          differs[i] |= (byte) (values[offset + i] != values[offset + i - 1] ? 1 : 0);
        }
      }
      case BooleanColumn c -> {
        byte[] values = c.values();
        for (int i = 1; i < count; i++) {
          differs[i] |= (byte) (values[offset + i] ^ values[offset + i - 1]);
        }
      }
      case FloatColumn c -> {
        float[] values = c.values();
        for (int i = 1; i < count; i++) {
          differs[i] |=
              (byte)
                  (Float.floatToIntBits(values[offset + i] + 0.0f)
                          != Float.floatToIntBits(values[offset + i - 1] + 0.0f)
                      ? 1
                      : 0);
        }
      }
      case DoubleColumn c -> {
        double[] values = c.values();
        for (int i = 1; i < count; i++) {
          differs[i] |=
              (byte)
                  (Double.doubleToLongBits(values[offset + i] + 0.0)
                          != Double.doubleToLongBits(values[offset + i - 1] + 0.0)
                      ? 1
                      : 0);
        }
      }
      case Int128Column c -> {
        long[] high = c.high();
        long[] low = c.low();
        for (int i = 1; i < count; i++) {
          int at = offset + i;
          differs[i] |= (byte) (high[at] != high[at - 1] || low[at] != low[at - 1] ? 1 : 0);
        }
      }
      case BytesColumn c -> {
        for (int i = 1; i < count; i++) {
          differs[i] |= (byte) (isSame(c, i, i - 1) ? 0 : 1);
        }
      }
      case DictionaryColumn c -> markCodes(c, count, differs);
      case ConstantColumn _ -> {}
    }
  }

  /** Different codes may stand for one value: entries of a dictionary need not be distinct. */
  private static void markCodes(DictionaryColumn column, int count, byte[] differs) {
    int[] codes = column.codes();
    int offset = column.offset();
    Column entries = column.dictionary();
    byte[] pair = new byte[2];
    for (int i = 1; i < count; i++) {
      int code = codes[offset + i];
      int before = codes[offset + i - 1];
      if (code != before && differs[i] == 0) {
        if (entries instanceof BytesColumn bytes) {
          differs[i] = (byte) (isSame(bytes, code, before) ? 0 : 1);
        } else {
          pair[1] = 0;
          markValues(entries.take(new int[] {before, code}, 2), 2, pair);
          differs[i] = pair[1];
        }
      }
    }
  }

  private static boolean isSame(BytesColumn column, int a, int b) {
    byte[] data = column.data();
    return Arrays.equals(
        data, column.start(a), column.end(a), data, column.start(b), column.end(b));
  }

  /** Whether a row of one column has the value of a row of another of the same type. */
  public static boolean areSame(Column[] columns, int row, Column[] others, int otherRow) {
    for (int k = 0; k < columns.length; k++) {
      if (!isSame(columns[k], row, others[k], otherRow)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(Column column, int row, Column other, int otherRow) {
    boolean isNull = column.isNull(row);
    if (isNull || other.isNull(otherRow)) {
      return isNull && other.isNull(otherRow);
    }
    Object a = canonical(column.value(row));
    Object b = canonical(other.value(otherRow));
    return a instanceof byte[] bytes && b instanceof byte[] more
        ? Arrays.equals(bytes, more)
        : a != null && a.equals(b);
  }

  private static @Nullable Object canonical(@Nullable Object value) {
    return switch (value) {
      case Double d -> d + 0.0;
      case Float f -> f + 0.0f;
      case null, default -> value;
    };
  }
}
