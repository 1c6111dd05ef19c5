package dev.varve.writer.parquet;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import java.util.Arrays;
import org.apache.parquet.format.Encoding;

/** Booleans: one bit each, never a dictionary. */
final class BooleanValues extends PageValues {
  private byte[] values = new byte[0];

  @Override
  long plainBytes() {
    return (count + 7) / 8;
  }

  @Override
  int fit(Column column, int from, int rows, long limit) {
    return fixedFit(column, from, rows, limit * 8 - count);
  }

  @Override
  void append(Column column, int from, int rows) {
    BooleanColumn flat = (BooleanColumn) column.slice(from, rows).flat();
    if (count + rows > values.length) {
      values = Arrays.copyOf(values, Math.max(count + rows, 2 * values.length));
    }
    byte[] source = flat.values();
    int offset = flat.offset();
    byte[] validity = flat.validity();
    if (validity == null) {
      System.arraycopy(source, offset, values, count, rows);
      count += rows;
      return;
    }
    int at = count;
    for (int i = offset; i < offset + rows; i++) {
      values[at] = source[i];
      at += validity[i];
    }
    count = at;
  }

  @Override
  PageStatistics statistics(long nulls) {
    if (count == 0) {
      return new PageStatistics(null, null, nulls, 0);
    }
    int any = 0;
    int all = 1;
    for (int i = 0; i < count; i++) {
      any |= values[i];
      all &= values[i];
    }
    return new PageStatistics((long) all, (long) any, nulls, 0);
  }

  @Override
  Encoding encode(ByteSink out) {
    int bytes = (count + 7) / 8;
    out.reserve(bytes);
    for (int b = 0; b < bytes; b++) {
      int packed = 0;
      for (int i = 8 * b; i < Math.min(count, 8 * b + 8); i++) {
        packed |= values[i] << (i & 7);
      }
      out.write(packed);
    }
    count = 0;
    return Encoding.PLAIN;
  }

  @Override
  int dictionaryEntries() {
    return 0;
  }

  @Override
  void writeDictionary(ByteSink out) {
    throw new IllegalStateException("booleans have no dictionary");
  }

  @Override
  void startChunk() {
    values = new byte[0];
  }

  @Override
  long heldBytes() {
    return values.length;
  }

  @Override
  long estimatedBytes() {
    return plainBytes();
  }
}
