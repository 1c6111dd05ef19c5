package dev.varve.engine.parquet;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import org.jspecify.annotations.Nullable;

/** Assemblers of values of fixed width. */
final class FixedAssemblers {
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final long JULIAN_DAY_OF_EPOCH = 2_440_588;

  private FixedAssemblers() {}

  static final class Booleans extends ColumnAssembler {
    private byte[] values = new byte[0];
    private byte[] entries = new byte[0];

    Booleans(DataType type) {
      super(type);
    }

    @Override
    void begin(int rows) {
      values = new byte[rows];
    }

    @Override
    void decode(PageDecoder decoder, int at, int count) {
      decoder.booleans(values, at, count);
    }

    @Override
    void dictionary(Column dictionary) {
      entries = ((BooleanColumn) dictionary).values();
    }

    @Override
    void lookUp(int[] codes, int at, int count) {
      for (int i = 0; i < count; i++) {
        values[at + i] = entries[codes[i]];
      }
    }

    @Override
    void spread(int at, int count, int dense, byte[] validity) {
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        values[i] = validity[i] != 0 ? values[--next] : 0;
      }
    }

    @Override
    Column finish(int rows, byte @Nullable [] validity) {
      return new BooleanColumn(type, values, 0, rows, validity);
    }
  }

  static final class Ints extends ColumnAssembler {
    private int[] values = new int[0];
    private int[] entries = new int[0];

    Ints(DataType type) {
      super(type);
    }

    @Override
    void begin(int rows) {
      values = new int[rows];
    }

    @Override
    void decode(PageDecoder decoder, int at, int count) {
      decoder.ints(values, at, count);
      if (type.kind() == TypeKind.SMALLINT) {
        int wrong = 0;
        for (int i = at; i < at + count; i++) {
          wrong |= values[i] ^ (short) values[i];
        }
        if (wrong != 0) {
          throw new CorruptPageException("a value of 16 bits is out of range");
        }
      }
    }

    @Override
    void dictionary(Column dictionary) {
      entries = ((IntColumn) dictionary).values();
    }

    @Override
    void lookUp(int[] codes, int at, int count) {
      for (int i = 0; i < count; i++) {
        values[at + i] = entries[codes[i]];
      }
    }

    @Override
    void spread(int at, int count, int dense, byte[] validity) {
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        values[i] = validity[i] != 0 ? values[--next] : 0;
      }
    }

    @Override
    Column finish(int rows, byte @Nullable [] validity) {
      return new IntColumn(type, values, 0, rows, validity);
    }
  }

  static final class Longs extends ColumnAssembler {
    private final ValueConversion conversion;
    private final BytesSink bytes = new BytesSink();
    private long[] values = new long[0];
    private long[] entries = new long[0];
    private int[] ints = new int[0];

    Longs(DataType type, ValueConversion conversion) {
      super(type);
      this.conversion = conversion;
    }

    @Override
    void begin(int rows) {
      values = new long[rows];
    }

    @Override
    void decode(PageDecoder decoder, int at, int count) {
      switch (conversion) {
        case LONG -> decoder.longs(values, at, count);
        case MILLIS -> {
          decoder.longs(values, at, count);
          multiply(at, count, 1000);
        }
        case NANOS -> {
          decoder.longs(values, at, count);
          for (int i = at; i < at + count; i++) {
            values[i] = Math.floorDiv(values[i], 1000);
          }
        }
        case INT_TO_LONG -> widen(decoder, at, count);
        case UNSIGNED_INT_TO_LONG -> {
          widen(decoder, at, count);
          for (int i = at; i < at + count; i++) {
            values[i] &= 0xffff_ffffL;
          }
        }
        case INT_MILLIS -> {
          widen(decoder, at, count);
          multiply(at, count, 1000);
        }
        case DAYS_TO_MICROS -> {
          widen(decoder, at, count);
          multiply(at, count, MICROS_PER_DAY);
        }
        case INT96 -> int96(decoder, at, count);
        case BYTES_TO_LONG -> bigEndian(decoder, at, count);
        default -> throw new IllegalStateException(conversion + " gives no longs");
      }
    }

    private void widen(PageDecoder decoder, int at, int count) {
      if (ints.length < count) {
        ints = new int[Math.max(count, values.length)];
      }
      decoder.ints(ints, 0, count);
      for (int i = 0; i < count; i++) {
        values[at + i] = ints[i];
      }
    }

    private void multiply(int at, int count, long factor) {
      long wrong = 0;
      for (int i = at; i < at + count; i++) {
        long value = values[i];
        long product = value * factor;
        wrong |= Math.multiplyHigh(value, factor) ^ (product >> 63);
        values[i] = product;
      }
      if (wrong != 0) {
        throw new CorruptPageException("a time or timestamp is out of range");
      }
    }

    private void raw(PageDecoder decoder, int count) {
      bytes.reuse(count);
      decoder.bytes(bytes, 0, count);
    }

    /** Nanoseconds of the day, then the Julian day, both little-endian. */
    private void int96(PageDecoder decoder, int at, int count) {
      raw(decoder, count);
      for (int i = 0; i < count; i++) {
        int from = bytes.offsets[i];
        if (bytes.offsets[i + 1] - from != 12) {
          throw new CorruptPageException("a timestamp of 96 bits has another length");
        }
        long nanos = 0;
        for (int k = 7; k >= 0; k--) {
          nanos = nanos << 8 | (bytes.data[from + k] & 0xff);
        }
        int day = 0;
        for (int k = 11; k >= 8; k--) {
          day = day << 8 | (bytes.data[from + k] & 0xff);
        }
        values[at + i] = (day - JULIAN_DAY_OF_EPOCH) * MICROS_PER_DAY + Math.floorDiv(nanos, 1000);
      }
    }

    private void bigEndian(PageDecoder decoder, int at, int count) {
      raw(decoder, count);
      for (int i = 0; i < count; i++) {
        int from = bytes.offsets[i];
        int to = bytes.offsets[i + 1];
        long value = from < to ? bytes.data[from] >> 7 : 0;
        for (int k = from; k < to - 8; k++) {
          if (bytes.data[k] != (byte) value) {
            throw new CorruptPageException("a " + type + " has more digits than its type");
          }
        }
        if (to - from > 8 && bytes.data[to - 8] >> 7 != value) {
          throw new CorruptPageException("a " + type + " has more digits than its type");
        }
        for (int k = Math.max(from, to - 8); k < to; k++) {
          value = value << 8 | (bytes.data[k] & 0xff);
        }
        values[at + i] = value;
      }
    }

    @Override
    void dictionary(Column dictionary) {
      entries = ((LongColumn) dictionary).values();
    }

    @Override
    void lookUp(int[] codes, int at, int count) {
      for (int i = 0; i < count; i++) {
        values[at + i] = entries[codes[i]];
      }
    }

    @Override
    void spread(int at, int count, int dense, byte[] validity) {
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        values[i] = validity[i] != 0 ? values[--next] : 0;
      }
    }

    @Override
    Column finish(int rows, byte @Nullable [] validity) {
      return new LongColumn(type, values, 0, rows, validity);
    }
  }

  static final class Int128s extends ColumnAssembler {
    private final ValueConversion conversion;
    private final BytesSink bytes = new BytesSink();
    private long[] high = new long[0];
    private long[] low = new long[0];
    private long[] highEntries = new long[0];
    private long[] lowEntries = new long[0];
    private int[] ints = new int[0];

    Int128s(DataType type, ValueConversion conversion) {
      super(type);
      this.conversion = conversion;
    }

    @Override
    void begin(int rows) {
      high = new long[rows];
      low = new long[rows];
    }

    @Override
    void decode(PageDecoder decoder, int at, int count) {
      switch (conversion) {
        case INT_TO_INT128 -> {
          if (ints.length < count) {
            ints = new int[Math.max(count, low.length)];
          }
          decoder.ints(ints, 0, count);
          for (int i = 0; i < count; i++) {
            low[at + i] = ints[i];
            high[at + i] = ints[i] >> 31;
          }
        }
        case LONG_TO_INT128 -> {
          decoder.longs(low, at, count);
          for (int i = at; i < at + count; i++) {
            high[i] = low[i] >> 63;
          }
        }
        // The upper halves of the new arrays are zero.
        case UNSIGNED_LONG_TO_INT128 -> decoder.longs(low, at, count);
        case BYTES_TO_INT128 -> bigEndian(decoder, at, count);
        default -> throw new IllegalStateException(conversion + " gives no 128 bits");
      }
    }

    private void bigEndian(PageDecoder decoder, int at, int count) {
      bytes.reuse(count);
      decoder.bytes(bytes, 0, count);
      for (int i = 0; i < count; i++) {
        int from = bytes.offsets[i];
        int to = bytes.offsets[i + 1];
        long sign = from < to ? bytes.data[from] >> 7 : 0;
        for (int k = from; k < to - 16; k++) {
          if (bytes.data[k] != (byte) sign) {
            throw new CorruptPageException("a " + type + " has more digits than its type");
          }
        }
        if (to - from > 16 && bytes.data[to - 16] >> 7 != sign) {
          throw new CorruptPageException("a " + type + " has more digits than its type");
        }
        long upper = sign;
        long lower = sign;
        for (int k = Math.max(from, to - 16); k < to; k++) {
          upper = upper << 8 | lower >>> 56;
          lower = lower << 8 | (bytes.data[k] & 0xff);
        }
        high[at + i] = upper;
        low[at + i] = lower;
      }
    }

    @Override
    void dictionary(Column dictionary) {
      Int128Column entries = (Int128Column) dictionary;
      highEntries = entries.high();
      lowEntries = entries.low();
    }

    @Override
    void lookUp(int[] codes, int at, int count) {
      for (int i = 0; i < count; i++) {
        high[at + i] = highEntries[codes[i]];
        low[at + i] = lowEntries[codes[i]];
      }
    }

    @Override
    void spread(int at, int count, int dense, byte[] validity) {
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        if (validity[i] != 0) {
          next--;
          high[i] = high[next];
          low[i] = low[next];
        } else {
          high[i] = 0;
          low[i] = 0;
        }
      }
    }

    @Override
    Column finish(int rows, byte @Nullable [] validity) {
      return new Int128Column(type, high, low, 0, rows, validity);
    }
  }

  static final class Floats extends ColumnAssembler {
    private final ValueConversion conversion;
    private final BytesSink bytes = new BytesSink();
    private float[] values = new float[0];
    private float[] entries = new float[0];

    Floats(DataType type, ValueConversion conversion) {
      super(type);
      this.conversion = conversion;
    }

    @Override
    void begin(int rows) {
      values = new float[rows];
    }

    @Override
    void decode(PageDecoder decoder, int at, int count) {
      if (conversion == ValueConversion.FLOAT16) {
        float16(decoder, bytes, count);
        for (int i = 0; i < count; i++) {
          values[at + i] = halfAt(bytes, i);
        }
      } else {
        decoder.floats(values, at, count);
      }
    }

    @Override
    void dictionary(Column dictionary) {
      entries = ((FloatColumn) dictionary).values();
    }

    @Override
    void lookUp(int[] codes, int at, int count) {
      for (int i = 0; i < count; i++) {
        values[at + i] = entries[codes[i]];
      }
    }

    @Override
    void spread(int at, int count, int dense, byte[] validity) {
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        values[i] = validity[i] != 0 ? values[--next] : 0;
      }
    }

    @Override
    Column finish(int rows, byte @Nullable [] validity) {
      return new FloatColumn(type, values, 0, rows, validity);
    }
  }

  static final class Doubles extends ColumnAssembler {
    private final ValueConversion conversion;
    private final BytesSink bytes = new BytesSink();
    private double[] values = new double[0];
    private double[] entries = new double[0];
    private float[] floats = new float[0];

    Doubles(DataType type, ValueConversion conversion) {
      super(type);
      this.conversion = conversion;
    }

    @Override
    void begin(int rows) {
      values = new double[rows];
    }

    @Override
    void decode(PageDecoder decoder, int at, int count) {
      switch (conversion) {
        case FLOAT_TO_DOUBLE -> {
          if (floats.length < count) {
            floats = new float[Math.max(count, values.length)];
          }
          decoder.floats(floats, 0, count);
          for (int i = 0; i < count; i++) {
            values[at + i] = floats[i];
          }
        }
        case FLOAT16_TO_DOUBLE -> {
          float16(decoder, bytes, count);
          for (int i = 0; i < count; i++) {
            values[at + i] = halfAt(bytes, i);
          }
        }
        default -> decoder.doubles(values, at, count);
      }
    }

    @Override
    void dictionary(Column dictionary) {
      entries = ((DoubleColumn) dictionary).values();
    }

    @Override
    void lookUp(int[] codes, int at, int count) {
      for (int i = 0; i < count; i++) {
        values[at + i] = entries[codes[i]];
      }
    }

    @Override
    void spread(int at, int count, int dense, byte[] validity) {
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        values[i] = validity[i] != 0 ? values[--next] : 0;
      }
    }

    @Override
    Column finish(int rows, byte @Nullable [] validity) {
      return new DoubleColumn(type, values, 0, rows, validity);
    }
  }

  private static void float16(PageDecoder decoder, BytesSink bytes, int count) {
    bytes.reuse(count);
    decoder.bytes(bytes, 0, count);
    if (bytes.offsets[count] != 2 * count) {
      throw new CorruptPageException("a number of 16 bits has another length");
    }
  }

  private static float halfAt(BytesSink bytes, int index) {
    int at = 2 * index;
    return Float.float16ToFloat(
        (short) ((bytes.data[at] & 0xff) | (bytes.data[at + 1] & 0xff) << 8));
  }
}
