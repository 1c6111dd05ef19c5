package dev.varve.writer.option;

import java.util.Set;

/**
 * How Parquet files are written. Immutable.
 *
 * @param rowGroupRows most rows of a row group; a batch that straddles the limit is split
 * @param rowGroupBytes encoded bytes at which a row group is sealed, within one batch; {@link
 *     Long#MAX_VALUE} is no limit
 * @param pageRows most rows of a page
 * @param pageBytes most bytes of a page before encoding; a single larger value has a page of its
 *     own
 * @param dictionaryBytes most bytes of a dictionary; 0 writes none
 * @param truncateBytes length at which string and binary bounds are cut in footer and page index
 * @param bloomColumns names of the columns that get a bloom filter
 * @param bloomFpp wanted share of false positives of a bloom filter
 * @param targetFileBytes size at which a file is closed and the next one begun; {@link
 *     Long#MAX_VALUE} is no limit
 */
public record WriterOptions(
    long rowGroupRows,
    long rowGroupBytes,
    int pageRows,
    int pageBytes,
    int dictionaryBytes,
    int truncateBytes,
    Codec codec,
    int compressionLevel,
    Set<String> bloomColumns,
    double bloomFpp,
    long targetFileBytes) {

  public static final WriterOptions DEFAULTS =
      new WriterOptions(
          1_048_576,
          Long.MAX_VALUE,
          20_000,
          1 << 20,
          1 << 20,
          64,
          Codec.ZSTD,
          3,
          Set.of(),
          0.01,
          256L << 20);

  public WriterOptions {
    bloomColumns = Set.copyOf(bloomColumns);
  }

  public WriterOptions withTargetFileBytes(long bytes) {
    return new WriterOptions(
        rowGroupRows,
        rowGroupBytes,
        pageRows,
        pageBytes,
        dictionaryBytes,
        truncateBytes,
        codec,
        compressionLevel,
        bloomColumns,
        bloomFpp,
        bytes);
  }
}
