package dev.varve.writer.parquet;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Arrays;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY: strings, binaries, uuids, and decimals of more than 18
 * digits as big-endian two's complement.
 */
final class BytesValues extends PageValues {
  private static final int LENGTH_BYTES = 4;

  private final ParquetColumn column;
  private final boolean signed;
  private final int dictionaryBytes;
  private final @Nullable BloomHashes bloom;
  private final DeltaBinaryPacked delta = new DeltaBinaryPacked();

  /** Without dictionary: the values one behind the other, and where each ends. */
  private byte[] data = new byte[0];

  private int[] ends = new int[0];
  private long pageBytes;

  private int[] codes = new int[0];
  private @Nullable BytesDictionary dictionary;

  /** The dictionary of the chunk's first pages, after it was given up. */
  private @Nullable BytesDictionary finished;

  private int entriesBeforePage;
  private boolean firstPage = true;
  private @Nullable Column translated;
  private int[] translation = new int[0];

  BytesValues(ParquetColumn column, int dictionaryBytes, @Nullable BloomHashes bloom) {
    this.column = column;
    this.signed = ValueOrder.of(column) == ValueOrder.SIGNED_BYTES;
    this.dictionaryBytes = dictionaryBytes;
    this.bloom = bloom;
    startChunk();
  }

  @Override
  long plainBytes() {
    return pageBytes + (column.length() > 0 ? 0 : (long) LENGTH_BYTES * count);
  }

  @Override
  int fit(Column source, int from, int rows, long limit) {
    long left = limit - plainBytes();
    if (column.length() > 0) {
      return fixedFit(source, from, rows, left / column.length());
    }
    if (source instanceof BytesColumn bytes
        && bytes.end(from + rows - 1) - bytes.start(from) + (long) LENGTH_BYTES * rows <= left) {
      return rows;
    }
    byte[] validity = source.validity();
    int offset = source.offset() + from;
    for (int i = 0; i < rows; i++) {
      if (validity == null || validity[offset + i] != 0) {
        left -= LENGTH_BYTES + valueLength(source, from + i);
        if (left < 0) {
          return i;
        }
      }
    }
    return rows;
  }

  private static int valueLength(Column source, int row) {
    if (source instanceof DictionaryColumn encoded) {
      BytesColumn entries = (BytesColumn) encoded.dictionary();
      int code = encoded.codes()[encoded.offset() + row];
      return entries.end(code) - entries.start(code);
    }
    BytesColumn bytes = (BytesColumn) source;
    return bytes.end(row) - bytes.start(row);
  }

  @Override
  void append(Column source, int from, int rows) {
    reserve(rows);
    if (source instanceof DictionaryColumn encoded
        && dictionary != null
        && encoded.dictionary() instanceof BytesColumn entries) {
      appendCodes(dictionary, encoded, entries, from, rows);
    } else {
      Column flat = source.slice(from, rows).flat();
      switch (flat) {
        case BytesColumn bytes -> append(bytes, rows);
        case Int128Column decimals -> append(bigEndian(decimals, column.length()), rows);
        default -> throw new IllegalStateException("not a column of bytes: " + source.type());
      }
    }
    BytesDictionary full = dictionary;
    if (full != null && dictionaryPlainBytes(full, full.size()) > dictionaryBytes) {
      leaveDictionary(full);
    }
  }

  private long dictionaryPlainBytes(BytesDictionary entries, int size) {
    return entries.start(size) + (column.length() > 0 ? 0 : (long) LENGTH_BYTES * size);
  }

  private void append(BytesColumn source, int rows) {
    byte[] validity = source.validity();
    int offset = source.offset();
    int[] offsets = source.offsets();
    byte[] bytes = source.data();
    BytesDictionary entries = dictionary;
    for (int i = offset; i < offset + rows; i++) {
      if (validity != null && validity[i] == 0) {
        continue;
      }
      int start = offsets[i];
      int length = offsets[i + 1] - start;
      checkLength(length);
      if (entries == null) {
        appendValue(bytes, start, length);
        if (bloom != null) {
          bloom.addBytes(bytes, start, length);
        }
      } else {
        codes[count++] = code(entries, bytes, start, length);
        pageBytes += length;
      }
    }
  }

  private void checkLength(int length) {
    if (column.length() > 0 && length != column.length()) {
      throw new VarveException(
          ErrorCode.STRING_TOO_LONG,
          "column '"
              + column.name()
              + "' holds values of "
              + column.length()
              + " bytes, not of "
              + length);
    }
  }

  private void appendValue(byte[] source, int start, int length) {
    int at = count == 0 ? 0 : ends[count - 1];
    int end = Math.addExact(at, length);
    if (end > data.length) {
      data =
          Arrays.copyOf(
              data, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(end, 2L * data.length)));
    }
    System.arraycopy(source, start, data, at, length);
    ends[count++] = end;
    pageBytes += length;
  }

  private void appendCodes(
      BytesDictionary entries, DictionaryColumn encoded, BytesColumn source, int from, int rows) {
    if (source != translated) {
      translated = source;
      translation = new int[source.length()];
      Arrays.fill(translation, -1);
    }
    int[] sourceCodes = encoded.codes();
    byte[] validity = encoded.validity();
    int offset = encoded.offset() + from;
    for (int i = offset; i < offset + rows; i++) {
      if (validity != null && validity[i] == 0) {
        continue;
      }
      int sourceCode = sourceCodes[i];
      int code = translation[sourceCode];
      if (code < 0) {
        int length = source.end(sourceCode) - source.start(sourceCode);
        checkLength(length);
        code = code(entries, source.data(), source.start(sourceCode), length);
        translation[sourceCode] = code;
      }
      codes[count++] = code;
      pageBytes += entries.end(code) - entries.start(code);
    }
  }

  private int code(BytesDictionary entries, byte[] source, int start, int length) {
    int before = entries.size();
    int code = entries.code(source, start, length);
    if (bloom != null && code == before) {
      bloom.addBytes(source, start, length);
    }
    return code;
  }

  static BytesColumn bigEndian(Int128Column decimals, int length) {
    int rows = decimals.length();
    byte[] bytes = new byte[rows * length];
    int[] offsets = new int[rows + 1];
    for (int row = 0; row < rows; row++) {
      long high = decimals.high()[decimals.offset() + row];
      long low = decimals.low()[decimals.offset() + row];
      int last = (row + 1) * length - 1;
      for (int i = 0; i < length; i++) {
        bytes[last - i] = (byte) (i < 8 ? low >>> 8 * i : high >> Math.min(63, 8 * (i - 8)));
      }
      offsets[row + 1] = last + 1;
    }
    byte[] validity = decimals.validity();
    return new BytesColumn(
        decimals.type(),
        bytes,
        offsets,
        validity == null
            ? null
            : Arrays.copyOfRange(validity, decimals.offset(), decimals.offset() + rows));
  }

  /** Turns the open page's codes into values; the chunk's later pages have no codes. */
  private void leaveDictionary(BytesDictionary entries) {
    int[] old = codes;
    int values = count;
    dictionary = null;
    finished = entriesBeforePage == 0 ? null : entries;
    codes = new int[0];
    translated = null;
    translation = new int[0];
    data = new byte[Math.toIntExact(pageBytes)];
    ends = new int[old.length];
    count = 0;
    pageBytes = 0;
    for (int i = 0; i < values; i++) {
      appendValue(
          entries.data(), entries.start(old[i]), entries.end(old[i]) - entries.start(old[i]));
    }
  }

  @Override
  PageStatistics statistics(long nulls) {
    if (count == 0) {
      return new PageStatistics(null, null, nulls, 0);
    }
    BytesDictionary entries = dictionary;
    return entries == null ? valueStatistics(nulls) : entryStatistics(entries, nulls);
  }

  private PageStatistics valueStatistics(long nulls) {
    int least = 0;
    int greatest = 0;
    for (int i = 1; i < count; i++) {
      if (compare(data, start(i), ends[i], start(least), ends[least]) < 0) {
        least = i;
      } else if (compare(data, start(i), ends[i], start(greatest), ends[greatest]) > 0) {
        greatest = i;
      }
    }
    return new PageStatistics(
        Arrays.copyOfRange(data, start(least), ends[least]),
        Arrays.copyOfRange(data, start(greatest), ends[greatest]),
        nulls,
        0);
  }

  /** Compares each entry that the page uses once. */
  private PageStatistics entryStatistics(BytesDictionary entries, long nulls) {
    boolean[] used = new boolean[entries.size()];
    for (int i = 0; i < count; i++) {
      used[codes[i]] = true;
    }
    byte[] bytes = entries.data();
    int least = codes[0];
    int greatest = least;
    for (int code = 0; code < used.length; code++) {
      if (!used[code]) {
        continue;
      }
      int start = entries.start(code);
      int end = entries.end(code);
      if (compare(bytes, start, end, entries.start(least), entries.end(least)) < 0) {
        least = code;
      } else if (compare(bytes, start, end, entries.start(greatest), entries.end(greatest)) > 0) {
        greatest = code;
      }
    }
    return new PageStatistics(
        Arrays.copyOfRange(bytes, entries.start(least), entries.end(least)),
        Arrays.copyOfRange(bytes, entries.start(greatest), entries.end(greatest)),
        nulls,
        0);
  }

  private int compare(byte[] bytes, int aStart, int aEnd, int bStart, int bEnd) {
    if (signed && bytes[aStart] != bytes[bStart]) {
      return Byte.compare(bytes[aStart], bytes[bStart]);
    }
    return Arrays.compareUnsigned(bytes, aStart, aEnd, bytes, bStart, bEnd);
  }

  private int start(int value) {
    return value == 0 ? 0 : ends[value - 1];
  }

  @Override
  Encoding encode(ByteSink out) {
    BytesDictionary entries = dictionary;
    Encoding encoding;
    if (entries == null) {
      encoding = encodeValues(out);
    } else if (firstPage
        && count > 0
        && plainBytes() <= codedBytes(entries) + dictionaryPlainBytes(entries, entries.size())) {
      leaveDictionary(entries);
      encoding = encodeValues(out);
    } else {
      encoding = writeCodes(codes, count, entries.size(), out);
      entriesBeforePage = entries.size();
    }
    firstPage &= count == 0;
    count = 0;
    pageBytes = 0;
    return encoding;
  }

  private long codedBytes(BytesDictionary entries) {
    return (long) codeWidth(entries.size()) * count / 8;
  }

  private Encoding encodeValues(ByteSink out) {
    int bytes = count == 0 ? 0 : ends[count - 1];
    if (column.length() > 0) {
      out.write(data, 0, bytes);
      return Encoding.PLAIN;
    }
    int[] lengths = new int[count];
    for (int i = 0; i < count; i++) {
      lengths[i] = ends[i] - start(i);
    }
    delta.encode(lengths, count, out);
    out.write(data, 0, bytes);
    return Encoding.DELTA_LENGTH_BYTE_ARRAY;
  }

  @Override
  int dictionaryEntries() {
    return entriesBeforePage;
  }

  @Override
  void writeDictionary(ByteSink out) {
    BytesDictionary entries = dictionary != null ? dictionary : finished;
    if (entries == null) {
      throw new IllegalStateException("no page of this chunk has a dictionary");
    }
    if (column.length() > 0) {
      out.write(entries.data(), 0, entries.start(entriesBeforePage));
      return;
    }
    for (int code = 0; code < entriesBeforePage; code++) {
      int length = entries.end(code) - entries.start(code);
      out.writeInt(length);
      out.write(entries.data(), entries.start(code), length);
    }
  }

  @Override
  void startChunk() {
    data = new byte[0];
    ends = new int[0];
    codes = new int[0];
    dictionary = dictionaryBytes > 0 ? new BytesDictionary() : null;
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
    if (dictionary == null && needed > ends.length) {
      ends = Arrays.copyOf(ends, Math.max(needed, 2 * ends.length));
    }
  }

  @Override
  long heldBytes() {
    BytesDictionary entries = dictionary != null ? dictionary : finished;
    return data.length
        + 4L * (ends.length + codes.length + translation.length)
        + (entries == null ? 0 : entries.heldBytes());
  }

  @Override
  long estimatedBytes() {
    BytesDictionary entries = dictionary;
    return entries == null
        ? plainBytes()
        : codedBytes(entries) + dictionaryPlainBytes(entries, entries.size());
  }
}
