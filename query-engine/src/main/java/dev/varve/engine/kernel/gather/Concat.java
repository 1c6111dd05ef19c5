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
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches or columns put one after the other, by bulk copies. */
public final class Concat {
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

  private Concat() {}

  public static Batch batches(Schema schema, List<Batch> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    int total = count(parts.stream().mapToLong(Batch::rowCount).sum(), "rows");
    List<Column> columns = new ArrayList<>(schema.size());
    for (int c = 0; c < schema.size(); c++) {
      Column[] column = new Column[parts.size()];
      for (int p = 0; p < column.length; p++) {
        column[p] = parts.get(p).column(c);
      }
      columns.add(columns(schema.type(c), column, total));
    }
    return new Batch(schema, columns, total);
  }

  /** {@code total} is the number of rows of all parts. */
  public static Column columns(DataType type, Column[] parts, int total) {
    Column dictionary = Gather.dictionary(parts);
    if (dictionary != null) {
      int[] codes = new int[total];
      int at = 0;
      for (Column part : parts) {
        DictionaryColumn coded = (DictionaryColumn) part;
        System.arraycopy(coded.codes(), coded.offset(), codes, at, coded.length());
        at += coded.length();
      }
      return new DictionaryColumn(dictionary, codes, 0, total, validity(parts, total));
    }
    Column[] flat = new Column[parts.length];
    for (int p = 0; p < parts.length; p++) {
      flat[p] = parts[p] instanceof ConstantColumn one ? one.flat() : parts[p].flat();
    }
    byte[] validity = validity(flat, total);
    return switch (type.physical()) {
      case BOOLEAN -> {
        byte[] values = new byte[total];
        int at = 0;
        for (Column part : flat) {
          System.arraycopy(
              ((BooleanColumn) part).values(), part.offset(), values, at, part.length());
          at += part.length();
        }
        yield new BooleanColumn(type, values, validity);
      }
      case INT -> {
        int[] values = new int[total];
        int at = 0;
        for (Column part : flat) {
          System.arraycopy(((IntColumn) part).values(), part.offset(), values, at, part.length());
          at += part.length();
        }
        yield new IntColumn(type, values, validity);
      }
      case LONG -> {
        long[] values = new long[total];
        int at = 0;
        for (Column part : flat) {
          System.arraycopy(((LongColumn) part).values(), part.offset(), values, at, part.length());
          at += part.length();
        }
        yield new LongColumn(type, values, validity);
      }
      case INT128 -> {
        long[] high = new long[total];
        long[] low = new long[total];
        int at = 0;
        for (Column part : flat) {
          Int128Column wide = (Int128Column) part;
          System.arraycopy(wide.high(), part.offset(), high, at, part.length());
          System.arraycopy(wide.low(), part.offset(), low, at, part.length());
          at += part.length();
        }
        yield new Int128Column(type, high, low, validity);
      }
      case FLOAT -> {
        float[] values = new float[total];
        int at = 0;
        for (Column part : flat) {
          System.arraycopy(((FloatColumn) part).values(), part.offset(), values, at, part.length());
          at += part.length();
        }
        yield new FloatColumn(type, values, validity);
      }
      case DOUBLE -> {
        double[] values = new double[total];
        int at = 0;
        for (Column part : flat) {
          System.arraycopy(
              ((DoubleColumn) part).values(), part.offset(), values, at, part.length());
          at += part.length();
        }
        yield new DoubleColumn(type, values, validity);
      }
      case BYTES -> bytes(type, flat, total, validity);
    };
  }

  private static Column bytes(
      DataType type, Column[] parts, int total, byte @Nullable [] validity) {
    long size = 0;
    for (Column part : parts) {
      BytesColumn column = (BytesColumn) part;
      size += column.offsets()[part.offset() + part.length()] - column.offsets()[part.offset()];
    }
    byte[] data = new byte[count(size, "bytes in one column")];
    int[] offsets = new int[total + 1];
    int row = 0;
    int to = 0;
    for (Column part : parts) {
      BytesColumn column = (BytesColumn) part;
      int start = column.offsets()[part.offset()];
      int end = column.offsets()[part.offset() + part.length()];
      System.arraycopy(column.data(), start, data, to, end - start);
      for (int i = 1; i <= part.length(); i++) {
        offsets[row + i] = column.offsets()[part.offset() + i] - start + to;
      }
      row += part.length();
      to += end - start;
    }
    return new BytesColumn(type, data, offsets, validity);
  }

  private static byte @Nullable [] validity(Column[] parts, int total) {
    byte[] all = null;
    int at = 0;
    for (Column part : parts) {
      byte[] mask = part.validity();
      if (mask != null && all == null) {
        all = new byte[total];
        Arrays.fill(all, 0, at, (byte) 1);
      }
      if (all != null) {
        if (mask == null) {
          Arrays.fill(all, at, at + part.length(), (byte) 1);
        } else {
          System.arraycopy(mask, part.offset(), all, at, part.length());
        }
      }
      at += part.length();
    }
    return all;
  }

  private static int count(long total, String what) {
    if (total > MAX_ARRAY) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED, total + " " + what + " do not fit into memory at once");
    }
    return (int) total;
  }
}
