package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.Arrays;

/** Columns as the flat class that a kernel loops over. */
public final class Flats {
  private Flats() {}

  public static IntColumn ints(Column column) {
    if (column instanceof ConstantColumn constant
        && constant.single() instanceof IntColumn single
        && !single.isNull(0)) {
      int[] filled = new int[column.length()];
      Arrays.fill(filled, single.get(0));
      return new IntColumn(column.type(), filled, null);
    }
    return column.flat() instanceof IntColumn flat ? flat : wrong(column);
  }

  public static LongColumn longs(Column column) {
    if (column instanceof ConstantColumn constant
        && constant.single() instanceof LongColumn single
        && !single.isNull(0)) {
      long[] filled = new long[column.length()];
      Arrays.fill(filled, single.get(0));
      return new LongColumn(column.type(), filled, null);
    }
    return column.flat() instanceof LongColumn flat ? flat : wrong(column);
  }

  public static DoubleColumn doubles(Column column) {
    if (column instanceof ConstantColumn constant
        && constant.single() instanceof DoubleColumn single
        && !single.isNull(0)) {
      double[] filled = new double[column.length()];
      Arrays.fill(filled, single.get(0));
      return new DoubleColumn(column.type(), filled, null);
    }
    return column.flat() instanceof DoubleColumn flat ? flat : wrong(column);
  }

  public static FloatColumn floats(Column column) {
    return column.flat() instanceof FloatColumn flat ? flat : wrong(column);
  }

  public static BytesColumn bytes(Column column) {
    return column.flat() instanceof BytesColumn flat ? flat : wrong(column);
  }

  public static BooleanColumn booleans(Column column) {
    return column.flat() instanceof BooleanColumn flat ? flat : wrong(column);
  }

  /** A decimal of any precision as 128-bit values. */
  public static Int128Column int128s(Column column) {
    Column flat = column.flat();
    if (flat instanceof Int128Column wide) {
      return wide;
    }
    LongColumn narrow = longs(column);
    int n = narrow.length();
    long[] high = new long[n];
    long[] low = new long[n];
    System.arraycopy(narrow.values(), narrow.offset(), low, 0, n);
    for (int i = 0; i < n; i++) {
      high[i] = low[i] >> 63;
    }
    DataType type = DataType.decimal(DataType.MAX_DECIMAL_PRECISION, column.type().scale());
    return new Int128Column(type, high, low, Masks.copy(narrow));
  }

  /** Reals as doubles, exactly. */
  public static DoubleColumn widened(Column column) {
    if (column.flat() instanceof FloatColumn narrow) {
      int n = narrow.length();
      float[] values = narrow.values();
      int offset = narrow.offset();
      double[] out = new double[n];
      for (int i = 0; i < n; i++) {
        out[i] = values[offset + i];
      }
      return new DoubleColumn(DataType.DOUBLE, out, Masks.copy(narrow));
    }
    return doubles(column);
  }

  private static <T> T wrong(Column column) {
    throw new IllegalStateException(
        "column of " + column.type() + " as " + column.getClass().getSimpleName());
  }
}
