package dev.varve.writer.parquet;

import dev.varve.writer.option.Codec;
import dev.varve.writer.option.WriterOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;

/**
 * The bytes of one file: magic, the chunks of each row group with their bloom filters, page
 * indexes, footer. Copies what is sealed and encodes nothing. Confined to one task; the stream is
 * the caller's to close.
 */
final class ParquetFileOutput {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT_VERSION = 2;

  private final CountingStream out;
  private final List<ParquetColumn> columns;
  private final WriterOptions options;
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private final List<byte[]> columnIndexes = new ArrayList<>();
  private final List<byte[]> offsetIndexes = new ArrayList<>();
  private final List<ColumnChunk> chunks = new ArrayList<>();
  private List<ColumnChunk> open = new ArrayList<>();
  private long openStart;
  private long openUncompressedBytes;
  private long openCompressedBytes;
  private long rows;
  private long heldBytes;

  ParquetFileOutput(OutputStream out, List<ParquetColumn> columns, WriterOptions options)
      throws IOException {
    this.out = new CountingStream(out);
    this.columns = columns;
    this.options = options;
    this.out.write(MAGIC);
  }

  long position() {
    return out.position();
  }

  /** Bytes of indexes and metadata that wait for the end of the file. */
  long heldBytes() {
    return heldBytes;
  }

  /** Appends the next column's chunk to the open row group. */
  void writeChunk(EncodedChunk chunk) throws IOException {
    long start = out.position();
    if (chunk.dictionaryPage() != null) {
      out.write(chunk.dictionaryPage());
    }
    long data = out.position();
    for (EncodedChunk.Page page : chunk.pages()) {
      out.write(page.bytes());
    }
    ColumnMetaData meta = metaData(chunk, start, data);
    writeBloom(chunk, meta);
    // A chunk's own offset names the place of its metadata, which is in the footer only.
    ColumnChunk entry = new ColumnChunk(0).setMeta_data(meta);
    if (open.isEmpty()) {
      openStart = start;
    }
    open.add(entry);
    chunks.add(entry);
    openUncompressedBytes += chunk.uncompressedBytes();
    openCompressedBytes += chunk.compressedBytes();
    ColumnIndex index = ColumnIndexes.columnIndex(chunk);
    columnIndexes.add(index == null ? new byte[0] : bytes(o -> Util.writeColumnIndex(index, o)));
    offsetIndexes.add(bytes(o -> Util.writeOffsetIndex(ColumnIndexes.offsetIndex(chunk, data), o)));
    heldBytes += columnIndexes.getLast().length + offsetIndexes.getLast().length + 512;
  }

  private ColumnMetaData metaData(EncodedChunk chunk, long start, long data) {
    ParquetColumn column = chunk.column();
    ColumnMetaData meta =
        new ColumnMetaData(
            column.physical(),
            new ArrayList<>(chunk.encodings()),
            List.of(column.name()),
            compression(options.codec()),
            chunk.rows(),
            chunk.uncompressedBytes(),
            chunk.compressedBytes(),
            data);
    List<PageEncodingStats> encodings = new ArrayList<>();
    if (chunk.dictionaryPage() != null) {
      meta.setDictionary_page_offset(start);
      encodings.add(
          new PageEncodingStats(
              PageType.DICTIONARY_PAGE, org.apache.parquet.format.Encoding.PLAIN, 1));
    }
    chunk
        .dataPageEncodings()
        .forEach(
            (encoding, count) ->
                encodings.add(new PageEncodingStats(PageType.DATA_PAGE_V2, encoding, count)));
    meta.setEncoding_stats(encodings);
    Statistics statistics =
        StatisticsWriter.write(
            column, ValueOrder.of(column), chunk.statistics(), options.truncateBytes());
    if (chunk.distinct() >= 0) {
      statistics.setDistinct_count(chunk.distinct());
    }
    meta.setStatistics(statistics);
    return meta;
  }

  private static CompressionCodec compression(Codec codec) {
    return CompressionCodec.valueOf(codec.name());
  }

  private void writeBloom(EncodedChunk chunk, ColumnMetaData meta) throws IOException {
    if (chunk.bloom() == null) {
      return;
    }
    long start = out.position();
    Util.writeBloomFilterHeader(
        new BloomFilterHeader(
            chunk.bloom().getBitsetSize(),
            BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
            BloomFilterHash.XXHASH(new XxHash()),
            BloomFilterCompression.UNCOMPRESSED(new Uncompressed())),
        out);
    chunk.bloom().writeTo(out);
    meta.setBloom_filter_offset(start);
    meta.setBloom_filter_length((int) (out.position() - start));
  }

  /** Completes the open row group; answers where its data begins. */
  long endRowGroup(long rowCount) {
    RowGroup group = new RowGroup(open, openUncompressedBytes, rowCount);
    group.setFile_offset(openStart);
    group.setTotal_compressed_size(openCompressedBytes);
    if (rowGroups.size() <= Short.MAX_VALUE) {
      group.setOrdinal((short) rowGroups.size());
    }
    rowGroups.add(group);
    rows += rowCount;
    open = new ArrayList<>();
    openUncompressedBytes = 0;
    openCompressedBytes = 0;
    return openStart;
  }

  /**
   * Writes page indexes and footer.
   *
   * @param sorting what every row group was checked to be sorted by; may be empty
   */
  void finish(List<SortingColumn> sorting, Map<String, String> metadata) throws IOException {
    writeIndexes();
    if (!sorting.isEmpty()) {
      rowGroups.forEach(group -> group.setSorting_columns(sorting));
    }
    FileMetaData footer =
        new FileMetaData(FORMAT_VERSION, ParquetColumns.elements(columns), rows, rowGroups);
    footer.setCreated_by("varve version 0.1.0");
    footer.setColumn_orders(
        columns.stream().map(c -> ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())).toList());
    List<KeyValue> pairs = new ArrayList<>();
    new TreeMap<>(metadata).forEach((key, value) -> pairs.add(new KeyValue(key).setValue(value)));
    if (!pairs.isEmpty()) {
      footer.setKey_value_metadata(pairs);
    }
    long start = out.position();
    Util.writeFileMetaData(footer, out);
    ByteSink length = new ByteSink(4);
    length.writeInt(Math.toIntExact(out.position() - start));
    out.write(length.toByteArray());
    out.write(MAGIC);
  }

  private void writeIndexes() throws IOException {
    for (int i = 0; i < chunks.size(); i++) {
      byte[] index = columnIndexes.get(i);
      if (index.length > 0) {
        chunks.get(i).setColumn_index_offset(out.position());
        chunks.get(i).setColumn_index_length(index.length);
        out.write(index);
      }
    }
    for (int i = 0; i < chunks.size(); i++) {
      byte[] index = offsetIndexes.get(i);
      chunks.get(i).setOffset_index_offset(out.position());
      chunks.get(i).setOffset_index_length(index.length);
      out.write(index);
    }
  }

  private interface Serializer {
    void write(OutputStream out) throws IOException;
  }

  private static byte[] bytes(Serializer serializer) throws IOException {
    ByteSink sink = new ByteSink(256);
    serializer.write(sink);
    return sink.toByteArray();
  }

  /** Counts what has been written. */
  private static final class CountingStream extends OutputStream {
    private final OutputStream stream;
    private long position;

    CountingStream(OutputStream stream) {
      this.stream = stream;
    }

    long position() {
      return position;
    }

    @Override
    public void write(int value) throws IOException {
      stream.write(value);
      position++;
    }

    @Override
    public void write(byte[] source, int offset, int count) throws IOException {
      stream.write(source, offset, count);
      position += count;
    }
  }
}
