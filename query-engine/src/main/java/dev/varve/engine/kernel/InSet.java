package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.Arrays;
import java.util.List;

/** The values of an IN list, built once, probed a column at a time. Immutable. */
public final class InSet {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final DataType type;
  private final boolean hasNull;
  private final Column values;
  private final int count;

  /** Value number plus one by hash, open addressing, at most half full; 0 is free. */
  private final int[] table;

  private final int shift;

  private InSet(DataType type, Column values, boolean hasNull) {
    this.type = type;
    this.values = values;
    this.count = values.length();
    this.hasNull = hasNull;
    int bits = Math.max(3, 33 - Integer.numberOfLeadingZeros(Math.max(1, count)));
    this.table = new int[1 << bits];
    this.shift = 64 - bits;
    for (int i = 0; i < count; i++) {
      insert(i);
    }
  }

  /** {@code literals} are columns of one row. */
  public static InSet of(DataType type, List<Column> literals) {
    RowScatter all = new RowScatter(type, literals.size());
    int count = 0;
    boolean hasNull = false;
    for (Column literal : literals) {
      if (literal.isNull(0)) {
        hasNull = true;
      } else {
        all.put(literal, new int[] {count++}, 1);
      }
    }
    Column values = all.build().slice(0, count).compact();
    return new InSet(type, type.isFloating() ? Flats.widened(values) : values, hasNull);
  }

  private void insert(int index) {
    int slot = (int) (hashOf(values, index) >>> shift);
    while (table[slot] != 0) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = index + 1;
  }

  private static long hashOf(Column column, int row) {
    return switch (column) {
      case BooleanColumn c -> c.get(row) * MIX;
      case IntColumn c -> c.get(row) * MIX;
      case LongColumn c -> c.get(row) * MIX;
      case Int128Column c -> hash128(c.high()[c.offset() + row], c.low()[c.offset() + row]);
      case DoubleColumn c -> canonicalBits(c.get(row)) * MIX;
      case BytesColumn c -> hashBytes(c.data(), c.start(row), c.end(row));
      default -> throw new IllegalStateException("not flat: " + column.getClass());
    };
  }

  private static long hash128(long high, long low) {
    return (low ^ (high * MIX)) * MIX;
  }

  /** Equal for equal values: one NaN, one zero. */
  private static long canonicalBits(double value) {
    return Double.doubleToLongBits(value + 0.0);
  }

  private static long hashBytes(byte[] data, int start, int end) {
    long hash = BytesOrder.prefix(data, start, end) + (end - start);
    for (int i = start + 8; i < end; i += 8) {
      hash = (hash ^ (hash >>> 29)) * MIX + BytesOrder.prefix(data, i, end);
    }
    return (hash ^ (hash >>> 32)) * MIX;
  }

  /** Whether each value is in the list; null where it is null, or not found beside a null. */
  public Column contains(Column column, boolean negated) {
    if (column instanceof ConstantColumn constant) {
      return constant.isNull(0)
          ? ConstantColumn.nulls(DataType.BOOLEAN, column.length())
          : new ConstantColumn(flat(constant.single(), negated), column.length());
    }
    if (column instanceof DictionaryColumn dictionary) {
      return Dictionaries.map(dictionary, entries -> flat(entries, negated));
    }
    return flat(column, negated);
  }

  private BooleanColumn flat(Column column, boolean negated) {
    int n = column.length();
    byte[] out = new byte[n];
    Column probe = type.isFloating() ? Flats.widened(column) : column.flat();
    switch (probe) {
      case IntColumn c -> ints(c, (IntColumn) values, out);
      case LongColumn c -> longs(c, (LongColumn) values, out);
      case DoubleColumn c -> doubles(c, (DoubleColumn) values, out);
      case BytesColumn c -> bytes(c, (BytesColumn) values, out);
      case Int128Column c -> wides(c, (Int128Column) values, out);
      case BooleanColumn c -> {
        BooleanColumn set = (BooleanColumn) values;
        for (int i = 0; i < n; i++) {
          for (int k = 0; k < count; k++) {
            out[i] |= (byte) (set.get(k) == c.get(i) ? 1 : 0);
          }
        }
      }
      default -> throw new IllegalStateException("not flat: " + probe.getClass());
    }
    byte[] valid = Masks.copy(probe);
    if (hasNull) {
      byte[] known = Masks.copyOrFull(probe);
      for (int i = 0; i < n; i++) {
        known[i] &= out[i];
      }
      valid = Masks.dropIfAllValid(known);
    }
    if (negated) {
      for (int i = 0; i < n; i++) {
        out[i] ^= 1;
      }
    }
    return new BooleanColumn(DataType.BOOLEAN, out, valid);
  }

  private void ints(IntColumn column, IntColumn set, byte[] out) {
    int[] probes = column.values();
    int offset = column.offset();
    int[] members = Arrays.copyOfRange(set.values(), set.offset(), set.offset() + count);
    for (int i = 0; i < out.length; i++) {
      int x = probes[offset + i];
      int slot = (int) ((x * MIX) >>> shift);
      int entry = table[slot];
      while (entry != 0 && members[entry - 1] != x) {
        slot = (slot + 1) & (table.length - 1);
        entry = table[slot];
      }
      out[i] = (byte) (entry != 0 ? 1 : 0);
    }
  }

  private void longs(LongColumn column, LongColumn set, byte[] out) {
    long[] probes = column.values();
    int offset = column.offset();
    long[] members = Arrays.copyOfRange(set.values(), set.offset(), set.offset() + count);
    for (int i = 0; i < out.length; i++) {
      long x = probes[offset + i];
      int slot = (int) ((x * MIX) >>> shift);
      int entry = table[slot];
      while (entry != 0 && members[entry - 1] != x) {
        slot = (slot + 1) & (table.length - 1);
        entry = table[slot];
      }
      out[i] = (byte) (entry != 0 ? 1 : 0);
    }
  }

  private void doubles(DoubleColumn column, DoubleColumn set, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      long x = canonicalBits(column.get(i));
      int slot = (int) ((x * MIX) >>> shift);
      int entry = table[slot];
      while (entry != 0 && canonicalBits(set.get(entry - 1)) != x) {
        slot = (slot + 1) & (table.length - 1);
        entry = table[slot];
      }
      out[i] = (byte) (entry != 0 ? 1 : 0);
    }
  }

  private void wides(Int128Column column, Int128Column set, byte[] out) {
    for (int i = 0; i < out.length; i++) {
      long high = column.high()[column.offset() + i];
      long low = column.low()[column.offset() + i];
      int slot = (int) (hash128(high, low) >>> shift);
      int entry = table[slot];
      while (entry != 0
          && (set.high()[set.offset() + entry - 1] != high
              || set.low()[set.offset() + entry - 1] != low)) {
        slot = (slot + 1) & (table.length - 1);
        entry = table[slot];
      }
      out[i] = (byte) (entry != 0 ? 1 : 0);
    }
  }

  private void bytes(BytesColumn column, BytesColumn set, byte[] out) {
    byte[] data = column.data();
    byte[] members = set.data();
    for (int i = 0; i < out.length; i++) {
      int start = column.start(i);
      int end = column.end(i);
      int slot = (int) (hashBytes(data, start, end) >>> shift);
      int entry = table[slot];
      while (entry != 0
          && !BytesOrder.equal(
              data, start, end, members, set.start(entry - 1), set.end(entry - 1))) {
        slot = (slot + 1) & (table.length - 1);
        entry = table[slot];
      }
      out[i] = (byte) (entry != 0 ? 1 : 0);
    }
  }
}
