package dev.varve.bench.arrow;

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
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Copies batches into the vectors of one schema, array by array. Confined to one thread; owns the
 * vectors.
 */
public final class ArrowWriter implements AutoCloseable {
  private static final int DECIMAL_BYTES = 16;

  private final VectorSchemaRoot root;

  public ArrowWriter(Schema schema, BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    for (Field field : schema.fields()) {
      vectors.add(
          new org.apache.arrow.vector.types.pojo.Field(
                  field.name(), FieldType.nullable(type(field.type())), List.of())
              .createVector(allocator));
    }
    this.root = new VectorSchemaRoot(vectors);
  }

  private static ArrowType type(DataType type) {
    return switch (type.kind()) {
      case NULL -> ArrowType.Null.INSTANCE;
      case BOOLEAN -> ArrowType.Bool.INSTANCE;
      case SMALLINT -> new ArrowType.Int(16, true);
      case INTEGER -> new ArrowType.Int(32, true);
      case BIGINT -> new ArrowType.Int(64, true);
      case REAL -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DECIMAL -> new ArrowType.Decimal(type.precision(), type.scale(), 8 * DECIMAL_BYTES);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
      case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case TIMESTAMPTZ -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC");
      case INTERVAL_DAY -> new ArrowType.Duration(TimeUnit.MICROSECOND);
      case INTERVAL_MONTH -> new ArrowType.Interval(IntervalUnit.YEAR_MONTH);
      case VARCHAR -> ArrowType.Utf8.INSTANCE;
      case VARBINARY -> ArrowType.Binary.INSTANCE;
      case UUID -> new ArrowType.FixedSizeBinary(16);
    };
  }

  /** The rows of {@code batch}, valid until the next call. */
  public VectorSchemaRoot write(Batch batch) {
    for (int i = 0; i < batch.columns().size(); i++) {
      write(batch.column(i), root.getVector(i));
    }
    root.setRowCount(batch.rowCount());
    return root;
  }

  private static void write(Column column, FieldVector vector) {
    int rows = column.length();
    if (column.type().kind() == TypeKind.NULL) {
      ((NullVector) vector).setValueCount(rows);
      return;
    }
    switch (column) {
      case DictionaryColumn encoded -> write(encoded.flat(), vector);
      case ConstantColumn encoded -> write(encoded.flat(), vector);
      case IntColumn ints -> {
        ByteBuffer values = fixed(vector, rows);
        if (vector instanceof SmallIntVector) {
          for (int i = 0; i < rows; i++) {
            values.putShort(2 * i, (short) ints.values()[ints.offset() + i]);
          }
        } else {
          values.asIntBuffer().put(ints.values(), ints.offset(), rows);
        }
      }
      case LongColumn longs -> {
        ByteBuffer values = fixed(vector, rows);
        if (vector instanceof DecimalVector) {
          decimals(longs, values);
        } else {
          values.asLongBuffer().put(longs.values(), longs.offset(), rows);
        }
      }
      case Int128Column wide -> {
        ByteBuffer values = fixed(vector, rows);
        for (int i = 0; i < rows; i++) {
          values.putLong(DECIMAL_BYTES * i, wide.low()[wide.offset() + i]);
          values.putLong(DECIMAL_BYTES * i + 8, wide.high()[wide.offset() + i]);
        }
      }
      case FloatColumn floats ->
          fixed(vector, rows).asFloatBuffer().put(floats.values(), floats.offset(), rows);
      case DoubleColumn doubles ->
          fixed(vector, rows).asDoubleBuffer().put(doubles.values(), doubles.offset(), rows);
      case BooleanColumn bits -> {
        BitVector target = (BitVector) vector;
        target.allocateNew(rows);
        pack(bits.values(), bits.offset(), rows, target.getDataBuffer());
      }
      case BytesColumn bytes -> {
        if (vector instanceof FixedSizeBinaryVector) {
          ByteBuffer values = fixed(vector, rows);
          for (int i = 0; i < rows; i++) {
            values.put(16 * i, bytes.data(), bytes.start(i), bytes.isNull(i) ? 0 : 16);
          }
        } else {
          strings(bytes, (BaseVariableWidthVector) vector);
        }
      }
    }
    if (!(column instanceof DictionaryColumn) && !(column instanceof ConstantColumn)) {
      validity(column, vector);
    }
  }

  private static ByteBuffer fixed(FieldVector vector, int rows) {
    BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
    fixed.allocateNew(rows);
    return buffer(fixed.getDataBuffer(), (long) rows * fixed.getTypeWidth());
  }

  private static ByteBuffer buffer(ArrowBuf memory, long bytes) {
    return memory.nioBuffer(0, Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void decimals(LongColumn longs, ByteBuffer target) {
    for (int i = 0; i < longs.length(); i++) {
      long value = longs.values()[longs.offset() + i];
      target.putLong(DECIMAL_BYTES * i, value);
      target.putLong(DECIMAL_BYTES * i + 8, value >> 63);
    }
  }

  private static void strings(BytesColumn bytes, BaseVariableWidthVector vector) {
    int rows = bytes.length();
    int start = bytes.offsets()[bytes.offset()];
    int length = bytes.offsets()[bytes.offset() + rows] - start;
    vector.allocateNew(length, rows);
    ByteBuffer offsets = buffer(vector.getOffsetBuffer(), 4L * (rows + 1));
    if (start == 0) {
      offsets.asIntBuffer().put(bytes.offsets(), bytes.offset(), rows + 1);
    } else {
      for (int i = 0; i <= rows; i++) {
        offsets.putInt(4 * i, bytes.offsets()[bytes.offset() + i] - start);
      }
    }
    vector.getDataBuffer().setBytes(0, bytes.data(), start, length);
    // Otherwise the vector would take the rows for ones that were never set.
    vector.setLastSet(rows - 1);
  }

  private static void validity(Column column, FieldVector vector) {
    int rows = column.length();
    byte[] mask = column.validity();
    if (mask == null) {
      vector.getValidityBuffer().setOne(0, (rows + 7) / 8);
    } else {
      pack(mask, column.offset(), rows, vector.getValidityBuffer());
    }
    vector.setValueCount(rows);
  }

  /** Bytes of 0 and 1 to bits, the lowest first. */
  private static void pack(byte[] bytes, int offset, int rows, ArrowBuf target) {
    for (int i = 0; i < rows; i += 8) {
      int bits = 0;
      for (int j = Math.min(8, rows - i) - 1; j >= 0; j--) {
        bits = bits << 1 | bytes[offset + i + j];
      }
      target.setByte(i >> 3, bits);
    }
  }

  @Override
  public void close() {
    root.close();
  }
}
