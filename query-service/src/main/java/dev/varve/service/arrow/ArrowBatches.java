package dev.varve.service.arrow;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FlatSizes;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * Copies batches into vectors of the types that {@link ArrowTypes} gives their columns. The root is
 * given buffers of its own for every batch, so what was there before may still be on its way.
 */
public final class ArrowBatches {
  /** What a batch takes at most; one row may take more. */
  private static final long MAX_BYTES = 1L << 20;

  private static final int UUID_BYTES = 16;
  private static final int UUID_TEXT_BYTES = 36;
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private ArrowBatches() {}

  /** How many rows from {@code from} on go together. */
  public static int rowsTogether(Batch batch, int from) {
    return FlatSizes.rowsWithin(batch, from, MAX_BYTES);
  }

  /** Makes the root hold the rows [from, from + count) and nothing else. */
  public static void copy(Batch batch, int from, int count, VectorSchemaRoot root) {
    root.clear();
    Batch flat = FlatSizes.flat(batch, from, count);
    for (int i = 0; i < flat.columns().size(); i++) {
      copy(flat.column(i), root.getVector(i));
    }
    root.setRowCount(count);
  }

  private static void copy(Column column, FieldVector vector) {
    switch (vector) {
      case NullVector nulls -> nulls.setValueCount(column.length());
      case BitVector bits -> {
        bits.allocateNew(column.length());
        copyBits(((BooleanColumn) column).values(), column, bits.getDataBuffer());
        copyValidity(column, bits.getValidityBuffer());
        bits.setValueCount(column.length());
      }
      case BaseFixedWidthVector fixed -> {
        fixed.allocateNew(column.length());
        copyFixed(column, fixed.getDataBuffer());
        copyValidity(column, fixed.getValidityBuffer());
        fixed.setValueCount(column.length());
      }
      case BaseVariableWidthVector varying -> {
        if (column.type().kind() == TypeKind.UUID) {
          copyUuids((BytesColumn) column, varying);
        } else {
          copyBytes((BytesColumn) column, varying);
        }
        copyValidity(column, varying.getValidityBuffer());
        varying.setLastSet(column.length() - 1);
        varying.setValueCount(column.length());
      }
      default -> throw new IllegalStateException("no vector for results: " + vector.getClass());
    }
  }

  private static ByteBuffer bytes(ArrowBuf buffer, long length) {
    return buffer.nioBuffer(0, Math.toIntExact(length)).order(ByteOrder.nativeOrder());
  }

  private static void copyValidity(Column column, ArrowBuf target) {
    byte @Nullable [] mask = column.validity();
    long length = (column.length() + 7L) / 8;
    if (mask == null) {
      target.setOne(0, length);
    } else {
      copyBits(mask, column, target);
    }
  }

  /** Bytes of 0 and 1 as bits, the first value lowest; under a null any byte may be. */
  private static void copyBits(byte[] values, Column column, ArrowBuf target) {
    int rows = column.length();
    int at = column.offset();
    int whole = rows / 8;
    for (int i = 0; i < whole; i++, at += 8) {
      target.setByte(
          i,
          values[at] & 1
              | (values[at + 1] & 1) << 1
              | (values[at + 2] & 1) << 2
              | (values[at + 3] & 1) << 3
              | (values[at + 4] & 1) << 4
              | (values[at + 5] & 1) << 5
              | (values[at + 6] & 1) << 6
              | (values[at + 7] & 1) << 7);
    }
    int last = 0;
    for (int i = 0; i < rows % 8; i++) {
      last |= (values[at + i] & 1) << i;
    }
    if (rows % 8 != 0) {
      target.setByte(whole, last);
    }
  }

  private static void copyFixed(Column column, ArrowBuf target) {
    int from = column.offset();
    int rows = column.length();
    switch (column) {
      case IntColumn ints when column.type().equals(DataType.SMALLINT) -> {
        ShortBuffer shorts = bytes(target, 2L * rows).asShortBuffer();
        int[] values = ints.values();
        for (int i = from; i < from + rows; i++) {
          shorts.put((short) values[i]);
        }
      }
      case IntColumn ints -> bytes(target, 4L * rows).asIntBuffer().put(ints.values(), from, rows);
      case LongColumn longs when column.type().isDecimal() -> {
        LongBuffer wide = bytes(target, 16L * rows).asLongBuffer();
        long[] values = longs.values();
        for (int i = from; i < from + rows; i++) {
          wide.put(values[i]).put(values[i] >> 63);
        }
      }
      case LongColumn longs ->
          bytes(target, 8L * rows).asLongBuffer().put(longs.values(), from, rows);
      case FloatColumn floats ->
          bytes(target, 4L * rows).asFloatBuffer().put(floats.values(), from, rows);
      case DoubleColumn doubles ->
          bytes(target, 8L * rows).asDoubleBuffer().put(doubles.values(), from, rows);
      case Int128Column wide -> {
        LongBuffer halves = bytes(target, 16L * rows).asLongBuffer();
        for (int i = from; i < from + rows; i++) {
          halves.put(wide.low()[i]).put(wide.high()[i]);
        }
      }
      default -> throw new IllegalStateException("not of fixed width: " + column.getClass());
    }
  }

  private static void copyBytes(BytesColumn column, BaseVariableWidthVector vector) {
    int rows = column.length();
    int start = column.start(0);
    int end = column.offsets()[column.offset() + rows];
    vector.allocateNew(end - start, rows);
    ByteBuffer offsets = bytes(vector.getOffsetBuffer(), 4L * (rows + 1));
    if (start == 0) {
      offsets.asIntBuffer().put(column.offsets(), column.offset(), rows + 1);
    } else {
      for (int i = 0; i <= rows; i++) {
        offsets.putInt(column.offsets()[column.offset() + i] - start);
      }
    }
    vector.getDataBuffer().setBytes(0, column.data(), start, end - start);
  }

  private static void copyUuids(BytesColumn column, BaseVariableWidthVector vector) {
    int rows = column.length();
    vector.allocateNew((long) UUID_TEXT_BYTES * rows, rows);
    byte[] text = new byte[UUID_TEXT_BYTES];
    ByteBuffer offsets = bytes(vector.getOffsetBuffer(), 4L * (rows + 1));
    int at = 0;
    offsets.putInt(0);
    for (int i = 0; i < rows; i++) {
      if (!column.isNull(i)) {
        writeUuid(column.data(), column.start(i), text);
        vector.getDataBuffer().setBytes(at, text);
        at += UUID_TEXT_BYTES;
      }
      offsets.putInt(at);
    }
  }

  private static void writeUuid(byte[] data, int start, byte[] text) {
    int at = 0;
    for (int i = 0; i < UUID_BYTES; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) {
        text[at++] = '-';
      }
      int value = data[start + i];
      text[at++] = HEX[value >> 4 & 15];
      text[at++] = HEX[value & 15];
    }
  }
}
