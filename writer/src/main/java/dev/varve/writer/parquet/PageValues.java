package dev.varve.writer.parquet;

import dev.varve.engine.batch.Column;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * The non-null values of the open page of one column, as a typed array, and the chunk's dictionary.
 *
 * <p>While the dictionary is on, the array holds codes. It is given up for the rest of the chunk
 * when it outgrows its limit, or when the first page is no smaller with it; the open page then goes
 * back to values, and entries that only it used are forgotten. Confined to one task at a time.
 */
abstract sealed class PageValues permits BooleanValues, IntValues, LongValues, BytesValues {
  int count;

  static PageValues of(ParquetColumn column, int dictionaryBytes, @Nullable BloomHashes bloom) {
    return switch (column.physical()) {
      case BOOLEAN -> new BooleanValues();
      case INT32, FLOAT -> new IntValues(column, dictionaryBytes, bloom);
      case INT64, DOUBLE -> new LongValues(column, dictionaryBytes, bloom);
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> new BytesValues(column, dictionaryBytes, bloom);
      case INT96 -> throw new IllegalStateException("INT96 is not written");
    };
  }

  final int count() {
    return count;
  }

  /** Bytes that the open page's values have in PLAIN. */
  abstract long plainBytes();

  /** How many of {@code rows} rows may be added until the page has {@code limit} PLAIN bytes. */
  abstract int fit(Column column, int from, int rows, long limit);

  /** Adds the values of rows that are not null; the column is flat, or a dictionary of flat. */
  abstract void append(Column column, int from, int rows);

  /** Least and greatest value of the open page, and how many NaNs it has. */
  abstract PageStatistics statistics(long nulls);

  /** Writes the open page's values and forgets them; answers how they are encoded. */
  abstract Encoding encode(ByteSink out);

  /** How many entries the dictionary has; 0 if no page of the chunk used one. */
  abstract int dictionaryEntries();

  /** The entries in PLAIN. */
  abstract void writeDictionary(ByteSink out);

  /** Begins a new chunk, and lets go of what has grown. */
  abstract void startChunk();

  /** Bytes of the arrays behind this. */
  abstract long heldBytes();

  /** Bytes that the open page will have, without compression. */
  abstract long estimatedBytes();

  /** How many rows hold at most {@code values} values; nulls take no room. */
  static int fixedFit(Column column, int from, int rows, long values) {
    byte[] validity = column.validity();
    if (validity == null || values >= rows) {
      return Math.clamp(values, 0, rows);
    }
    long left = values;
    int offset = column.offset() + from;
    for (int i = 0; i < rows; i++) {
      left -= validity[offset + i];
      if (left < 0) {
        return i;
      }
    }
    return rows;
  }

  /** Writes codes as the values of a page: their bit width, then runs. */
  static Encoding writeCodes(int[] codes, int count, int entries, ByteSink out) {
    int width = codeWidth(entries);
    out.write(width);
    RunLength.encode(codes, count, width, out);
    return Encoding.RLE_DICTIONARY;
  }

  static int codeWidth(int entries) {
    return Math.max(1, 32 - Integer.numberOfLeadingZeros(entries - 1));
  }
}
