package dev.varve.engine.parquet;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Assembler of byte arrays. */
final class BytesAssembler extends ColumnAssembler {
  private final BytesSink sink = new BytesSink();
  private @Nullable BytesColumn dictionary;
  private int expectedBytes = 1 << 12;

  BytesAssembler(DataType type) {
    super(type);
  }

  @Override
  void begin(int rows) {
    sink.begin(rows, expectedBytes);
  }

  @Override
  void decode(PageDecoder decoder, int at, int count) {
    int from = sink.offsets[at];
    decoder.bytes(sink, at, count);
    checkLengths(from, at, count);
  }

  /** Of the next {@code values} values of a page those at {@code picked[0..count)}, ascending. */
  void decodePicked(PageDecoder decoder, int[] picked, int count, int values) {
    int next = 0;
    for (int i = 0; i < count; i++) {
      decoder.skip(picked[i] - next);
      decoder.bytes(sink, i, 1);
      next = picked[i] + 1;
    }
    decoder.skip(values - next);
    checkLengths(0, 0, count);
  }

  private void checkLengths(int from, int at, int count) {
    if (type.kind() == TypeKind.UUID && sink.offsets[at + count] - from != 16 * count) {
      throw new CorruptPageException("a uuid has not 16 bytes");
    }
  }

  @Override
  void dictionary(Column entries) {
    dictionary = (BytesColumn) entries;
  }

  @Override
  void lookUp(int[] codes, int at, int count) {
    BytesColumn from = dictionary;
    if (from == null) {
      throw new CorruptPageException("a page refers to a dictionary that is not there");
    }
    for (int i = 0; i < count; i++) {
      int start = from.start(codes[i]);
      int length = from.end(codes[i]) - start;
      int used = sink.offsets[at + i];
      sink.ensure(used, length);
      System.arraycopy(from.data(), start, sink.data, used, length);
      sink.offsets[at + i + 1] = used + length;
    }
  }

  @Override
  void empty(int rows) {
    Arrays.fill(sink.offsets, 0, rows + 1, 0);
  }

  @Override
  void spread(int at, int count, int dense, byte[] validity) {
    int[] offsets = sink.offsets;
    int next = at + dense;
    int end = offsets[next];
    for (int i = at + count - 1; i >= at; i--) {
      offsets[i + 1] = end;
      if (validity[i] != 0) {
        end = offsets[--next];
      }
    }
  }

  @Override
  Column finish(int rows, byte @Nullable [] validity) {
    int used = sink.offsets[rows];
    byte[] data = used < sink.data.length / 2 ? Arrays.copyOf(sink.data, used) : sink.data;
    expectedBytes = Math.max(64, Math.min(used + used / 8, BytesSink.LIMIT_BYTES));
    return new BytesColumn(type, data, sink.offsets, 0, rows, validity);
  }
}
