package dev.varve.writer.option;

import java.util.Set;

/** Collects options by name; confined to one thread. */
final class WriterOptionsBuilder {
  long rowGroupRows;
  long rowGroupBytes;
  int pageRows;
  int pageBytes;
  int dictionaryBytes;
  int truncateBytes;
  Codec codec;
  int compressionLevel;
  Set<String> bloomColumns;
  double bloomFpp;
  long targetFileBytes;

  WriterOptionsBuilder(WriterOptions from) {
    rowGroupRows = from.rowGroupRows();
    rowGroupBytes = from.rowGroupBytes();
    pageRows = from.pageRows();
    pageBytes = from.pageBytes();
    dictionaryBytes = from.dictionaryBytes();
    truncateBytes = from.truncateBytes();
    codec = from.codec();
    compressionLevel = from.compressionLevel();
    bloomColumns = from.bloomColumns();
    bloomFpp = from.bloomFpp();
    targetFileBytes = from.targetFileBytes();
  }

  WriterOptions build() {
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
        targetFileBytes);
  }
}
