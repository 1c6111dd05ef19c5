package dev.varve.writer.parquet;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * One column chunk, sealed: its pages with their headers, ready to be copied into a file.
 *
 * @param dictionaryPage header and body, or null
 * @param pages the data pages
 * @param distinct how many distinct values there are; -1 if that was not counted
 * @param uncompressedBytes of all pages with their headers, as they were before compression
 * @param compressedBytes of all pages with their headers, as they are in the file
 */
record EncodedChunk(
    ParquetColumn column,
    long rows,
    byte @Nullable [] dictionaryPage,
    List<Page> pages,
    long distinct,
    long uncompressedBytes,
    long compressedBytes,
    Set<Encoding> encodings,
    Map<Encoding, Integer> dataPageEncodings,
    PageStatistics statistics,
    @Nullable BlockSplitBloomFilter bloom) {

  /** A data page: header and body, its rows, and what is known of them. */
  record Page(byte[] bytes, int rows, PageStatistics statistics) {}

  long heldBytes() {
    return compressedBytes + (bloom == null ? 0 : bloom.getBitsetSize());
  }
}
