package dev.varve.writer.compact;

import dev.varve.engine.config.EngineSettings;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.writer.option.OptionReader;
import dev.varve.writer.option.WriterOptions;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What a call asks for.
 *
 * @param minFileBytes smaller files are worth merging
 * @param maxMergeFiles how deep files may overlap that are merged at once: each needs buffers
 * @param writer how the new files are written
 */
record CompactionOptions(long minFileBytes, int maxMergeFiles, WriterOptions writer) {
  private static final String MIN_FILE_BYTES = "min_file_bytes";
  private static final String MAX_MERGE_FILES = "max_merge_files";
  private static final int DEFAULT_MERGE_FILES = 16;

  /**
   * Reads {@code name = value, ...} over the options of the table.
   *
   * @throws VarveException INVALID_PARAMETER
   */
  static CompactionOptions read(String text, WriterOptions table, Collection<String> columns) {
    Map<String, String> given = OptionReader.parseList(text);
    WriterOptions writer =
        OptionReader.read(given, columns, table, Set.of(MIN_FILE_BYTES, MAX_MERGE_FILES));
    long target = writer.targetFileBytes();
    String minimum = given.get(MIN_FILE_BYTES);
    String merge = given.get(MAX_MERGE_FILES);
    return new CompactionOptions(
        minimum == null ? target / 4 * 3 : positive(MIN_FILE_BYTES, minimum, 0),
        merge == null
            ? DEFAULT_MERGE_FILES
            : (int) Math.min(4096, positive(MAX_MERGE_FILES, merge, 2)),
        writer);
  }

  private static long positive(String name, String value, long least) {
    try {
      long bytes = EngineSettings.parseBytes(value);
      if (bytes >= least) {
        return bytes;
      }
      throw new IllegalArgumentException("it must be at least " + least);
    } catch (IllegalArgumentException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "option '" + name + "' cannot be '" + value + "': " + e.getMessage(),
          e);
    }
  }
}
