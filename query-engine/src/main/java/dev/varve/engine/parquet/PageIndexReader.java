package dev.varve.engine.parquet;

import dev.varve.layout.error.VarveException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads the optional parts of a file: page indexes and bloom filters. What is missing, damaged or
 * of an unknown kind is as good as absent: it only means that more is read.
 */
public final class PageIndexReader {
  private static final int MAX_INDEX_BYTES = 64 << 20;
  private static final int MAX_BLOOM_BYTES = 32 << 20;
  private static final int BLOOM_HEADER_BYTES = 256;
  private static final int BLOCK_BYTES = 32;

  private final ParquetInput input;
  private final ParquetFooter footer;
  private final FooterCache cache;

  public PageIndexReader(ParquetInput input, ParquetFooter footer, FooterCache cache) {
    this.input = input;
    this.footer = footer;
    this.cache = cache;
  }

  private record Cached<T>(@Nullable T value, long bytes) {}

  public @Nullable PageLocations locations(int rowGroup, FileColumn column) {
    ColumnChunkMetaData chunk = footer.chunk(rowGroup, column);
    IndexReference reference = chunk.getOffsetIndexReference();
    if (reference == null) {
      return null;
    }
    return this.<PageLocations>cached(
        reference.getOffset(),
        reference.getLength(),
        bytes ->
            PageLocations.of(
                ParquetMetadataConverter.fromParquetOffsetIndex(
                    Util.readOffsetIndex(new ByteArrayInputStream(bytes))),
                chunk.getStartingPos(),
                chunk.getStartingPos() + chunk.getTotalSize(),
                footer.rowGroups().get(rowGroup).getRowCount()));
  }

  public @Nullable ColumnIndex columnIndex(int rowGroup, FileColumn column) {
    IndexReference reference = footer.chunk(rowGroup, column).getColumnIndexReference();
    if (reference == null) {
      return null;
    }
    return this.<ColumnIndex>cached(
        reference.getOffset(),
        reference.getLength(),
        bytes ->
            ParquetMetadataConverter.fromParquetColumnIndex(
                column.primitive(), Util.readColumnIndex(new ByteArrayInputStream(bytes))));
  }

  private interface Parser<T> {
    @Nullable T parse(byte[] bytes) throws IOException;
  }

  private <T> @Nullable T cached(long offset, int length, Parser<T> parser) {
    if (length <= 0 || length > MAX_INDEX_BYTES || offset < 0 || offset + length > input.size()) {
      return null;
    }
    FooterCache.Key key =
        new FooterCache.Key(input.path(), input.size(), offset, PageIndexReader.class);
    @SuppressWarnings("unchecked")
    Cached<T> entry =
        cache.get(key, Cached.class, () -> parse(offset, length, parser), Cached::bytes);
    return entry.value();
  }

  private <T> Cached<T> parse(long offset, int length, Parser<T> parser) {
    byte[] bytes = new byte[length];
    input.readFully(offset, bytes, 0, length);
    try {
      CompactReader.checkStruct(bytes, 0, length);
      return new Cached<>(parser.parse(bytes), 256 + 4L * length);
    } catch (VarveException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      return new Cached<>(null, 64);
    }
  }

  /** The bloom filter of a chunk, if it has one that we understand. */
  public Optional<BloomFilter> bloomFilter(int rowGroup, FileColumn column) {
    long offset = footer.chunk(rowGroup, column).getBloomFilterOffset();
    if (offset < 0 || offset >= input.size()) {
      return Optional.empty();
    }
    FooterCache.Key key =
        new FooterCache.Key(input.path(), input.size(), offset, BloomFilter.class);
    Cached<?> entry = cache.get(key, Cached.class, () -> readBloom(offset), Cached::bytes);
    return Optional.ofNullable((BloomFilter) entry.value());
  }

  private Cached<BloomFilter> readBloom(long offset) {
    int headerBytes = (int) Math.min(BLOOM_HEADER_BYTES, input.size() - offset);
    byte[] header = new byte[headerBytes];
    input.readFully(offset, header, 0, headerBytes);
    try {
      CompactReader.checkStruct(header, 0, headerBytes);
      ByteArrayInputStream stream = new ByteArrayInputStream(header);
      BloomFilterHeader parsed = Util.readBloomFilterHeader(stream);
      int size = parsed.getNumBytes();
      long at = offset + headerBytes - stream.available();
      if (!isUnderstood(parsed)
          || size < BLOCK_BYTES
          || size > MAX_BLOOM_BYTES
          || size % BLOCK_BYTES != 0
          || at + size > input.size()) {
        return new Cached<>(null, 64);
      }
      byte[] bits = new byte[size];
      input.readFully(at, bits, 0, size);
      return new Cached<>(new BlockSplitBloomFilter(bits), size + 128L);
    } catch (VarveException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      return new Cached<>(null, 64);
    }
  }

  private static boolean isUnderstood(BloomFilterHeader header) {
    BloomFilterAlgorithm algorithm = header.getAlgorithm();
    BloomFilterHash hash = header.getHash();
    BloomFilterCompression compression = header.getCompression();
    return algorithm != null
        && algorithm.isSetBLOCK()
        && hash != null
        && hash.isSetXXHASH()
        && compression != null
        && compression.isSetUNCOMPRESSED();
  }
}
