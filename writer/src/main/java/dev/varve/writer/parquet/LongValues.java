package dev.varve.writer.parquet;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.LongColumn;
import java.util.Arrays;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/** INT64, and DOUBLE by its bits. */
final class LongValues extends PageValues {
  private static final int WIDTH = Long.BYTES;

  private final boolean floating;
  private final int dictionaryBytes;
  private final @Nullable BloomHashes bloom;
  private final DeltaBinaryPacked delta = new DeltaBinaryPacked();
  private long[] values = new long[0];
  private int[] codes = new int[0];
  private @Nullable LongDictionary dictionary;

  /** The dictionary of the chunk's first pages, after it was given up. */
  private @Nullable LongDictionary finished;

  private int entriesBeforePage;
  private boolean firstPage = true;
  private @Nullable Column translated;
  private int[] translation = new int[0];

  LongValues(ParquetColumn column, int dictionaryBytes, @Nullable BloomHashes bloom) {
    this.floating = column.isFloating();
    this.dictionaryBytes = dictionaryBytes;
    this.bloom = bloom;
    startChunk();
  }

  @Override
  long plainBytes() {
    return (long) WIDTH * count;
  }

  @Override
  int fit(Column column, int from, int rows, long limit) {
    return fixedFit(column, from, rows, limit / WIDTH - count);
  }

  @Override
  void append(Column column, int from, int rows) {
    reserve(rows);
    if (dictionary != null && column instanceof DictionaryColumn encoded) {
      appendCodes(dictionary, encoded, from, rows);
    } else {
      Column flat = column.slice(from, rows).flat();
      if (flat instanceof LongColumn longs) {
        append(longs.values(), longs.offset(), rows, longs.validity());
      } else if (flat instanceof DoubleColumn doubles) {
        append(bits(doubles, rows), 0, rows, validity(doubles, rows));
      } else {
        throw new IllegalStateException("not a column of longs: " + column.type());
      }
    }
    LongDictionary full = dictionary;
    if (full != null && (long) WIDTH * full.size() > dictionaryBytes) {
      leaveDictionary(full);
    }
  }

  private static long[] bits(DoubleColumn column, int rows) {
    long[] bits = new long[rows];
    double[] source = column.values();
    int offset = column.offset();
    for (int i = 0; i < rows; i++) {
      bits[i] = Double.doubleToRawLongBits(source[offset + i]);
    }
    return bits;
  }

  private static byte @Nullable [] validity(Column column, int rows) {
    byte[] validity = column.validity();
    return validity == null
        ? null
        : Arrays.copyOfRange(validity, column.offset(), column.offset() + rows);
  }

  private void append(long[] source, int offset, int rows, byte @Nullable [] validity) {
    LongDictionary entries = dictionary;
    int at = count;
    if (entries == null) {
      if (validity == null) {
        System.arraycopy(source, offset, values, at, rows);
        at += rows;
      } else {
        for (int i = offset; i < offset + rows; i++) {
          values[at] = source[i];
          at += validity[i];
        }
      }
      if (bloom != null) {
        for (int i = count; i < at; i++) {
          hash(bloom, values[i]);
        }
      }
    } else if (validity == null) {
      for (int i = offset; i < offset + rows; i++) {
        codes[at++] = code(entries, source[i]);
      }
    } else {
      for (int i = offset; i < offset + rows; i++) {
        if (validity[i] != 0) {
          codes[at++] = code(entries, source[i]);
        }
      }
    }
    count = at;
  }

  private void appendCodes(LongDictionary entries, DictionaryColumn column, int from, int rows) {
    Column source = column.dictionary();
    if (source != translated) {
      translated = source;
      translation = new int[source.length()];
      Arrays.fill(translation, -1);
    }
    int[] sourceCodes = column.codes();
    byte[] validity = column.validity();
    int offset = column.offset() + from;
    int at = count;
    for (int i = offset; i < offset + rows; i++) {
      if (validity == null || validity[i] != 0) {
        int code = translation[sourceCodes[i]];
        if (code < 0) {
          code = code(entries, valueAt(source, sourceCodes[i]));
          translation[sourceCodes[i]] = code;
        }
        codes[at++] = code;
      }
    }
    count = at;
  }

  private static long valueAt(Column column, int row) {
    return column instanceof LongColumn longs
        ? longs.get(row)
        : Double.doubleToRawLongBits(((DoubleColumn) column).get(row));
  }

  private int code(LongDictionary entries, long value) {
    int before = entries.size();
    int code = entries.code(value);
    if (bloom != null && code == before) {
      hash(bloom, value);
    }
    return code;
  }

  private void hash(BloomHashes hashes, long value) {
    if (floating) {
      hashes.addDouble(Double.longBitsToDouble(value));
    } else {
      hashes.addLong(value);
    }
  }

  /** Turns the open page's codes into values; the chunk's later pages have no codes. */
  private void leaveDictionary(LongDictionary entries) {
    if (values.length < codes.length) {
      values = new long[codes.length];
    }
    for (int i = 0; i < count; i++) {
      values[i] = entries.value(codes[i]);
    }
    codes = new int[0];
    dictionary = null;
    finished = entriesBeforePage == 0 ? null : entries;
    translated = null;
    translation = new int[0];
  }

  @Override
  PageStatistics statistics(long nulls) {
    return floating ? doubleStatistics(nulls) : longStatistics(nulls);
  }

  private PageStatistics longStatistics(long nulls) {
    if (count == 0) {
      return new PageStatistics(null, null, nulls, 0);
    }
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    LongDictionary entries = dictionary;
    for (int i = 0; i < count; i++) {
      long value = entries == null ? values[i] : entries.value(codes[i]);
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
    return new PageStatistics(least, greatest, nulls, 0);
  }

  private PageStatistics doubleStatistics(long nulls) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    int nans = 0;
    LongDictionary entries = dictionary;
    for (int i = 0; i < count; i++) {
      double value = Double.longBitsToDouble(entries == null ? values[i] : entries.value(codes[i]));
      if (Double.isNaN(value)) {
        nans++;
      } else {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    return FloatBounds.of(least, greatest, count - nans, nulls, nans);
  }

  @Override
  Encoding encode(ByteSink out) {
    LongDictionary entries = dictionary;
    Encoding encoding;
    if (entries == null) {
      encoding = encodeValues(out);
    } else if (firstPage && count > 0) {
      encoding = encodeSmaller(entries, out);
    } else {
      encoding = writeCodes(codes, count, entries.size(), out);
      entriesBeforePage = entries.size();
    }
    firstPage &= count == 0;
    count = 0;
    return encoding;
  }

  private Encoding encodeSmaller(LongDictionary entries, ByteSink out) {
    ByteSink coded = new ByteSink(count + 16);
    writeCodes(codes, count, entries.size(), coded);
    int[] kept = codes;
    leaveDictionary(entries);
    int start = out.size();
    Encoding plain = encodeValues(out);
    if (out.size() - start <= coded.size() + (long) WIDTH * entries.size()) {
      return plain;
    }
    out.advance(start - out.size());
    out.write(coded.array(), 0, coded.size());
    values = new long[0];
    codes = kept;
    dictionary = entries;
    entriesBeforePage = entries.size();
    return Encoding.RLE_DICTIONARY;
  }

  private Encoding encodeValues(ByteSink out) {
    if (floating) {
      out.writeLongs(values, count);
      return Encoding.PLAIN;
    }
    delta.encode(values, count, out);
    return Encoding.DELTA_BINARY_PACKED;
  }

  @Override
  int dictionaryEntries() {
    return entriesBeforePage;
  }

  @Override
  void writeDictionary(ByteSink out) {
    LongDictionary entries = dictionary != null ? dictionary : finished;
    if (entries == null) {
      throw new IllegalStateException("no page of this chunk has a dictionary");
    }
    out.writeLongs(entries.values(), entriesBeforePage);
  }

  @Override
  void startChunk() {
    values = new long[0];
    codes = new int[0];
    dictionary = dictionaryBytes > 0 ? new LongDictionary() : null;
    finished = null;
    entriesBeforePage = 0;
    firstPage = true;
    translated = null;
    translation = new int[0];
  }

  private void reserve(int rows) {
    int needed = count + rows;
    // Runs are padded to whole groups behind the last code.
    if (dictionary != null && needed + 8 > codes.length) {
      codes = Arrays.copyOf(codes, Math.max(needed + 8, 2 * codes.length));
    }
    if (dictionary == null && needed > values.length) {
      values = Arrays.copyOf(values, Math.max(needed, 2 * values.length));
    }
  }

  @Override
  long heldBytes() {
    LongDictionary entries = dictionary != null ? dictionary : finished;
    return (long) WIDTH * values.length
        + 4L * (codes.length + translation.length)
        + (entries == null ? 0 : entries.heldBytes());
  }

  @Override
  long estimatedBytes() {
    LongDictionary entries = dictionary;
    return entries == null
        ? plainBytes()
        : (long) codeWidth(entries.size() + 1) * count / 8 + (long) WIDTH * entries.size();
  }
}
