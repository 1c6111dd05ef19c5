package dev.varve.writer.parquet;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import java.util.Arrays;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/** INT32, and FLOAT by its bits. */
final class IntValues extends PageValues {
  private static final int WIDTH = Integer.BYTES;

  private final boolean floating;
  private final int dictionaryBytes;
  private final @Nullable BloomHashes bloom;
  private final DeltaBinaryPacked delta = new DeltaBinaryPacked();
  private int[] values = new int[0];
  private int[] codes = new int[0];
  private @Nullable IntDictionary dictionary;

  /** The dictionary of the chunk's first pages, after it was given up. */
  private @Nullable IntDictionary finished;

  private int entriesBeforePage;
  private boolean firstPage = true;
  private @Nullable Column translated;
  private int[] translation = new int[0];

  IntValues(ParquetColumn column, int dictionaryBytes, @Nullable BloomHashes bloom) {
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
      switch (flat) {
        case IntColumn ints -> append(ints.values(), ints.offset(), rows, ints.validity());
        case FloatColumn floats -> append(bits(floats, rows), 0, rows, validity(floats, rows));
        // A decimal of up to 9 digits.
        case LongColumn longs -> append(narrow(longs, rows), 0, rows, validity(longs, rows));
        default -> throw new IllegalStateException("not a column of ints: " + column.type());
      }
    }
    IntDictionary full = dictionary;
    if (full != null && (long) WIDTH * full.size() > dictionaryBytes) {
      leaveDictionary(full);
    }
  }

  private static int[] bits(FloatColumn column, int rows) {
    int[] bits = new int[rows];
    float[] source = column.values();
    int offset = column.offset();
    for (int i = 0; i < rows; i++) {
      bits[i] = Float.floatToRawIntBits(source[offset + i]);
    }
    return bits;
  }

  private static int[] narrow(LongColumn column, int rows) {
    int[] narrowed = new int[rows];
    long[] source = column.values();
    int offset = column.offset();
    for (int i = 0; i < rows; i++) {
      narrowed[i] = (int) source[offset + i];
    }
    return narrowed;
  }

  private static byte @Nullable [] validity(Column column, int rows) {
    byte[] validity = column.validity();
    return validity == null
        ? null
        : Arrays.copyOfRange(validity, column.offset(), column.offset() + rows);
  }

  private void append(int[] source, int offset, int rows, byte @Nullable [] validity) {
    IntDictionary entries = dictionary;
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

  private void appendCodes(IntDictionary entries, DictionaryColumn column, int from, int rows) {
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

  private static int valueAt(Column column, int row) {
    return switch (column) {
      case IntColumn ints -> ints.get(row);
      case FloatColumn floats -> Float.floatToRawIntBits(floats.get(row));
      case LongColumn longs -> (int) longs.get(row);
      default -> throw new IllegalStateException("not a column of ints: " + column.type());
    };
  }

  private int code(IntDictionary entries, int value) {
    int before = entries.size();
    int code = entries.code(value);
    if (bloom != null && code == before) {
      hash(bloom, value);
    }
    return code;
  }

  private void hash(BloomHashes hashes, int value) {
    if (floating) {
      hashes.addFloat(Float.intBitsToFloat(value));
    } else {
      hashes.addInt(value);
    }
  }

  /** Turns the open page's codes into values; the chunk's later pages have no codes. */
  private void leaveDictionary(IntDictionary entries) {
    if (values.length < codes.length) {
      values = new int[codes.length];
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
    return floating ? floatStatistics(nulls) : intStatistics(nulls);
  }

  private PageStatistics intStatistics(long nulls) {
    if (count == 0) {
      return new PageStatistics(null, null, nulls, 0);
    }
    int least = Integer.MAX_VALUE;
    int greatest = Integer.MIN_VALUE;
    IntDictionary entries = dictionary;
    for (int i = 0; i < count; i++) {
      int value = entries == null ? values[i] : entries.value(codes[i]);
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
    return new PageStatistics((long) least, (long) greatest, nulls, 0);
  }

  private PageStatistics floatStatistics(long nulls) {
    float least = Float.POSITIVE_INFINITY;
    float greatest = Float.NEGATIVE_INFINITY;
    int nans = 0;
    IntDictionary entries = dictionary;
    for (int i = 0; i < count; i++) {
      float value = Float.intBitsToFloat(entries == null ? values[i] : entries.value(codes[i]));
      if (Float.isNaN(value)) {
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
    IntDictionary entries = dictionary;
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

  private Encoding encodeSmaller(IntDictionary entries, ByteSink out) {
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
    values = new int[0];
    codes = kept;
    dictionary = entries;
    entriesBeforePage = entries.size();
    return Encoding.RLE_DICTIONARY;
  }

  private Encoding encodeValues(ByteSink out) {
    if (floating) {
      out.writeInts(values, count);
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
    IntDictionary entries = dictionary != null ? dictionary : finished;
    if (entries == null) {
      throw new IllegalStateException("no page of this chunk has a dictionary");
    }
    out.writeInts(entries.values(), entriesBeforePage);
  }

  @Override
  void startChunk() {
    values = new int[0];
    codes = new int[0];
    dictionary = dictionaryBytes > 0 ? new IntDictionary() : null;
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
    IntDictionary entries = dictionary != null ? dictionary : finished;
    return (long) WIDTH * values.length
        + 4L * (codes.length + translation.length)
        + (entries == null ? 0 : entries.heldBytes());
  }

  @Override
  long estimatedBytes() {
    IntDictionary entries = dictionary;
    return entries == null
        ? plainBytes()
        : (long) codeWidth(entries.size() + 1) * count / 8 + (long) WIDTH * entries.size();
  }
}
