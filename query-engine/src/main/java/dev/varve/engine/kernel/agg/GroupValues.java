package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.Arrays;

/** One value of each group, or none yet. Confined to one task. */
abstract class GroupValues {
  /** An array header and a reference, for values kept as arrays of their own. */
  private static final int OBJECT_BYTES = 24;

  final DataType type;
  byte[] seen = {};

  GroupValues(DataType type) {
    this.type = type;
  }

  static GroupValues of(DataType type) {
    return switch (type.physical()) {
      case BOOLEAN, INT, LONG -> new OfLong(type);
      case FLOAT, DOUBLE -> new OfDouble(type);
      case INT128 -> new OfInt128(type);
      case BYTES -> new OfBytes(type);
    };
  }

  abstract long bytesPerGroup();

  abstract void resize(int groups);

  abstract void least(int[] groups, int count, Column flat);

  abstract void greatest(int[] groups, int count, Column flat);

  abstract void first(int[] groups, int count, Column flat);

  abstract Column column(int from, int count);

  void clear() {
    Arrays.fill(seen, (byte) 0);
  }

  long varyingBytes() {
    return 0;
  }

  /** Booleans, integers, dates, times and short decimals. */
  private static final class OfLong extends GroupValues {
    private long[] values = {};
    private long[] scratch = {};

    private OfLong(DataType type) {
      super(type);
    }

    @Override
    long bytesPerGroup() {
      return 9;
    }

    @Override
    void resize(int groups) {
      seen = Arrays.copyOf(seen, groups);
      values = Arrays.copyOf(values, groups);
    }

    private long[] widen(Column flat, int count) {
      if (scratch.length < count) {
        scratch = new long[count];
      }
      int offset = flat.offset();
      switch (flat) {
        case LongColumn column -> System.arraycopy(column.values(), offset, scratch, 0, count);
        case IntColumn column -> {
          for (int i = 0; i < count; i++) {
            scratch[i] = column.values()[offset + i];
          }
        }
        case BooleanColumn column -> {
          for (int i = 0; i < count; i++) {
            scratch[i] = column.values()[offset + i];
          }
        }
        default -> throw new IllegalStateException("not held in a long: " + flat.type());
      }
      return scratch;
    }

    @Override
    void least(int[] groups, int count, Column flat) {
      long[] offered = widen(flat, count);
      byte[] validity = flat.validity();
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if ((validity == null || validity[flat.offset() + i] != 0)
            && (seen[g] == 0 || offered[i] < values[g])) {
          values[g] = offered[i];
          seen[g] = 1;
        }
      }
    }

    @Override
    void greatest(int[] groups, int count, Column flat) {
      long[] offered = widen(flat, count);
      byte[] validity = flat.validity();
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if ((validity == null || validity[flat.offset() + i] != 0)
            && (seen[g] == 0 || offered[i] > values[g])) {
          values[g] = offered[i];
          seen[g] = 1;
        }
      }
    }

    @Override
    void first(int[] groups, int count, Column flat) {
      long[] offered = widen(flat, count);
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if (seen[g] == 0 && !flat.isNull(i)) {
          values[g] = offered[i];
          seen[g] = 1;
        }
      }
    }

    @Override
    Column column(int from, int count) {
      byte[] validity = Seen.validity(seen, from, count);
      return switch (type.physical()) {
        case BOOLEAN -> {
          byte[] out = new byte[count];
          for (int i = 0; i < count; i++) {
            out[i] = (byte) values[from + i];
          }
          yield new BooleanColumn(type, out, validity);
        }
        case INT -> {
          int[] out = new int[count];
          for (int i = 0; i < count; i++) {
            out[i] = (int) values[from + i];
          }
          yield new IntColumn(type, out, validity);
        }
        default -> new LongColumn(type, Arrays.copyOfRange(values, from, from + count), validity);
      };
    }
  }

  /** NaN is the greatest. */
  private static final class OfDouble extends GroupValues {
    private double[] values = {};

    private OfDouble(DataType type) {
      super(type);
    }

    @Override
    long bytesPerGroup() {
      return 9;
    }

    @Override
    void resize(int groups) {
      seen = Arrays.copyOf(seen, groups);
      values = Arrays.copyOf(values, groups);
    }

    @Override
    void least(int[] groups, int count, Column flat) {
      double[] offered = Doubles.of(flat, count);
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if (!flat.isNull(i) && (seen[g] == 0 || Double.compare(offered[i], values[g]) < 0)) {
          values[g] = offered[i];
          seen[g] = 1;
        }
      }
    }

    @Override
    void greatest(int[] groups, int count, Column flat) {
      double[] offered = Doubles.of(flat, count);
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if (!flat.isNull(i) && (seen[g] == 0 || Double.compare(offered[i], values[g]) > 0)) {
          values[g] = offered[i];
          seen[g] = 1;
        }
      }
    }

    @Override
    void first(int[] groups, int count, Column flat) {
      double[] offered = Doubles.of(flat, count);
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if (seen[g] == 0 && !flat.isNull(i)) {
          values[g] = offered[i];
          seen[g] = 1;
        }
      }
    }

    @Override
    Column column(int from, int count) {
      byte[] validity = Seen.validity(seen, from, count);
      double[] out = Arrays.copyOfRange(values, from, from + count);
      return switch (type.physical()) {
        case FLOAT -> {
          float[] narrow = new float[count];
          for (int i = 0; i < count; i++) {
            narrow[i] = (float) out[i];
          }
          yield new FloatColumn(type, narrow, validity);
        }
        default -> new DoubleColumn(type, out, validity);
      };
    }
  }

  private static final class OfInt128 extends GroupValues {
    private long[] high = {};
    private long[] low = {};

    private OfInt128(DataType type) {
      super(type);
    }

    @Override
    long bytesPerGroup() {
      return 17;
    }

    @Override
    void resize(int groups) {
      seen = Arrays.copyOf(seen, groups);
      high = Arrays.copyOf(high, groups);
      low = Arrays.copyOf(low, groups);
    }

    private void choose(int[] groups, int count, Column flat, int sign) {
      Int128Column column = (Int128Column) flat;
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if (!column.isNull(i)) {
          long offeredHigh = column.high()[column.offset() + i];
          long offeredLow = column.low()[column.offset() + i];
          int order =
              offeredHigh != high[g]
                  ? Long.compare(offeredHigh, high[g])
                  : Long.compareUnsigned(offeredLow, low[g]);
          if (seen[g] == 0 || order * sign > 0) {
            high[g] = offeredHigh;
            low[g] = offeredLow;
            seen[g] = 1;
          }
        }
      }
    }

    @Override
    void least(int[] groups, int count, Column flat) {
      choose(groups, count, flat, -1);
    }

    @Override
    void greatest(int[] groups, int count, Column flat) {
      choose(groups, count, flat, 1);
    }

    @Override
    void first(int[] groups, int count, Column flat) {
      choose(groups, count, flat, 0);
    }

    @Override
    Column column(int from, int count) {
      return new Int128Column(
          type,
          Arrays.copyOfRange(high, from, from + count),
          Arrays.copyOfRange(low, from, from + count),
          Seen.validity(seen, from, count));
    }
  }

  private static final class OfBytes extends GroupValues {
    private static final byte[] NONE = {};
    private byte[][] values = {};
    private long held;

    private OfBytes(DataType type) {
      super(type);
    }

    @Override
    long bytesPerGroup() {
      return 9;
    }

    @Override
    void resize(int groups) {
      seen = Arrays.copyOf(seen, groups);
      int before = values.length;
      values = Arrays.copyOf(values, groups);
      if (groups > before) {
        Arrays.fill(values, before, groups, NONE);
      }
    }

    private void choose(int[] groups, int count, Column flat, int sign) {
      BytesColumn column = (BytesColumn) flat;
      byte[] data = column.data();
      for (int i = 0; i < count; i++) {
        int g = groups[i];
        if (!column.isNull(i)) {
          int start = column.start(i);
          int end = column.end(i);
          byte[] kept = values[g];
          if (seen[g] == 0
              || (sign != 0
                  && Arrays.compareUnsigned(data, start, end, kept, 0, kept.length) * sign > 0)) {
            held += end - start - kept.length + (seen[g] == 0 ? OBJECT_BYTES : 0);
            values[g] = Arrays.copyOfRange(data, start, end);
            seen[g] = 1;
          }
        }
      }
    }

    @Override
    void least(int[] groups, int count, Column flat) {
      choose(groups, count, flat, -1);
    }

    @Override
    void greatest(int[] groups, int count, Column flat) {
      choose(groups, count, flat, 1);
    }

    @Override
    void first(int[] groups, int count, Column flat) {
      choose(groups, count, flat, 0);
    }

    @Override
    Column column(int from, int count) {
      int[] offsets = new int[count + 1];
      for (int i = 0; i < count; i++) {
        offsets[i + 1] = Math.addExact(offsets[i], values[from + i].length);
      }
      byte[] data = new byte[offsets[count]];
      for (int i = 0; i < count; i++) {
        byte[] value = values[from + i];
        System.arraycopy(value, 0, data, offsets[i], value.length);
      }
      return new BytesColumn(type, data, offsets, Seen.validity(seen, from, count));
    }

    @Override
    void clear() {
      super.clear();
      Arrays.fill(values, NONE);
      held = 0;
    }

    @Override
    long varyingBytes() {
      return held;
    }
  }
}
