package dev.varve.engine.kernel.gather;

import dev.varve.engine.batch.Batch;
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
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of several batches of one schema, put together: row i of the result is row {@code rows[from
 * + i]} of batch {@code which[from + i]}. A dictionary that all of them share is kept.
 */
public final class Gather {
  private Gather() {}

  public static Batch rows(
      Schema schema, List<Batch> sources, int[] which, int[] rows, int from, int count) {
    List<Column> columns = new ArrayList<>(schema.size());
    for (int c = 0; c < schema.size(); c++) {
      Column[] parts = new Column[sources.size()];
      for (int s = 0; s < parts.length; s++) {
        parts[s] = sources.get(s).column(c);
      }
      columns.add(rows(schema.type(c), parts, which, rows, from, count));
    }
    return new Batch(schema, columns, count);
  }

  static Column rows(DataType type, Column[] parts, int[] which, int[] rows, int from, int count) {
    Column shared = dictionary(parts);
    if (shared != null) {
      return codes(shared, parts, which, rows, from, count);
    }
    Column[] flat = new Column[parts.length];
    for (int s = 0; s < parts.length; s++) {
      flat[s] = parts[s].flat();
    }
    byte[] validity = validity(flat, which, rows, from, count);
    return switch (type.physical()) {
      case BOOLEAN -> booleans(type, flat, which, rows, from, count, validity);
      case INT -> ints(type, flat, which, rows, from, count, validity);
      case LONG -> longs(type, flat, which, rows, from, count, validity);
      case INT128 -> wides(type, flat, which, rows, from, count, validity);
      case FLOAT -> floats(type, flat, which, rows, from, count, validity);
      case DOUBLE -> doubles(type, flat, which, rows, from, count, validity);
      case BYTES -> bytes(type, flat, which, rows, from, count, validity);
    };
  }

  /** The dictionary that all parts share; null if they do not. */
  static @Nullable Column dictionary(Column[] parts) {
    Column shared = null;
    for (Column part : parts) {
      if (!(part instanceof DictionaryColumn column)
          || (shared != null && shared != column.dictionary())) {
        return null;
      }
      shared = column.dictionary();
    }
    return shared;
  }

  private static Column codes(
      Column dictionary, Column[] parts, int[] which, int[] rows, int from, int count) {
    int[][] sources = new int[parts.length][];
    int[] offsets = new int[parts.length];
    for (int s = 0; s < parts.length; s++) {
      sources[s] = ((DictionaryColumn) parts[s]).codes();
      offsets[s] = parts[s].offset();
    }
    int[] taken = new int[count];
    for (int i = 0; i < count; i++) {
      int s = which[from + i];
      taken[i] = sources[s][offsets[s] + rows[from + i]];
    }
    return new DictionaryColumn(
        dictionary, taken, 0, count, validity(parts, which, rows, from, count));
  }

  private static byte @Nullable [] validity(
      Column[] parts, int[] which, int[] rows, int from, int count) {
    byte[][] masks = new byte[parts.length][];
    boolean any = false;
    for (int s = 0; s < parts.length; s++) {
      byte[] mask = parts[s].validity();
      if (mask != null) {
        masks[s] = mask;
        any = true;
      }
    }
    if (!any) {
      return null;
    }
    byte[] taken = new byte[count];
    int all = 1;
    for (int i = 0; i < count; i++) {
      int s = which[from + i];
      byte valid = masks[s] == null ? 1 : masks[s][parts[s].offset() + rows[from + i]];
      taken[i] = valid;
      all &= valid;
    }
    return all == 1 ? null : taken;
  }

  private static Column booleans(
      DataType type,
      Column[] parts,
      int[] which,
      int[] rows,
      int from,
      int count,
      byte @Nullable [] validity) {
    byte[][] sources = new byte[parts.length][];
    int[] offsets = new int[parts.length];
    for (int s = 0; s < parts.length; s++) {
      sources[s] = ((BooleanColumn) parts[s]).values();
      offsets[s] = parts[s].offset();
    }
    byte[] taken = new byte[count];
    for (int i = 0; i < count; i++) {
      int s = which[from + i];
      taken[i] = sources[s][offsets[s] + rows[from + i]];
    }
    return new BooleanColumn(type, taken, validity);
  }

  private static Column ints(
      DataType type,
      Column[] parts,
      int[] which,
      int[] rows,
      int from,
      int count,
      byte @Nullable [] validity) {
    int[][] sources = new int[parts.length][];
    int[] offsets = new int[parts.length];
    for (int s = 0; s < parts.length; s++) {
      sources[s] = ((IntColumn) parts[s]).values();
      offsets[s] = parts[s].offset();
    }
    int[] taken = new int[count];
    for (int i = 0; i < count; i++) {
      int s = which[from + i];
      taken[i] = sources[s][offsets[s] + rows[from + i]];
    }
    return new IntColumn(type, taken, validity);
  }

  private static Column longs(
      DataType type,
      Column[] parts,
      int[] which,
      int[] rows,
      int from,
      int count,
      byte @Nullable [] validity) {
    long[][] sources = new long[parts.length][];
    int[] offsets = new int[parts.length];
    for (int s = 0; s < parts.length; s++) {
      sources[s] = ((LongColumn) parts[s]).values();
      offsets[s] = parts[s].offset();
    }
    long[] taken = new long[count];
    for (int i = 0; i < count; i++) {
      int s = which[from + i];
      taken[i] = sources[s][offsets[s] + rows[from + i]];
    }
    return new LongColumn(type, taken, validity);
  }

  private static Column wides(
      DataType type,
      Column[] parts,
      int[] which,
      int[] rows,
      int from,
      int count,
      byte @Nullable [] validity) {
    long[] high = new long[count];
    long[] low = new long[count];
    for (int i = 0; i < count; i++) {
      Int128Column source = (Int128Column) parts[which[from + i]];
      int row = source.offset() + rows[from + i];
      high[i] = source.high()[row];
      low[i] = source.low()[row];
    }
    return new Int128Column(type, high, low, validity);
  }

  private static Column floats(
      DataType type,
      Column[] parts,
      int[] which,
      int[] rows,
      int from,
      int count,
      byte @Nullable [] validity) {
    float[][] sources = new float[parts.length][];
    int[] offsets = new int[parts.length];
    for (int s = 0; s < parts.length; s++) {
      sources[s] = ((FloatColumn) parts[s]).values();
      offsets[s] = parts[s].offset();
    }
    float[] taken = new float[count];
    for (int i = 0; i < count; i++) {
      int s = which[from + i];
      taken[i] = sources[s][offsets[s] + rows[from + i]];
    }
    return new FloatColumn(type, taken, validity);
  }

  private static Column doubles(
      DataType type,
      Column[] parts,
      int[] which,
      int[] rows,
      int from,
      int count,
      byte @Nullable [] validity) {
    double[][] sources = new double[parts.length][];
    int[] offsets = new int[parts.length];
    for (int s = 0; s < parts.length; s++) {
      sources[s] = ((DoubleColumn) parts[s]).values();
      offsets[s] = parts[s].offset();
    }
    double[] taken = new double[count];
    for (int i = 0; i < count; i++) {
      int s = which[from + i];
      taken[i] = sources[s][offsets[s] + rows[from + i]];
    }
    return new DoubleColumn(type, taken, validity);
  }

  private static Column bytes(
      DataType type,
      Column[] parts,
      int[] which,
      int[] rows,
      int from,
      int count,
      byte @Nullable [] validity) {
    BytesColumn[] sources = new BytesColumn[parts.length];
    for (int s = 0; s < parts.length; s++) {
      sources[s] = (BytesColumn) parts[s];
    }
    int[] offsets = new int[count + 1];
    long total = 0;
    for (int i = 0; i < count; i++) {
      BytesColumn source = sources[which[from + i]];
      int row = rows[from + i];
      total += source.end(row) - source.start(row);
      offsets[i + 1] = (int) total;
    }
    if (total > Integer.MAX_VALUE - 16) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED,
          "one column of " + count + " rows takes more than 2 GB",
          null,
          "lower execution.batch_size",
          null);
    }
    byte[] data = new byte[(int) total];
    for (int i = 0; i < count; i++) {
      BytesColumn source = sources[which[from + i]];
      int start = source.start(rows[from + i]);
      System.arraycopy(source.data(), start, data, offsets[i], offsets[i + 1] - offsets[i]);
    }
    return new BytesColumn(type, data, offsets, validity);
  }

  /** A string column with an empty string for each null. */
  public static BytesColumn ignoringNulls(Column column) {
    BytesColumn bytes = (BytesColumn) column.flat().compact();
    return new BytesColumn(bytes.type(), bytes.data(), bytes.offsets(), null);
  }

  /** A row of a column, alone, without the arrays it came from. */
  public static Column single(Column column, int row) {
    return column instanceof ConstantColumn constant
        ? constant.single()
        : column.slice(row, 1).flat().take(new int[] {0}, 1);
  }
}
