package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;

/**
 * Comparison of two columns of one type. NaN equals itself and is the greatest, -0.0 equals 0.0,
 * text and bytes compare bytewise, false is less than true. Every operation is {@code less} or
 * {@code equal}, perhaps with sides exchanged and the answer flipped: all orders here are total.
 */
public final class Comparisons {
  private Comparisons() {}

  /** Flat, from offset 0; null where a side is null unless the operation is null-safe. */
  public static BooleanColumn compare(ComparisonOp op, Column left, Column right) {
    int n = left.length();
    boolean leftNull = left instanceof ConstantColumn c && c.isNull(0);
    boolean rightNull = right instanceof ConstantColumn c && c.isNull(0);
    if (leftNull || rightNull) {
      return withConstantNull(op, left, right, leftNull && rightNull, n);
    }
    if (left instanceof ConstantColumn) {
      return right instanceof ConstantColumn
          ? Booleans.flat(new ConstantColumn(compareRows(op, single(left), single(right)), n))
          : compareWithConstant(op.swap(), right, single(left));
    }
    if (right instanceof ConstantColumn) {
      return compareWithConstant(op, left, single(right));
    }
    return compareRows(op, left, right);
  }

  private static Column single(Column constant) {
    return ((ConstantColumn) constant).single();
  }

  private static BooleanColumn withConstantNull(
      ComparisonOp op, Column left, Column right, boolean both, int n) {
    return switch (op) {
      case IS_DISTINCT, IS_NOT_DISTINCT -> {
        boolean distinct = op == ComparisonOp.IS_DISTINCT;
        if (both) {
          yield Booleans.flat(Booleans.constant(!distinct, n));
        }
        boolean leftConstant = left instanceof ConstantColumn c && c.isNull(0);
        yield Booleans.flat(Booleans.isNull(leftConstant ? right : left, distinct));
      }
      default -> new BooleanColumn(DataType.BOOLEAN, new byte[n], new byte[n]);
    };
  }

  private static BooleanColumn compareWithConstant(ComparisonOp op, Column column, Column single) {
    if (column instanceof DictionaryColumn dictionary
        && dictionary.dictionary().length() <= dictionary.length()) {
      Column entries = dictionary.dictionary();
      BooleanColumn perEntry = compareFlatWithConstant(op, entries, single);
      return perEntry(op, perEntry, dictionary);
    }
    return compareFlatWithConstant(op, column.flat(), single);
  }

  private static BooleanColumn perEntry(
      ComparisonOp op, BooleanColumn perEntry, DictionaryColumn column) {
    int n = column.length();
    byte[] results = perEntry.values();
    int[] codes = column.codes();
    int offset = column.offset();
    byte[] out = new byte[n];
    byte[] valid = column.validity();
    if (results.length > 0) {
      for (int i = 0; i < n; i++) {
        out[i] = results[codes[offset + i]];
      }
    }
    if (!op.isNullSafe()) {
      return new BooleanColumn(DataType.BOOLEAN, out, Masks.copy(column));
    }
    if (valid != null) {
      byte whenNull = (byte) (op == ComparisonOp.IS_DISTINCT ? 1 : 0);
      for (int i = 0; i < n; i++) {
        out[i] = valid[offset + i] == 0 ? whenNull : out[i];
      }
    }
    return new BooleanColumn(DataType.BOOLEAN, out, null);
  }

  private static BooleanColumn compareFlatWithConstant(
      ComparisonOp op, Column column, Column single) {
    int n = column.length();
    byte[] out = new byte[n];
    int flip = flip(op);
    boolean equality = isEquality(op);
    boolean constantFirst = op == ComparisonOp.GT || op == ComparisonOp.LE;
    switch (column.type().physical()) {
      case BOOLEAN ->
          booleans(op, Flats.booleans(column), Flats.booleans(repeated(single, n)), out);
      case INT -> {
        int k = Flats.ints(single).get(0);
        var c = Flats.ints(column);
        if (equality) {
          CompareKernels.equal(c.values(), c.offset(), k, flip, out);
        } else if (constantFirst) {
          CompareKernels.greater(c.values(), c.offset(), k, flip, out);
        } else {
          CompareKernels.less(c.values(), c.offset(), k, flip, out);
        }
      }
      case LONG -> {
        if (column.type().isDecimal() && !sameScale(column, single)) {
          DecimalComparisons.compare(op, column, repeated(single, n), out);
        } else {
          long k = Flats.longs(single).get(0);
          var c = Flats.longs(column);
          if (equality) {
            CompareKernels.equal(c.values(), c.offset(), k, flip, out);
          } else if (constantFirst) {
            CompareKernels.greater(c.values(), c.offset(), k, flip, out);
          } else {
            CompareKernels.less(c.values(), c.offset(), k, flip, out);
          }
        }
      }
      case INT128 -> DecimalComparisons.compare(op, column, repeated(single, n), out);
      case FLOAT, DOUBLE -> {
        double k = Flats.widened(single).get(0);
        var c = Flats.widened(column);
        if (equality) {
          CompareKernels.equal(c.values(), c.offset(), k, flip, out);
        } else if (constantFirst) {
          CompareKernels.greater(c.values(), c.offset(), k, flip, out);
        } else {
          CompareKernels.less(c.values(), c.offset(), k, flip, out);
        }
      }
      case BYTES -> {
        BytesColumn k = Flats.bytes(single);
        BytesColumn c = Flats.bytes(column);
        if (equality) {
          CompareKernels.equal(c, k.data(), k.start(0), k.end(0), flip, out);
        } else {
          CompareKernels.less(c, k.data(), k.start(0), k.end(0), constantFirst, flip, out);
        }
      }
    }
    return finish(op, column, out);
  }

  private static Column repeated(Column single, int n) {
    return new ConstantColumn(single, n);
  }

  private static boolean sameScale(Column left, Column right) {
    return left.type().scale() == right.type().scale()
        && left.type().physical() == right.type().physical();
  }

  /** Results of a column against a value that is not null. */
  private static BooleanColumn finish(ComparisonOp op, Column column, byte[] out) {
    byte[] valid = Masks.copy(column);
    if (!op.isNullSafe() || valid == null) {
      return new BooleanColumn(DataType.BOOLEAN, out, op.isNullSafe() ? null : valid);
    }
    int whenNull = op == ComparisonOp.IS_DISTINCT ? 1 : 0;
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) (valid[i] == 0 ? whenNull : out[i]);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, null);
  }

  private static BooleanColumn compareRows(ComparisonOp op, Column leftColumn, Column rightColumn) {
    int n = leftColumn.length();
    byte[] out = new byte[n];
    if (leftColumn.type().kind() == TypeKind.NULL) {
      return withConstantNull(op, leftColumn, rightColumn, true, n);
    }
    Column left = leftColumn.flat();
    Column right = rightColumn.flat();
    boolean equality = isEquality(op);
    boolean exchanged = op == ComparisonOp.GT || op == ComparisonOp.LE;
    int flip = flip(op);
    Column a = exchanged ? right : left;
    Column b = exchanged ? left : right;
    switch (left.type().physical()) {
      case BOOLEAN -> booleans(op, Flats.booleans(left), Flats.booleans(right), out);
      case INT -> {
        var x = Flats.ints(a);
        var y = Flats.ints(b);
        if (equality) {
          CompareKernels.equal(x.values(), x.offset(), y.values(), y.offset(), flip, out);
        } else {
          CompareKernels.less(x.values(), x.offset(), y.values(), y.offset(), flip, out);
        }
      }
      case LONG, INT128 -> {
        if (left.type().isDecimal() && (!sameScale(left, right) || left instanceof Int128Column)) {
          DecimalComparisons.compare(op, left, right, out);
        } else {
          var x = Flats.longs(a);
          var y = Flats.longs(b);
          if (equality) {
            CompareKernels.equal(x.values(), x.offset(), y.values(), y.offset(), flip, out);
          } else {
            CompareKernels.less(x.values(), x.offset(), y.values(), y.offset(), flip, out);
          }
        }
      }
      case FLOAT, DOUBLE -> {
        var x = Flats.widened(a);
        var y = Flats.widened(b);
        if (equality) {
          CompareKernels.equal(x.values(), x.offset(), y.values(), y.offset(), flip, out);
        } else {
          CompareKernels.less(x.values(), x.offset(), y.values(), y.offset(), flip, out);
        }
      }
      case BYTES -> {
        if (equality) {
          CompareKernels.equal(Flats.bytes(a), Flats.bytes(b), flip, out);
        } else {
          CompareKernels.less(Flats.bytes(a), Flats.bytes(b), flip, out);
        }
      }
    }
    if (!op.isNullSafe()) {
      return new BooleanColumn(DataType.BOOLEAN, out, Masks.and(left, right));
    }
    nullSafe(op, left, right, out);
    return new BooleanColumn(DataType.BOOLEAN, out, null);
  }

  private static void nullSafe(ComparisonOp op, Column left, Column right, byte[] out) {
    byte[] av = left.validity();
    byte[] bv = right.validity();
    if (av == null && bv == null) {
      return;
    }
    int distinct = op == ComparisonOp.IS_DISTINCT ? 1 : 0;
    for (int i = 0; i < out.length; i++) {
      int a = av == null ? 1 : av[left.offset() + i];
      int b = bv == null ? 1 : bv[right.offset() + i];
      if ((a & b) == 0) {
        out[i] = (byte) ((a ^ b) == 0 ? 1 - distinct : distinct);
      }
    }
  }

  private static void booleans(
      ComparisonOp op, BooleanColumn left, BooleanColumn right, byte[] out) {
    byte[] a = left.values();
    byte[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    for (int i = 0; i < out.length; i++) {
      int x = a[ao + i];
      int y = b[bo + i];
      out[i] =
          (byte)
              switch (op) {
                case EQ, IS_NOT_DISTINCT -> x ^ y ^ 1;
                case NE, IS_DISTINCT -> x ^ y;
                case LT -> (x ^ 1) & y;
                case GT -> x & (y ^ 1);
                case LE -> (x & (y ^ 1)) ^ 1;
                case GE -> ((x ^ 1) & y) ^ 1;
              };
    }
  }

  static boolean isEquality(ComparisonOp op) {
    return switch (op) {
      case EQ, NE, IS_DISTINCT, IS_NOT_DISTINCT -> true;
      case LT, LE, GT, GE -> false;
    };
  }

  /** 1 if the operation is the opposite of {@code equal} or {@code less}. */
  static int flip(ComparisonOp op) {
    return switch (op) {
      case NE, IS_DISTINCT, LE, GE -> 1;
      case EQ, IS_NOT_DISTINCT, LT, GT -> 0;
    };
  }
}
