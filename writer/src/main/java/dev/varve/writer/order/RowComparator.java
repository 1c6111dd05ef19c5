package dev.varve.writer.order;

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
import dev.varve.engine.ordering.SortOptions;
import java.util.Arrays;

/**
 * Compares values of rows exactly as their encoded sort keys compare: nulls by their place, -0.0
 * equal to 0.0, NaN equal to itself and above every number, strings and uuids as unsigned bytes.
 */
final class RowComparator {
  private RowComparator() {}

  /** Negative if row {@code i} of {@code a} comes before row {@code j} of {@code b}. */
  static int compare(Column a, int i, Column b, int j, SortOptions options) {
    boolean leftNull = a.isNull(i);
    boolean rightNull = b.isNull(j);
    if (leftNull || rightNull) {
      return leftNull == rightNull ? 0 : leftNull == options.nullsFirst() ? -1 : 1;
    }
    int ascending = values(a, i, b, j);
    return options.descending() ? -ascending : ascending;
  }

  private static int values(Column a, int i, Column b, int j) {
    if (a instanceof DictionaryColumn left) {
      int code = left.codes()[left.offset() + i];
      if (b instanceof DictionaryColumn right) {
        int other = right.codes()[right.offset() + j];
        return left.dictionary() == right.dictionary() && code == other
            ? 0
            : values(left.dictionary(), code, right.dictionary(), other);
      }
      return values(left.dictionary(), code, b, j);
    }
    if (b instanceof DictionaryColumn right) {
      return values(a, i, right.dictionary(), right.codes()[right.offset() + j]);
    }
    if (a instanceof ConstantColumn left) {
      return a == b ? 0 : values(left.single(), 0, b, j);
    }
    if (b instanceof ConstantColumn right) {
      return values(a, i, right.single(), 0);
    }
    return switch (a) {
      case BooleanColumn left -> Byte.compare(left.get(i), ((BooleanColumn) b).get(j));
      case IntColumn left -> Integer.compare(left.get(i), ((IntColumn) b).get(j));
      case LongColumn left -> Long.compare(left.get(i), ((LongColumn) b).get(j));
      case Int128Column left -> wide(left, i, (Int128Column) b, j);
      // Adding +0.0 makes one zero of both.
      case FloatColumn left -> Float.compare(left.get(i) + 0.0f, ((FloatColumn) b).get(j) + 0.0f);
      case DoubleColumn left -> Double.compare(left.get(i) + 0.0, ((DoubleColumn) b).get(j) + 0.0);
      case BytesColumn left -> bytes(left, i, (BytesColumn) b, j);
      case DictionaryColumn _, ConstantColumn _ ->
          throw new IllegalStateException("an encoded column inside another");
    };
  }

  private static int wide(Int128Column a, int i, Int128Column b, int j) {
    int upper = Long.compare(a.high()[a.offset() + i], b.high()[b.offset() + j]);
    return upper != 0
        ? upper
        : Long.compareUnsigned(a.low()[a.offset() + i], b.low()[b.offset() + j]);
  }

  private static int bytes(BytesColumn a, int i, BytesColumn b, int j) {
    return Arrays.compareUnsigned(a.data(), a.start(i), a.end(i), b.data(), b.start(j), b.end(j));
  }
}
