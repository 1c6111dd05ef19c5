package dev.varve.engine.parquet;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Byte arrays. A batch whose pages all refer to the dictionary stays a {@link DictionaryColumn};
 * one with other pages among them is written out.
 */
final class BytesAssembler extends ColumnAssembler {
  private final BytesSink sink = new BytesSink();
  private @Nullable BytesColumn dictionary;
  private int capacity;

  /** Codes of the rows so far, while all of them are codes. */
  private int[] codes = new int[0];

  private boolean coded;
  private boolean started;
  private int expectedBytes = 1 << 12;

  BytesAssembler(DataType type) {
    super(type);
  }

  @Override
  void begin(int rows) {
    capacity = rows;
    coded = true;
    started = false;
    codes = new int[0];
  }

  private void write(int rowsSoFar) {
    if (!started) {
      started = true;
      sink.begin(capacity, expectedBytes);
      if (codes.length > 0) {
        appendEntries(codes, 0, rowsSoFar);
      }
    }
    coded = false;
  }

  /** A null's code is 0, so a batch that is written out may hold an entry's bytes under a null. */
  private void appendEntries(int[] entries, int at, int count) {
    BytesColumn from = dictionary();
    for (int i = 0; i < count; i++) {
      int start = from.start(entries[i]);
      int length = from.end(entries[i]) - start;
      int used = sink.offsets[at + i];
      sink.ensure(used, length);
      System.arraycopy(from.data(), start, sink.data, used, length);
      sink.offsets[at + i + 1] = used + length;
    }
  }

  @Override
  void decode(PageDecoder decoder, int at, int count) {
    write(at);
    int from = sink.offsets[at];
    decoder.bytes(sink, at, count);
    if (type.kind() == TypeKind.UUID && sink.offsets[at + count] - from != 16 * count) {
      throw new CorruptPageException("a uuid has not 16 bytes");
    }
  }

  @Override
  void dictionary(Column entries) {
    dictionary = (BytesColumn) entries;
  }

  private BytesColumn dictionary() {
    BytesColumn entries = dictionary;
    if (entries == null) {
      throw new CorruptPageException("a page refers to a dictionary that is not there");
    }
    return entries;
  }

  @Override
  void lookUp(int[] source, int at, int count) {
    dictionary();
    if (coded) {
      if (codes.length == 0) {
        codes = new int[capacity];
      }
      System.arraycopy(source, 0, codes, at, count);
    } else {
      appendEntries(source, at, count);
    }
  }

  @Override
  void spread(int at, int count, int dense, byte[] validity) {
    if (coded) {
      if (codes.length == 0) {
        return;
      }
      int next = at + dense;
      for (int i = at + count - 1; i >= at; i--) {
        codes[i] = validity[i] != 0 ? codes[--next] : 0;
      }
      return;
    }
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
    if (coded && dictionary != null && codes.length > 0 && dictionary.length() > 0) {
      int[] own = codes;
      codes = new int[0];
      return new DictionaryColumn(dictionary, own, 0, rows, validity);
    }
    if (!started) {
      // Nothing but nulls.
      return new BytesColumn(type, new byte[0], new int[rows + 1], 0, rows, validity);
    }
    int used = sink.offsets[rows];
    byte[] data = used < sink.data.length / 2 ? Arrays.copyOf(sink.data, used) : sink.data;
    expectedBytes = Math.max(64, Math.min(used + used / 8, BytesSink.LIMIT_BYTES));
    return new BytesColumn(type, data, sink.offsets, 0, rows, validity);
  }
}
