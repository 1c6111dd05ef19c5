package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Three-valued logic on byte masks. Results start at offset 0. A value under a null counts as
 * false, so every kernel here that makes a column keeps {@code value & validity}.
 */
public final class Booleans {
  private Booleans() {}

  /** The column as flat booleans; an untyped null becomes nulls. */
  public static BooleanColumn flat(Column column) {
    if (column.flat() instanceof BooleanColumn booleans) {
      return booleans;
    }
    throw new IllegalStateException("a condition of type " + column.type());
  }

  public static BooleanColumn not(Column column) {
    BooleanColumn input = flat(column);
    int n = input.length();
    byte[] values = input.values();
    int offset = input.offset();
    byte[] out = new byte[n];
    for (int i = 0; i < n; i++) {
      out[i] = (byte) (values[offset + i] ^ 1);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, Masks.copy(input));
  }

  public static BooleanColumn and(BooleanColumn left, BooleanColumn right) {
    int n = left.length();
    byte[] out = new byte[n];
    byte[] a = left.values();
    byte[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    byte[] av = left.validity();
    byte[] bv = right.validity();
    if (av == null && bv == null) {
      for (int i = 0; i < n; i++) {
        out[i] = (byte) (a[ao + i] & b[bo + i]);
      }
      return new BooleanColumn(DataType.BOOLEAN, out, null);
    }
    byte[] valid = new byte[n];
    for (int i = 0; i < n; i++) {
      int aValid = av == null ? 1 : av[ao + i];
      int bValid = bv == null ? 1 : bv[bo + i];
      int aTrue = a[ao + i] & aValid;
      int bTrue = b[bo + i] & bValid;
      int aFalse = aValid & ~a[ao + i];
      int bFalse = bValid & ~b[bo + i];
      out[i] = (byte) (aTrue & bTrue);
      valid[i] = (byte) ((aFalse | bFalse | (aTrue & bTrue)) & 1);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, Masks.dropIfAllValid(valid));
  }

  public static BooleanColumn or(BooleanColumn left, BooleanColumn right) {
    int n = left.length();
    byte[] out = new byte[n];
    byte[] a = left.values();
    byte[] b = right.values();
    int ao = left.offset();
    int bo = right.offset();
    byte[] av = left.validity();
    byte[] bv = right.validity();
    if (av == null && bv == null) {
      for (int i = 0; i < n; i++) {
        out[i] = (byte) (a[ao + i] | b[bo + i]);
      }
      return new BooleanColumn(DataType.BOOLEAN, out, null);
    }
    byte[] valid = new byte[n];
    for (int i = 0; i < n; i++) {
      int aValid = av == null ? 1 : av[ao + i];
      int bValid = bv == null ? 1 : bv[bo + i];
      int anyTrue = (a[ao + i] & aValid) | (b[bo + i] & bValid);
      out[i] = (byte) anyTrue;
      valid[i] = (byte) (anyTrue | (aValid & bValid));
    }
    return new BooleanColumn(DataType.BOOLEAN, out, Masks.dropIfAllValid(valid));
  }

  /**
   * Writes the rows that one term of a conjunction (disjunction) leaves open: those that are not
   * false (not true). Returns how many.
   */
  public static int undecided(BooleanColumn term, boolean conjunction, int[] rows) {
    byte[] values = term.values();
    byte[] valid = term.validity();
    int offset = term.offset();
    int n = term.length();
    int deciding = conjunction ? 0 : 1;
    int count = 0;
    for (int i = 0; i < n; i++) {
      rows[count] = i;
      boolean decided = values[offset + i] == deciding && (valid == null || valid[offset + i] != 0);
      count += decided ? 0 : 1;
    }
    return count;
  }

  /**
   * {@code all} with the rows {@code rows[0..count)} combined with {@code part}, which has one
   * value for each of them.
   */
  public static BooleanColumn combineAt(
      BooleanColumn all, BooleanColumn part, int[] rows, int count, boolean conjunction) {
    Column chosen = all.take(rows, count);
    BooleanColumn combined =
        conjunction ? and((BooleanColumn) chosen, part) : or((BooleanColumn) chosen, part);
    int n = all.length();
    byte[] out = Arrays.copyOfRange(all.values(), all.offset(), all.offset() + n);
    byte[] allValid = all.validity();
    byte[] partValid = combined.validity();
    byte[] values = combined.values();
    for (int i = 0; i < count; i++) {
      out[rows[i]] = values[i];
    }
    if (allValid == null && partValid == null) {
      return new BooleanColumn(DataType.BOOLEAN, out, null);
    }
    byte[] valid = Masks.copyOrFull(all);
    for (int i = 0; i < count; i++) {
      valid[rows[i]] = partValid == null ? 1 : partValid[i];
    }
    return new BooleanColumn(DataType.BOOLEAN, out, Masks.dropIfAllValid(valid));
  }

  public static Column isNull(Column column, boolean negated) {
    int n = column.length();
    if (column instanceof ConstantColumn || !column.mayHaveNulls()) {
      boolean isNull = n > 0 && column.isNull(0);
      return constant(isNull != negated, n);
    }
    byte[] valid = column.validity();
    if (valid == null) {
      throw new IllegalStateException("nulls without a mask");
    }
    int offset = column.offset();
    byte[] out = new byte[n];
    int flip = negated ? 0 : 1;
    for (int i = 0; i < n; i++) {
      out[i] = (byte) (valid[offset + i] ^ flip);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, null);
  }

  /** {@code IS [NOT] TRUE/FALSE}. */
  public static BooleanColumn is(Column column, boolean expected, boolean negated) {
    BooleanColumn input = flat(column);
    int n = input.length();
    byte[] values = input.values();
    byte[] valid = input.validity();
    int offset = input.offset();
    int differs = expected ? 0 : 1;
    int flip = negated ? 1 : 0;
    byte[] out = new byte[n];
    for (int i = 0; i < n; i++) {
      int known = valid == null ? 1 : valid[offset + i];
      out[i] = (byte) ((((values[offset + i] ^ differs) & 1) & known) ^ flip);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, null);
  }

  /** Writes the numbers of the rows that are true; returns how many. */
  public static int trueRows(BooleanColumn column, int[] rows) {
    byte[] values = column.values();
    byte[] valid = column.validity();
    int offset = column.offset();
    int n = column.length();
    int count = 0;
    if (valid == null) {
      for (int i = 0; i < n; i++) {
        rows[count] = i;
        count += values[offset + i];
      }
    } else {
      for (int i = 0; i < n; i++) {
        rows[count] = i;
        count += values[offset + i] & valid[offset + i];
      }
    }
    return count;
  }

  /** Keeps the entries of {@code rows} whose verdict, in the same place, is true. */
  public static int keepTrue(BooleanColumn verdicts, int[] rows, int count) {
    byte[] values = verdicts.values();
    byte[] valid = verdicts.validity();
    int offset = verdicts.offset();
    int kept = 0;
    for (int i = 0; i < count; i++) {
      rows[kept] = rows[i];
      kept += values[offset + i] & (valid == null ? 1 : valid[offset + i]);
    }
    return kept;
  }

  /** Keeps the entries of {@code rows} whose verdict, at that row, is true. */
  public static int keepTrueAt(BooleanColumn verdicts, int[] rows, int count) {
    byte[] values = verdicts.values();
    byte[] valid = verdicts.validity();
    int offset = verdicts.offset();
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      rows[kept] = row;
      kept += values[offset + row] & (valid == null ? 1 : valid[offset + row]);
    }
    return kept;
  }

  /** Sets {@code marks} to 1 where the column is true; returns how many are. */
  public static int markTrue(BooleanColumn column, byte[] marks) {
    byte[] values = column.values();
    byte[] valid = column.validity();
    int offset = column.offset();
    int count = 0;
    for (int i = 0; i < marks.length; i++) {
      byte mark = (byte) (values[offset + i] & (valid == null ? 1 : valid[offset + i]));
      marks[i] = mark;
      count += mark;
    }
    return count;
  }

  public static ConstantColumn constant(@Nullable Boolean value, int rows) {
    if (value == null) {
      return ConstantColumn.nulls(DataType.BOOLEAN, rows);
    }
    byte[] single = {(byte) (value ? 1 : 0)};
    return new ConstantColumn(new BooleanColumn(DataType.BOOLEAN, single, null), rows);
  }
}
