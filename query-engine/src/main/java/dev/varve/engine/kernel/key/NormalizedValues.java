package dev.varve.engine.kernel.key;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Values of up to eight bytes as unsigned numbers of the same order, in the low bytes of a long;
 * nulls are 0.
 */
final class NormalizedValues {
  private static final long INT_MASK = 0xFFFFFFFFL;

  private NormalizedValues() {}

  static long mask(int width) {
    return width == 8 ? -1L : (1L << 8 * width) - 1;
  }

  static void write(Column flat, int count, boolean descending, int width, long[] out) {
    int offset = flat.offset();
    switch (flat) {
      case BooleanColumn column -> {
        byte[] values = column.values();
        for (int i = 0; i < count; i++) {
          out[i] = values[offset + i];
        }
      }
      case IntColumn column -> {
        int[] values = column.values();
        for (int i = 0; i < count; i++) {
          out[i] = (values[offset + i] ^ Integer.MIN_VALUE) & INT_MASK;
        }
      }
      case LongColumn column -> {
        long[] values = column.values();
        for (int i = 0; i < count; i++) {
          out[i] = values[offset + i] ^ Long.MIN_VALUE;
        }
      }
      case FloatColumn column -> {
        float[] values = column.values();
        for (int i = 0; i < count; i++) {
          int bits = Float.floatToIntBits(values[offset + i] + 0.0f);
          out[i] = (bits ^ (bits >> 31 | Integer.MIN_VALUE)) & INT_MASK;
        }
      }
      case DoubleColumn column -> {
        double[] values = column.values();
        for (int i = 0; i < count; i++) {
          long bits = Double.doubleToLongBits(values[offset + i] + 0.0);
          out[i] = bits ^ (bits >> 63 | Long.MIN_VALUE);
        }
      }
      default -> throw new IllegalStateException("no value of eight bytes: " + flat.type());
    }
    if (descending) {
      long mask = mask(width);
      for (int i = 0; i < count; i++) {
        out[i] = ~out[i] & mask;
      }
    }
    byte[] validity = flat.validity();
    if (validity != null) {
      for (int i = 0; i < count; i++) {
        out[i] &= -(long) validity[offset + i];
      }
    }
  }

  /** The column that {@link #write} made these of. */
  static Column read(
      DataType type,
      long[] values,
      int count,
      boolean descending,
      int width,
      byte @Nullable [] validity) {
    long flip = descending ? mask(width) : 0;
    return switch (type.physical()) {
      case BOOLEAN -> {
        byte[] out = new byte[count];
        for (int i = 0; i < count; i++) {
          out[i] = (byte) (values[i] ^ flip);
        }
        yield new BooleanColumn(type, out, validity);
      }
      case INT -> {
        int[] out = new int[count];
        for (int i = 0; i < count; i++) {
          out[i] = (int) (values[i] ^ flip) ^ Integer.MIN_VALUE;
        }
        yield new IntColumn(type, out, validity);
      }
      case LONG -> {
        long[] out = new long[count];
        for (int i = 0; i < count; i++) {
          out[i] = values[i] ^ flip ^ Long.MIN_VALUE;
        }
        yield new LongColumn(type, out, validity);
      }
      case FLOAT -> {
        float[] out = new float[count];
        for (int i = 0; i < count; i++) {
          int bits = (int) (values[i] ^ flip);
          out[i] = Float.intBitsToFloat(bits ^ (~bits >> 31 | Integer.MIN_VALUE));
        }
        yield new FloatColumn(type, out, validity);
      }
      case DOUBLE -> {
        double[] out = new double[count];
        for (int i = 0; i < count; i++) {
          long bits = values[i] ^ flip;
          out[i] = Double.longBitsToDouble(bits ^ (~bits >> 63 | Long.MIN_VALUE));
        }
        yield new DoubleColumn(type, out, validity);
      }
      case INT128, BYTES -> throw new IllegalStateException("no value of eight bytes: " + type);
    };
  }
}
