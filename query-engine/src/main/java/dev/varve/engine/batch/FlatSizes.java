package dev.varve.engine.batch;

import java.util.ArrayList;
import java.util.List;

/**
 * Batches that leave the engine, to a file or a client, leave flat, and a dictionary of long
 * strings can be small while its rows are large: rows are counted before they are made flat.
 */
public final class FlatSizes {
  private FlatSizes() {}

  /** How many rows from {@code from} on take at most {@code limit} bytes flat: at least one. */
  public static int rowsWithin(Batch batch, int from, long limit) {
    int left = batch.rowCount() - from;
    long fixed = 0;
    List<Column> varying = new ArrayList<>();
    for (Column column : batch.columns()) {
      fixed += column.mayHaveNulls() ? 1 : 0;
      switch (column.type().physical()) {
        case BOOLEAN -> fixed += 1;
        case INT, FLOAT -> fixed += 4;
        case LONG, DOUBLE -> fixed += 8;
        case INT128 -> fixed += 16;
        case BYTES -> {
          fixed += 4;
          varying.add(column);
        }
      }
    }
    if (varying.isEmpty()) {
      return (int) Math.max(1, Math.min(left, limit / Math.max(1, fixed)));
    }
    long whole = fixed * left;
    for (Column column : varying) {
      whole += bytesOf(column, from, left);
    }
    return whole <= limit ? left : rowsWithin(varying, fixed, from, left, limit);
  }

  private static int rowsWithin(List<Column> varying, long fixed, int from, int left, long limit) {
    long total = 0;
    for (int i = 0; i < left; i++) {
      total += fixed;
      for (Column column : varying) {
        total += bytesAt(column, from + i);
      }
      if (total > limit && i > 0) {
        return i;
      }
    }
    return left;
  }

  private static long bytesOf(Column column, int from, int count) {
    if (column instanceof BytesColumn flat) {
      return (long) flat.end(from + count - 1) - flat.start(from);
    }
    long total = 0;
    for (int i = from; i < from + count; i++) {
      total += bytesAt(column, i);
    }
    return total;
  }

  private static long bytesAt(Column column, int row) {
    return switch (column) {
      case BytesColumn flat -> flat.end(row) - flat.start(row);
      case ConstantColumn constant -> bytesAt(constant.single(), 0);
      case DictionaryColumn coded ->
          coded.isNull(row) ? 0 : bytesAt(coded.dictionary(), coded.codes()[coded.offset() + row]);
      default -> throw new IllegalStateException("no bytes in " + column.type());
    };
  }

  public static Batch flat(Batch batch, int from, int count) {
    Batch part = batch.slice(from, count);
    List<Column> flat = new ArrayList<>();
    for (Column column : part.columns()) {
      flat.add(column.flat());
    }
    return new Batch(part.schema(), flat, count);
  }
}
