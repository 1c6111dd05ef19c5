package dev.varve.engine.spill;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Flat batches of one schema as messages of an Arrow IPC stream:
 *
 * <pre>
 * FFFFFFFF, int32 length of the metadata, metadata (a flatbuffer, padded to 8), body
 * body of a record batch: of each column validity bits (none without nulls), then
 *   values | bits of booleans | lower and upper halves | int32 offsets and bytes, each padded to 8
 * </pre>
 *
 * Arrays are copied between heap and file as they are; nothing goes through vectors outside the
 * heap. Immutable; safe for concurrent use.
 */
final class ArrowFormat {
  private static final int CONTINUATION = -1;
  private static final int PREFIX_BYTES = 8;

  private final Schema schema;

  ArrowFormat(Schema schema) {
    this.schema = schema;
  }

  Schema schema() {
    return schema;
  }

  /** The stream's first message: its schema. */
  byte[] start() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int header = ArrowSchemas.write(builder, schema);
    return framed(message(builder, MessageHeader.Schema, header, 0));
  }

  /** Where the parts of one batch stand, and the metadata that says so. */
  record Layout(byte[] framedMetadata, long bodyBytes) {
    long totalBytes() {
      return framedMetadata.length + bodyBytes;
    }
  }

  Layout layout(Batch flat) {
    List<Long> sizes = new ArrayList<>();
    for (Column column : flat.columns()) {
      sizes.add(column.validity() == null ? 0 : bitBytes(column.length()));
      valueSizes(column, sizes);
    }
    FlatBufferBuilder builder = new FlatBufferBuilder();
    long[] starts = new long[sizes.size()];
    long body = 0;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = body;
      body += padded(sizes.get(i));
    }
    RecordBatch.startBuffersVector(builder, starts.length);
    for (int i = starts.length - 1; i >= 0; i--) {
      Buffer.createBuffer(builder, starts[i], sizes.get(i));
    }
    int buffers = builder.endVector();
    RecordBatch.startNodesVector(builder, flat.columns().size());
    for (int c = flat.columns().size() - 1; c >= 0; c--) {
      FieldNode.createFieldNode(builder, flat.rowCount(), flat.column(c).nullCount());
    }
    int nodes = builder.endVector();
    RecordBatch.startRecordBatch(builder);
    RecordBatch.addLength(builder, flat.rowCount());
    RecordBatch.addNodes(builder, nodes);
    RecordBatch.addBuffers(builder, buffers);
    int header = RecordBatch.endRecordBatch(builder);
    return new Layout(framed(message(builder, MessageHeader.RecordBatch, header, body)), body);
  }

  private static void valueSizes(Column column, List<Long> sizes) {
    long rows = column.length();
    switch (column) {
      case BooleanColumn _ -> sizes.add(bitBytes(column.length()));
      case IntColumn _, FloatColumn _ -> sizes.add(4 * rows);
      case LongColumn _, DoubleColumn _ -> sizes.add(8 * rows);
      case Int128Column _ -> sizes.add(16 * rows);
      case BytesColumn bytes -> {
        sizes.add(4 * (rows + 1));
        sizes.add((long) bytes.offsets()[bytes.offset() + bytes.length()] - bytes.start(0));
      }
      default -> throw new IllegalStateException("not flat: " + column.getClass());
    }
  }

  private static long bitBytes(int rows) {
    return (rows + 7L) / 8;
  }

  private static long padded(long bytes) {
    return (bytes + 7) & -8;
  }

  private static byte[] message(FlatBufferBuilder builder, byte type, int header, long body) {
    Message.startMessage(builder);
    Message.addVersion(builder, MetadataVersion.V5);
    Message.addHeaderType(builder, type);
    Message.addHeader(builder, header);
    Message.addBodyLength(builder, body);
    Message.finishMessageBuffer(builder, Message.endMessage(builder));
    return builder.sizedByteArray();
  }

  private static byte[] framed(byte[] metadata) {
    int size = (int) padded(metadata.length);
    ByteBuffer framed =
        ByteBuffer.allocate(PREFIX_BYTES + size).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    framed.putInt(CONTINUATION).putInt(size).put(metadata);
    return framed.array();
  }

  void write(Batch flat, Layout layout, SpillOutput output) throws IOException {
    output.put(layout.framedMetadata());
    for (Column column : flat.columns()) {
      byte[] validity = column.validity();
      if (validity != null) {
        output.putBits(validity, column.offset(), column.length());
        output.pad(bitBytes(column.length()));
      }
      writeValues(column, output);
    }
  }

  private static void writeValues(Column column, SpillOutput output) throws IOException {
    int from = column.offset();
    int rows = column.length();
    switch (column) {
      case BooleanColumn booleans -> {
        output.putBits(booleans.values(), from, rows);
        output.pad(bitBytes(rows));
      }
      case IntColumn ints -> {
        output.put(ints.values(), from, rows);
        output.pad(4L * rows);
      }
      case LongColumn longs -> output.put(longs.values(), from, rows);
      case FloatColumn floats -> {
        output.put(floats.values(), from, rows);
        output.pad(4L * rows);
      }
      case DoubleColumn doubles -> output.put(doubles.values(), from, rows);
      case Int128Column wide -> {
        for (int i = from; i < from + rows; i++) {
          output.putLong(wide.low()[i]);
          output.putLong(wide.high()[i]);
        }
      }
      case BytesColumn bytes -> {
        int start = bytes.start(0);
        int end = bytes.offsets()[from + rows];
        if (start == 0) {
          output.put(bytes.offsets(), from, rows + 1);
        } else {
          for (int i = from; i <= from + rows; i++) {
            output.putInt(bytes.offsets()[i] - start);
          }
        }
        output.pad(4L * (rows + 1));
        output.put(bytes.data(), start, end - start);
        output.pad(end - start);
      }
      default -> throw new IllegalStateException("not flat: " + column.getClass());
    }
  }

  /** The next batch, past the schema if that is what comes; null where the stream has no more. */
  @Nullable Batch read(SpillInput input) throws IOException {
    while (!input.atEnd()) {
      if (input.getInt() != CONTINUATION) {
        throw new IOException("no message where one should start");
      }
      Message message = Message.getRootAsMessage(ByteBuffer.wrap(input.getBytes(input.getInt())));
      if (message.headerType() == MessageHeader.RecordBatch) {
        RecordBatch header = new RecordBatch();
        message.header(header);
        return readBatch(header, input);
      }
    }
    return null;
  }

  private Batch readBatch(RecordBatch header, SpillInput input) throws IOException {
    int rows = Math.toIntExact(header.length());
    List<Column> columns = new ArrayList<>(schema.size());
    int buffer = 0;
    for (int c = 0; c < schema.size(); c++) {
      DataType type = schema.type(c);
      byte[] validity = null;
      if (header.buffers(buffer++).length() > 0) {
        validity = input.getBits(rows);
        input.skipPadding(bitBytes(rows));
      }
      long bytes = 0;
      if (type.physical() == dev.varve.engine.type.PhysicalType.BYTES) {
        bytes = header.buffers(buffer + 1).length();
        buffer++;
      }
      buffer++;
      columns.add(readValues(type, rows, Math.toIntExact(bytes), validity, input));
    }
    return new Batch(schema, columns, rows);
  }

  private static Column readValues(
      DataType type, int rows, int bytes, byte @Nullable [] validity, SpillInput input)
      throws IOException {
    return switch (type.physical()) {
      case BOOLEAN -> {
        byte[] values = input.getBits(rows);
        input.skipPadding(bitBytes(rows));
        yield new BooleanColumn(type, values, validity);
      }
      case INT -> {
        int[] values = input.getInts(rows);
        input.skipPadding(4L * rows);
        yield new IntColumn(type, values, validity);
      }
      case LONG -> new LongColumn(type, input.getLongs(rows), validity);
      case FLOAT -> {
        float[] values = input.getFloats(rows);
        input.skipPadding(4L * rows);
        yield new FloatColumn(type, values, validity);
      }
      case DOUBLE -> new DoubleColumn(type, input.getDoubles(rows), validity);
      case INT128 -> {
        long[] high = new long[rows];
        long[] low = new long[rows];
        input.getPairs(high, low);
        yield new Int128Column(type, high, low, validity);
      }
      case BYTES -> {
        int[] offsets = input.getInts(rows + 1);
        input.skipPadding(4L * (rows + 1));
        byte[] data = input.getBytes(bytes);
        input.skipPadding(bytes);
        yield new BytesColumn(type, data, offsets, validity);
      }
    };
  }
}
