package dev.varve.engine.batch;

import dev.varve.engine.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Grows a flat column value by value. For edges, small data and tests: operators write arrays. Only
 * the append method that fits the type's physical layout may be called. Confined to one task.
 */
public final class ColumnBuilder {
  private final DataType type;
  private int count;
  private byte @Nullable [] validity;
  private byte[] bytes = new byte[0];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] lows = new long[0];
  private float[] floats = new float[0];
  private double[] doubles = new double[0];

  private ColumnBuilder(DataType type, int capacity) {
    this.type = type;
    int size = Math.max(capacity, 8);
    switch (type.physical()) {
      case BOOLEAN -> bytes = new byte[size];
      case INT -> ints = new int[size];
      case LONG -> longs = new long[size];
      case INT128 -> {
        longs = new long[size];
        lows = new long[size];
      }
      case FLOAT -> floats = new float[size];
      case DOUBLE -> doubles = new double[size];
      case BYTES -> {
        ints = new int[size + 1];
        bytes = new byte[size * 8];
      }
    }
  }

  public static ColumnBuilder of(DataType type, int capacity) {
    return new ColumnBuilder(type, capacity);
  }

  public int length() {
    return count;
  }

  public ColumnBuilder appendNull() {
    byte[] mask = validity;
    if (mask == null) {
      mask = new byte[Math.max(8, count + 1)];
      Arrays.fill(mask, 0, count, (byte) 1);
      validity = mask;
    }
    switch (type.physical()) {
      case BOOLEAN -> appendBoolean(false);
      case INT -> appendInt(0);
      case LONG -> appendLong(0);
      case INT128 -> appendInt128(0, 0);
      case FLOAT -> appendFloat(0);
      case DOUBLE -> appendDouble(0);
      case BYTES -> appendBytes(new byte[0], 0, 0);
    }
    validity()[count - 1] = 0;
    return this;
  }

  public ColumnBuilder appendBoolean(boolean value) {
    if (count == bytes.length) {
      bytes = Arrays.copyOf(bytes, count * 2);
    }
    bytes[count] = (byte) (value ? 1 : 0);
    return added();
  }

  public ColumnBuilder appendInt(int value) {
    if (count == ints.length) {
      ints = Arrays.copyOf(ints, count * 2);
    }
    ints[count] = value;
    return added();
  }

  public ColumnBuilder appendLong(long value) {
    if (count == longs.length) {
      longs = Arrays.copyOf(longs, count * 2);
    }
    longs[count] = value;
    return added();
  }

  public ColumnBuilder appendInt128(long high, long low) {
    if (count == longs.length) {
      longs = Arrays.copyOf(longs, count * 2);
      lows = Arrays.copyOf(lows, count * 2);
    }
    longs[count] = high;
    lows[count] = low;
    return added();
  }

  public ColumnBuilder appendFloat(float value) {
    if (count == floats.length) {
      floats = Arrays.copyOf(floats, count * 2);
    }
    floats[count] = value;
    return added();
  }

  public ColumnBuilder appendDouble(double value) {
    if (count == doubles.length) {
      doubles = Arrays.copyOf(doubles, count * 2);
    }
    doubles[count] = value;
    return added();
  }

  public ColumnBuilder appendBytes(byte[] source, int from, int length) {
    if (count + 1 == ints.length) {
      ints = Arrays.copyOf(ints, (count + 1) * 2);
    }
    int start = ints[count];
    int end = Math.addExact(start, length);
    if (end > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(end, bytes.length * 2L)));
    }
    System.arraycopy(source, from, bytes, start, length);
    ints[count + 1] = end;
    return added();
  }

  public ColumnBuilder appendBytes(byte[] source) {
    return appendBytes(source, 0, source.length);
  }

  public ColumnBuilder appendString(String value) {
    return appendBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Appends a Java object as {@link Column#value} gives them (any Number where its value fits);
   * null appends a null.
   */
  public ColumnBuilder append(@Nullable Object value) {
    Values.append(this, type, value);
    return this;
  }

  public Column build() {
    byte[] mask = validity == null ? null : Arrays.copyOf(validity, count);
    return switch (type.physical()) {
      case BOOLEAN -> new BooleanColumn(type, Arrays.copyOf(bytes, count), mask);
      case INT -> new IntColumn(type, Arrays.copyOf(ints, count), mask);
      case LONG -> new LongColumn(type, Arrays.copyOf(longs, count), mask);
      case INT128 ->
          new Int128Column(type, Arrays.copyOf(longs, count), Arrays.copyOf(lows, count), mask);
      case FLOAT -> new FloatColumn(type, Arrays.copyOf(floats, count), mask);
      case DOUBLE -> new DoubleColumn(type, Arrays.copyOf(doubles, count), mask);
      case BYTES ->
          new BytesColumn(
              type, Arrays.copyOf(bytes, ints[count]), Arrays.copyOf(ints, count + 1), mask);
    };
  }

  private byte[] validity() {
    byte[] mask = validity;
    if (mask == null) {
      throw new IllegalStateException("no null was appended");
    }
    return mask;
  }

  private ColumnBuilder added() {
    byte[] mask = validity;
    if (mask != null) {
      if (count == mask.length) {
        mask = Arrays.copyOf(mask, count * 2);
        validity = mask;
      }
      mask[count] = 1;
    }
    count++;
    return this;
  }
}
