package dev.varve.writer.option;

import dev.varve.engine.config.EngineSettings;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One option: its short name in WITH, and the Iceberg table property it is stored as. {@code
 * bloom_columns} and {@code bloom_fpp} are stored per column: the column's name follows the
 * property's.
 */
enum WriterOption {
  ROW_GROUP_ROWS("row_group_rows", "write.parquet.row-group-row-limit") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.rowGroupRows = number(value, 1, Integer.MAX_VALUE);
    }
  },
  ROW_GROUP_BYTES("row_group_bytes", "write.parquet.row-group-size-bytes") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.rowGroupBytes = bytes(value, 1024, Long.MAX_VALUE);
    }
  },
  PAGE_ROWS("page_rows", "write.parquet.page-row-limit") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.pageRows = (int) number(value, 1, 1 << 24);
    }
  },
  PAGE_BYTES("page_bytes", "write.parquet.page-size-bytes") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.pageBytes = (int) bytes(value, 64, 1 << 28);
    }
  },
  DICTIONARY_BYTES("dictionary_bytes", "write.parquet.dict-size-bytes") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.dictionaryBytes = (int) bytes(value, 0, 1 << 28);
    }
  },
  TRUNCATE("truncate", "write.parquet.statistics-truncate-length") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.truncateBytes = (int) number(value, 1, 1 << 20);
    }
  },
  COMPRESSION("compression", "write.parquet.compression-codec") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.codec = codec(value);
    }
  },
  COMPRESSION_LEVEL("compression_level", "write.parquet.compression-level") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.compressionLevel = (int) number(value, 1, 22);
    }
  },
  BLOOM_COLUMNS("bloom_columns", "write.parquet.bloom-filter-enabled.column.") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.bloomColumns = columnNames(value);
    }
  },
  BLOOM_FPP("bloom_fpp", "write.parquet.bloom-filter-fpp.column.") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.bloomFpp = probability(value);
    }
  },
  TARGET_FILE_BYTES("target_file_bytes", "write.target-file-size-bytes") {
    @Override
    void set(WriterOptionsBuilder options, String value) {
      options.targetFileBytes = bytes(value, 1024, Long.MAX_VALUE);
    }
  };

  private final String shortName;
  private final String property;

  WriterOption(String shortName, String property) {
    this.shortName = shortName;
    this.property = property;
  }

  /**
   * @throws IllegalArgumentException saying what is wrong with the value
   */
  abstract void set(WriterOptionsBuilder options, String value);

  String shortName() {
    return shortName;
  }

  String property() {
    return property;
  }

  boolean isPerColumn() {
    return property.endsWith(".");
  }

  static List<String> shortNames() {
    return Stream.of(values()).map(WriterOption::shortName).toList();
  }

  private static long number(String text, long min, long max) {
    try {
      return between(Long.parseLong(text.strip()), min, max);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("it is not a whole number", e);
    }
  }

  private static long bytes(String text, long min, long max) {
    return between(EngineSettings.parseBytes(text.strip()), min, max);
  }

  private static long between(long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          max == Long.MAX_VALUE
              ? "it must be at least " + min
              : "it must be between " + min + " and " + max);
    }
    return value;
  }

  private static double probability(String text) {
    double value;
    try {
      value = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("it is not a number", e);
    }
    if (!(value > 0 && value < 1)) {
      throw new IllegalArgumentException("it must lie between 0 and 1");
    }
    return value;
  }

  private static Codec codec(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "zstd" -> Codec.ZSTD;
      case "snappy" -> Codec.SNAPPY;
      case "gzip" -> Codec.GZIP;
      case "lz4", "lz4_raw" -> Codec.LZ4_RAW;
      case "none", "uncompressed" -> Codec.UNCOMPRESSED;
      default ->
          throw new IllegalArgumentException("codecs are zstd, snappy, gzip, lz4_raw and none");
    };
  }

  private static Set<String> columnNames(String text) {
    Set<String> names = new TreeSet<>();
    for (String name : text.split(",")) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }
}
