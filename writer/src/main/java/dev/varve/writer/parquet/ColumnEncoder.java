package dev.varve.writer.parquet;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.writer.option.WriterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one leaf column, chunk after chunk. Confined to one task at a time; what it makes depends
 * on the values alone, not on how they were cut into batches.
 *
 * <p>Pages are data pages of version 2: definition levels lie uncompressed before the values, and a
 * page that compression does not make at least a sixteenth smaller is stored as it is, which delta
 * encoded pages often are.
 */
final class ColumnEncoder {
  private final ParquetColumn column;
  private final WriterOptions options;
  private final Compressors compressors;
  private final ValueOrder order;
  private final @Nullable BloomHashes bloom;
  private final PageValues values;

  /** 1 for a value, 0 for a null, of the open page's rows; unused if the column is required. */
  private byte[] validity = new byte[0];

  private int pageRows;
  private int pageNulls;

  private ByteSink levels = new ByteSink(16);
  private ByteSink body = new ByteSink(0);
  private ByteSink compressed = new ByteSink(0);

  private List<EncodedChunk.Page> pages = new ArrayList<>();
  private long rows;
  private long uncompressedBytes;
  private long compressedBytes;
  private Map<Encoding, Integer> pageEncodings = new EnumMap<>(Encoding.class);
  private PageStatistics chunkStatistics = PageStatistics.NONE;

  ColumnEncoder(ParquetColumn column, WriterOptions options, Compressors compressors) {
    this.column = column;
    this.options = options;
    this.compressors = compressors;
    this.order = ValueOrder.of(column);
    this.bloom =
        options.bloomColumns().contains(column.name()) && order != ValueOrder.BOOLEAN
            ? new BloomHashes(options.bloomFpp())
            : null;
    this.values = PageValues.of(column, options.dictionaryBytes(), bloom);
  }

  /** Adds all rows of a column; a null in a required column is the caller's fault. */
  void append(Column source) {
    if (source instanceof ConstantColumn constant && constant.isNull(0)) {
      appendNulls(source.length());
      return;
    }
    Column rest = source instanceof ConstantColumn ? source.flat() : unwrap(source);
    int from = 0;
    while (from < rest.length()) {
      int count = Math.min(rest.length() - from, options.pageRows() - pageRows);
      count = values.fit(rest, from, count, options.pageBytes());
      if (count == 0 && pageRows > 0) {
        endPage();
        continue;
      }
      count = Math.max(count, 1);
      appendLevels(rest, from, count);
      values.append(rest, from, count);
      from += count;
      if (pageRows == options.pageRows()) {
        endPage();
      }
    }
  }

  /** Codes are of use only where the column may have a dictionary of its own. */
  private Column unwrap(Column source) {
    boolean keepsCodes =
        source instanceof DictionaryColumn
            && order != ValueOrder.BOOLEAN
            && order != ValueOrder.SIGNED_BYTES;
    return keepsCodes ? source : source.flat();
  }

  private void appendNulls(int count) {
    int left = count;
    while (left > 0) {
      int now = Math.min(left, options.pageRows() - pageRows);
      reserveLevels(now);
      Arrays.fill(validity, pageRows, pageRows + now, (byte) 0);
      pageRows += now;
      pageNulls += now;
      left -= now;
      if (pageRows == options.pageRows()) {
        endPage();
      }
    }
  }

  private void appendLevels(Column source, int from, int count) {
    if (!column.required()) {
      reserveLevels(count);
      byte[] mask = source.validity();
      if (mask == null) {
        Arrays.fill(validity, pageRows, pageRows + count, (byte) 1);
      } else {
        System.arraycopy(mask, source.offset() + from, validity, pageRows, count);
        int valid = 0;
        for (int i = pageRows; i < pageRows + count; i++) {
          valid += validity[i];
        }
        pageNulls += count - valid;
      }
    }
    pageRows += count;
  }

  private void reserveLevels(int count) {
    if (pageRows + count > validity.length) {
      validity =
          Arrays.copyOf(
              validity, Math.clamp(2L * validity.length, pageRows + count, options.pageRows()));
    }
  }

  /** Completes the chunk and begins the next. */
  EncodedChunk seal() {
    if (pageRows > 0) {
      endPage();
    }
    byte[] dictionaryPage = values.dictionaryEntries() == 0 ? null : dictionaryPage();
    Set<Encoding> encodings = EnumSet.noneOf(Encoding.class);
    encodings.addAll(pageEncodings.keySet());
    encodings.add(Encoding.RLE);
    if (dictionaryPage != null) {
      encodings.add(Encoding.PLAIN);
    }
    EncodedChunk chunk =
        new EncodedChunk(
            column,
            rows,
            dictionaryPage,
            pages,
            distinct(),
            uncompressedBytes,
            compressedBytes,
            encodings,
            pageEncodings,
            chunkStatistics,
            bloom == null ? null : bloom.build());
    startChunk();
    return chunk;
  }

  /** The dictionary's entries, if all pages are made of them. */
  private long distinct() {
    boolean allCodes =
        pageEncodings.keySet().equals(EnumSet.of(Encoding.RLE_DICTIONARY))
            && values.dictionaryEntries() > 0;
    return allCodes ? values.dictionaryEntries() : -1;
  }

  private void startChunk() {
    values.startChunk();
    validity = new byte[0];
    levels = new ByteSink(16);
    body = new ByteSink(0);
    compressed = new ByteSink(0);
    pages = new ArrayList<>();
    pageEncodings = new EnumMap<>(Encoding.class);
    chunkStatistics = PageStatistics.NONE;
    rows = 0;
    uncompressedBytes = 0;
    compressedBytes = 0;
  }

  private void endPage() {
    PageStatistics statistics = values.statistics(pageNulls);
    levels.reset();
    if (!column.required()) {
      encodeLevels();
    }
    body.reset();
    int valueCount = values.count();
    Encoding encoding = values.encode(body);
    boolean smaller = valueCount > 0 && compress();
    ByteSink stored = smaller ? compressed : body;
    DataPageHeaderV2 header =
        new DataPageHeaderV2(pageRows, pageNulls, pageRows, encoding, levels.size(), 0);
    header.setIs_compressed(smaller);
    header.setStatistics(
        StatisticsWriter.write(column, order, statistics, options.truncateBytes()));
    PageHeader page =
        new PageHeader(
            PageType.DATA_PAGE_V2, levels.size() + body.size(), levels.size() + stored.size());
    page.setData_page_header_v2(header);
    byte[] bytes = join(page, levels, stored);
    pages.add(
        new EncodedChunk.Page(
            bytes,
            pageRows,
            StatisticsWriter.truncate(column, statistics, options.truncateBytes())));
    compressedBytes += bytes.length;
    uncompressedBytes += bytes.length - stored.size() + body.size();
    pageEncodings.merge(encoding, 1, Integer::sum);
    chunkStatistics = chunkStatistics.merge(statistics, order);
    rows += pageRows;
    pageRows = 0;
    pageNulls = 0;
  }

  private void encodeLevels() {
    if (pageNulls == 0 || pageNulls == pageRows) {
      RunLength.encodeRun(pageNulls == 0 ? 1 : 0, pageRows, 1, levels);
      return;
    }
    int[] wide = new int[pageRows + 8];
    for (int i = 0; i < pageRows; i++) {
      wide[i] = validity[i];
    }
    RunLength.encode(wide, pageRows, 1, levels);
  }

  /** Compresses the body; false if it is hardly smaller for it. */
  private boolean compress() {
    compressed.reset();
    try {
      compressors.compress(body.array(), 0, body.size(), compressed);
    } catch (IOException e) {
      throw new UncheckedIOException("compressing a page of column " + column.name(), e);
    }
    return compressed.size() <= body.size() - body.size() / 16 - 1;
  }

  private byte[] dictionaryPage() {
    body.reset();
    values.writeDictionary(body);
    compressed.reset();
    try {
      compressors.compress(body.array(), 0, body.size(), compressed);
    } catch (IOException e) {
      throw new UncheckedIOException("compressing the dictionary of " + column.name(), e);
    }
    PageHeader page = new PageHeader(PageType.DICTIONARY_PAGE, body.size(), compressed.size());
    page.setDictionary_page_header(
        new DictionaryPageHeader(values.dictionaryEntries(), Encoding.PLAIN));
    levels.reset();
    byte[] bytes = join(page, levels, compressed);
    compressedBytes += bytes.length;
    uncompressedBytes += bytes.length - compressed.size() + body.size();
    return bytes;
  }

  /** A page with its checksum, which covers all bytes behind the header as they are stored. */
  private static byte[] join(PageHeader header, ByteSink levels, ByteSink body) {
    CRC32 checksum = new CRC32();
    checksum.update(levels.array(), 0, levels.size());
    checksum.update(body.array(), 0, body.size());
    header.setCrc((int) checksum.getValue());
    ByteSink page = new ByteSink(128 + levels.size() + body.size());
    try {
      Util.writePageHeader(header, page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    page.write(levels.array(), 0, levels.size());
    page.write(body.array(), 0, body.size());
    return page.toByteArray();
  }

  /** Bytes that this holds in memory, sealed pages of the open chunk included. */
  long heldBytes() {
    return compressedBytes
        + values.heldBytes()
        + validity.length
        + levels.capacity()
        + body.capacity()
        + compressed.capacity()
        + (bloom == null ? 0 : bloom.heldBytes());
  }

  /** What the open chunk would about have in the file if it were sealed now. */
  long estimatedBytes() {
    double ratio =
        uncompressedBytes == 0 ? 1 : Math.min(1, (double) compressedBytes / uncompressedBytes);
    return compressedBytes + (long) (ratio * values.estimatedBytes());
  }
}
