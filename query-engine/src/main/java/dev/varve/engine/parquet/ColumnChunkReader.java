package dev.varve.engine.parquet;

import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.PhysicalType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Reads one flat column of one row group forward, as columns of as many rows as are asked for. Rows
 * are passed over lazily: a page whose rows are all passed over is neither decompressed nor, if its
 * place is known, read. Confined to one task.
 */
public final class ColumnChunkReader implements AutoCloseable {
  /** A page may be this large whatever its chunk's size says. */
  private static final int UNSUSPICIOUS_PAGE_BYTES = 64 << 20;

  private static final int FIRST_HEADER_BYTES = 512;

  /** Byte arrays are picked one by one where fewer than one row in so many is selected. */
  private static final int SPARSE = 4;

  private final String path;
  private final int rowGroup;
  private final FileColumn column;
  private final DataType type;
  private final PrimitiveType physical;
  private final CompressionCodecName codec;
  private final long uncompressedLimit;
  private final long rows;
  private final ScanBuffers buffers;
  private final ChunkInput input;
  private final @Nullable PageLocations locations;
  private final ValueConversion conversion;
  private final ColumnAssembler flat;
  private final CodedAssembler assembler;
  private final boolean text;

  /** The offset of the header after the current page. */
  private long position;

  /** The row that the next read starts with. */
  private long row;

  /** Rows [.., pageEnd) are in the current page or before it; decoders stand at {@code decoded}. */
  private long pageEnd;

  private long decoded;
  private @Nullable PageHeader page;
  private long pageAt;
  private @Nullable PageDecoder values;
  private LevelDecoder levels = LevelDecoder.required();

  private @Nullable PageHeader dictionaryPage;
  private long dictionaryAt;
  private boolean firstPageSeen;
  private int dictionaryEntries = -1;
  private long dictionaryBytes;

  private byte[] scratch = new byte[0];
  private byte[] mask = new byte[0];
  private int[] picked = new int[0];

  ColumnChunkReader(
      ParquetFooter footer,
      int rowGroup,
      FileColumn column,
      DataType type,
      ChunkInput input,
      @Nullable PageLocations locations,
      ScanBuffers buffers) {
    ColumnChunkMetaData chunk = footer.chunk(rowGroup, column);
    this.path = footer.path();
    this.rowGroup = rowGroup;
    this.column = column;
    this.type = type;
    this.physical = column.primitive();
    this.codec = chunk.getCodec();
    this.uncompressedLimit = Math.max(UNSUSPICIOUS_PAGE_BYTES, chunk.getTotalUncompressedSize());
    this.rows = footer.rowGroups().get(rowGroup).getRowCount();
    this.buffers = buffers;
    this.input = input;
    this.locations = locations;
    this.position = chunk.getStartingPos();
    Decompressor.check(codec, column.name(), path);
    this.conversion = ValueConversion.of(path, column, type);
    this.flat = ColumnAssembler.of(type, conversion);
    this.assembler = new CodedAssembler(flat);
    this.text = type.physical() == PhysicalType.BYTES;
    // Without a dictionary before the first data page, reading may start at any page.
    this.firstPageSeen = locations != null && locations.offset(0) == position;
  }

  ChunkInput input() {
    return input;
  }

  /** Passes over rows. */
  public void skip(long count) {
    row += count;
    if (row > rows) {
      throw new IllegalStateException("row " + row + " of " + rows);
    }
  }

  /** The row that the next read starts with, within the row group. */
  public long row() {
    return row;
  }

  /** The next {@code count} rows; byte arrays may be dictionary encoded. */
  public Column read(int count) {
    return read(count, text);
  }

  /** The next {@code count} rows, dictionary encoded if the file's pages are. */
  public Column readEncoded(int count) {
    return read(count, true);
  }

  /**
   * Of the next {@code count} rows those at {@code rows[0..selected)}, ascending; byte arrays may
   * be dictionary encoded.
   */
  public Column readSelected(int count, int[] rows, int selected) {
    return text && selected < count / SPARSE
        ? guarded(count, () -> readSparse(count, rows, selected))
        : read(count, text).take(rows, selected);
  }

  private interface Reading {
    Column read();
  }

  private Column read(int count, boolean keepCodes) {
    return guarded(count, () -> readRows(count, keepCodes));
  }

  private Column guarded(int count, Reading reading) {
    if (row + count > rows) {
      throw new IllegalStateException("rows " + row + " to " + (row + count) + " of " + rows);
    }
    try {
      return reading.read();
    } catch (CorruptPageException e) {
      throw corrupt(e.getMessage(), e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw corrupt("a page contradicts itself: " + e.getMessage(), e);
    }
  }

  private Column readRows(int count, boolean keepCodes) {
    assembler.begin(count, keepCodes);
    boolean required = !column.optional();
    if (!required && mask.length < count) {
      mask = new byte[count];
    }
    boolean nulls = false;
    int done = 0;
    while (done < count) {
      PageDecoder decoder = decoderAtRow();
      int n = (int) Math.min(count - done, pageEnd - row);
      // The mask is written only once a null has been seen.
      boolean whole = required || levels.passValues(n);
      int present = whole ? n : levels.read(mask, done, n);
      if (present > 0) {
        assembler.decode(decoder, done, present);
      }
      if (present < n) {
        if (!nulls) {
          Arrays.fill(mask, 0, done, (byte) 1);
          nulls = true;
        }
        assembler.spread(done, n, present, mask);
      } else if (nulls && whole) {
        Arrays.fill(mask, done, done + n, (byte) 1);
      }
      row += n;
      decoded = row;
      done += n;
    }
    return assembler.finish(nulls ? Arrays.copyOf(mask, count) : null);
  }

  /** Copies only what is selected, where that is not done on codes. */
  private Column readSparse(int count, int[] rows, int selected) {
    PageDecoder decoder = decoderAtRow();
    if (row + count > pageEnd
        || decoder instanceof DictionaryDecoder
        || !(flat instanceof BytesAssembler values)) {
      return readRows(count, text).take(rows, selected);
    }
    values.begin(selected);
    int present = count;
    if (column.optional() && !levels.passValues(count)) {
      if (mask.length < count) {
        mask = new byte[count];
      }
      present = levels.read(mask, 0, count);
    }
    row += count;
    decoded = row;
    if (present == count) {
      values.decodePicked(decoder, rows, selected, present);
      return values.finish(selected, null);
    }
    byte[] validity = new byte[selected];
    int valid = placesOfValues(rows, selected, validity);
    values.decodePicked(decoder, picked, valid, present);
    values.spread(0, selected, valid, validity);
    return values.finish(selected, validity);
  }

  /** Which of the page's values the selected rows have, into {@link #picked}; how many have one. */
  private int placesOfValues(int[] rows, int selected, byte[] validity) {
    if (picked.length < selected) {
      picked = new int[selected];
    }
    int place = 0;
    int valid = 0;
    int at = 0;
    for (int i = 0; i < selected; i++) {
      for (; at < rows[i]; at++) {
        place += mask[at];
      }
      validity[i] = mask[at];
      picked[valid] = place;
      valid += mask[at];
    }
    return valid;
  }

  /** The decoder of the page that holds {@link #row}, standing there. */
  private PageDecoder decoderAtRow() {
    while (row >= pageEnd) {
      nextPage();
    }
    PageDecoder decoder = values;
    if (decoder == null) {
      decoder = load();
      values = decoder;
    }
    if (decoded < row) {
      int present = levels.skip((int) (row - decoded));
      decoder.skip(present);
      decoded = row;
    }
    return decoder;
  }

  private void nextPage() {
    values = null;
    page = null;
    PageLocations places = locations;
    int located = -1;
    if (firstPageSeen && places != null) {
      located = places.pageOf(row);
      position = places.offset(located);
      pageEnd = places.firstRow(located);
    }
    if (input.isEnd(position)) {
      throw new CorruptPageException(
          "its pages hold " + pageEnd + " rows, but the row group has " + rows);
    }
    PageHeader header = header(position);
    long at = position + header.headerBytes();
    if (header.compressedBytes() > input.left(at)) {
      throw new CorruptPageException(
          "a page has "
              + header.compressedBytes()
              + " bytes, but its column chunk only "
              + input.left(at));
    }
    if (header.uncompressedBytes() > uncompressedLimit) {
      throw new CorruptPageException(
          "a page has "
              + header.uncompressedBytes()
              + " uncompressed bytes, more than its column chunk");
    }
    boolean first = !firstPageSeen;
    firstPageSeen = true;
    position = at + header.compressedBytes();
    switch (header.kind()) {
      case DICTIONARY -> {
        if (!first) {
          throw new CorruptPageException("a dictionary page follows a data page");
        }
        dictionaryPage = header;
        dictionaryAt = at;
        if (locations != null) {
          // Now, while its bytes are at hand: the next page may be far away.
          loadDictionary();
        }
      }
      case OTHER -> {}
      case DATA_V1, DATA_V2 -> {
        if (header.values() > rows - pageEnd) {
          throw new CorruptPageException(
              "its pages hold more than the " + rows + " rows of the row group");
        }
        if (located >= 0
            && places != null
            && header.values() != places.endRow(located) - places.firstRow(located)) {
          throw new CorruptPageException(
              "a page has "
                  + header.values()
                  + " rows, but the page index says "
                  + (places.endRow(located) - places.firstRow(located)));
        }
        page = header;
        pageAt = at;
        decoded = pageEnd;
        pageEnd += header.values();
      }
    }
  }

  private PageHeader header(long at) {
    long left = input.left(at);
    int size = (int) Math.min(left, FIRST_HEADER_BYTES);
    while (true) {
      input.ensure(at, size);
      try {
        int from = input.index(at);
        return PageHeader.parse(input.buffer(), from, input.readableEnd());
      } catch (CorruptPageException e) {
        // Statistics in a header may make it long: look at more before giving up.
        if (size == left || size > UNSUSPICIOUS_PAGE_BYTES) {
          throw e;
        }
        size = (int) Math.min(left, size * 8L);
      }
    }
  }

  private PageDecoder load() {
    PageHeader header = page;
    if (header == null) {
      throw new IllegalStateException("no page");
    }
    if (isCoded(header.encoding())) {
      loadDictionary();
    }
    verifyChecksum(header, pageAt);
    return switch (header.kind()) {
      case DATA_V1 -> loadV1(header);
      case DATA_V2 -> loadV2(header);
      case DICTIONARY, OTHER -> throw new IllegalStateException("no data page");
    };
  }

  private PageDecoder loadV1(PageHeader header) {
    Bytes bytes =
        uncompressed(header, pageAt, header.compressedBytes(), header.uncompressedBytes());
    int from = bytes.from;
    if (column.optional()) {
      if (header.definitionEncoding() == PageHeader.BIT_PACKED) {
        int length = (header.values() + 7) / 8;
        checkLength(length, bytes.to - from);
        levels = LevelDecoder.bitPacked(bytes.buffer, from);
        from += length;
      } else {
        checkLength(4, bytes.to - from);
        int length = littleEndian(bytes.buffer, from);
        checkLength(length, bytes.to - from - 4);
        levels = LevelDecoder.rle(bytes.buffer, from + 4, from + 4 + length);
        from += 4 + length;
      }
    }
    return decoder(header.encoding(), bytes.buffer, from, bytes.to);
  }

  private PageDecoder loadV2(PageHeader header) {
    int levelBytes = header.definitionBytes() + header.repetitionBytes();
    input.ensure(pageAt, header.compressedBytes());
    byte[] levelCopy = new byte[0];
    if (column.optional()) {
      int at = input.index(pageAt) + header.repetitionBytes();
      levelCopy =
          Arrays.copyOfRange(input.buffer(), at, at + header.definitionBytes() + RleDecoder.SLACK);
    }
    int uncompressedValues = header.uncompressedBytes() - levelBytes;
    if (uncompressedValues < 0) {
      throw new CorruptPageException("a page's levels are longer than the page");
    }
    Bytes bytes;
    int compressedValues = header.compressedBytes() - levelBytes;
    if (!header.compressed() || compressedValues == 0) {
      int at = input.index(pageAt + levelBytes);
      bytes = new Bytes(input.buffer(), at, at + compressedValues);
    } else {
      bytes = uncompressed(header, pageAt + levelBytes, compressedValues, uncompressedValues);
    }
    if (column.optional()) {
      levels = LevelDecoder.rle(levelCopy, 0, header.definitionBytes());
    }
    return decoder(header.encoding(), bytes.buffer, bytes.from, bytes.to);
  }

  private record Bytes(byte[] buffer, int from, int to) {}

  private Bytes uncompressed(PageHeader header, long at, int compressed, int uncompressed) {
    input.ensure(at, compressed);
    int from = input.index(at);
    if (codec == CompressionCodecName.UNCOMPRESSED) {
      return new Bytes(input.buffer(), from, from + compressed);
    }
    if (compressed == 0 && uncompressed == 0) {
      return new Bytes(input.buffer(), from, from);
    }
    if (scratch.length < uncompressed + RleDecoder.SLACK) {
      giveScratchBack();
      scratch = buffers.borrow(uncompressed + RleDecoder.SLACK);
    }
    boolean bytes = physical.getPrimitiveTypeName() == PrimitiveTypeName.BINARY;
    Decompressor.decompress(
        codec,
        bytes && !isCoded(header),
        input.buffer(),
        from,
        compressed,
        scratch,
        0,
        uncompressed);
    input.passed(at + compressed);
    return new Bytes(scratch, 0, uncompressed);
  }

  private void verifyChecksum(PageHeader header, long at) {
    input.ensure(at, header.compressedBytes());
    if (header.hasCrc()) {
      CRC32 crc = new CRC32();
      crc.update(input.buffer(), input.index(at), header.compressedBytes());
      if ((int) crc.getValue() != header.crc()) {
        throw new CorruptPageException("the checksum of a page at offset " + at + " is wrong");
      }
    }
  }

  private PageDecoder decoder(int encoding, byte[] buffer, int from, int to) {
    return switch (encoding) {
      case PageHeader.PLAIN -> new PlainDecoder(buffer, from, to, width());
      case PageHeader.PLAIN_DICTIONARY, PageHeader.RLE_DICTIONARY ->
          new DictionaryDecoder(buffer, from, to, dictionaryEntries);
      case PageHeader.RLE -> new RleBooleanDecoder(buffer, from, to);
      case PageHeader.DELTA_BINARY_PACKED ->
          from == to
              ? new PlainDecoder(buffer, from, to, width())
              : new DeltaBinaryDecoder(buffer, from, to);
      case PageHeader.DELTA_LENGTH_BYTE_ARRAY ->
          from == to
              ? new PlainDecoder(buffer, from, to, width())
              : new DeltaLengthDecoder(buffer, from, to);
      case PageHeader.DELTA_BYTE_ARRAY ->
          from == to
              ? new PlainDecoder(buffer, from, to, width())
              : new DeltaByteArrayDecoder(buffer, from, to);
      case PageHeader.BYTE_STREAM_SPLIT -> new ByteStreamSplitDecoder(buffer, from, to, width());
      default ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED,
              where() + "a page has encoding " + encoding + ", which is not supported");
    };
  }

  private int width() {
    return switch (physical.getPrimitiveTypeName()) {
      case BOOLEAN -> PlainDecoder.BITS;
      case INT32, FLOAT -> 4;
      case INT64, DOUBLE -> 8;
      case INT96 -> 12;
      case BINARY -> PlainDecoder.VARIABLE;
      case FIXED_LEN_BYTE_ARRAY -> {
        if (physical.getTypeLength() <= 0) {
          throw new CorruptPageException("its values have " + physical.getTypeLength() + " bytes");
        }
        yield physical.getTypeLength();
      }
    };
  }

  private static boolean isCoded(int encoding) {
    return encoding == PageHeader.PLAIN_DICTIONARY || encoding == PageHeader.RLE_DICTIONARY;
  }

  private static boolean isCoded(PageHeader header) {
    return header.kind() != PageHeader.Kind.DICTIONARY && isCoded(header.encoding());
  }

  private void loadDictionary() {
    if (dictionaryEntries >= 0) {
      return;
    }
    PageHeader header = dictionaryPage;
    if (header == null) {
      // A chunk of nulls only may be said to be coded: nothing in it refers to an entry.
      dictionaryEntries = 0;
      return;
    }
    if (header.encoding() != PageHeader.PLAIN && header.encoding() != PageHeader.PLAIN_DICTIONARY) {
      throw new CorruptPageException("its dictionary has encoding " + header.encoding());
    }
    verifyChecksum(header, dictionaryAt);
    Bytes bytes =
        uncompressed(header, dictionaryAt, header.compressedBytes(), header.uncompressedBytes());
    int width = width();
    long least =
        width == PlainDecoder.VARIABLE
            ? 4L * header.values()
            : width == PlainDecoder.BITS ? header.values() / 8 : (long) width * header.values();
    if (least > bytes.to - bytes.from) {
      throw new CorruptPageException(
          "its dictionary should have "
              + header.values()
              + " entries, but has "
              + (bytes.to - bytes.from)
              + " bytes");
    }
    long size = bytes.to - bytes.from + 8L * header.values();
    buffers.reserve(size);
    dictionaryBytes = size;
    ColumnAssembler entries = ColumnAssembler.of(type, conversion);
    entries.begin(header.values());
    entries.decode(new PlainDecoder(bytes.buffer, bytes.from, bytes.to, width), 0, header.values());
    assembler.dictionary(entries.finish(header.values(), null));
    dictionaryEntries = header.values();
  }

  private static void checkLength(int length, int available) {
    if (length < 0 || length > available) {
      throw new CorruptPageException(
          "a page's levels need " + length + " bytes, but it has " + available);
    }
  }

  private static int littleEndian(byte[] buffer, int at) {
    return (buffer[at] & 0xff)
        | (buffer[at + 1] & 0xff) << 8
        | (buffer[at + 2] & 0xff) << 16
        | (buffer[at + 3] & 0xff) << 24;
  }

  private String where() {
    return path + ", row group " + rowGroup + ", column " + column.name() + ": ";
  }

  private VarveException corrupt(@Nullable String what, Exception cause) {
    return new VarveException(ErrorCode.FILE_CORRUPT, where() + what, cause);
  }

  @Override
  public void close() {
    input.close();
    giveScratchBack();
    buffers.release(dictionaryBytes);
    dictionaryBytes = 0;
    values = null;
  }

  private void giveScratchBack() {
    byte[] old = scratch;
    scratch = new byte[0];
    if (old.length > 0) {
      buffers.giveBack(old);
    }
  }
}
