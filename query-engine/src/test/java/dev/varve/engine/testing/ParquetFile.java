package dev.varve.engine.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/**
 * Writes a Parquet file with parquet-java: what a foreign writer gives us. Values of a row are
 * Integer, Long, Float, Double, Boolean, String, byte[] or null, as the column's physical type
 * wants.
 *
 * <pre>{@code
 * ParquetFile.of("message m { optional int64 k; optional binary s (STRING); }")
 *     .rowsPerGroup(1000).rowsPerPage(100).bloomFilter("k").write(path, rows);
 * }</pre>
 */
public final class ParquetFile {
  private final MessageType schema;
  private final Set<String> bloomFilters = new HashSet<>();
  private int rowsPerGroup = Integer.MAX_VALUE;
  private int rowsPerPage = 20_000;
  private boolean dictionary = true;
  private WriterVersion version = WriterVersion.PARQUET_1_0;
  private CompressionCodecName codec = CompressionCodecName.ZSTD;
  private Consumer<ExampleParquetWriter.Builder> more = builder -> {};

  private ParquetFile(MessageType schema) {
    this.schema = schema;
  }

  public static ParquetFile of(String schema) {
    return new ParquetFile(MessageTypeParser.parseMessageType(schema));
  }

  public static ParquetFile of(MessageType schema) {
    return new ParquetFile(schema);
  }

  public ParquetFile rowsPerGroup(int rows) {
    rowsPerGroup = rows;
    return this;
  }

  public ParquetFile rowsPerPage(int rows) {
    rowsPerPage = rows;
    return this;
  }

  public ParquetFile dictionary(boolean on) {
    dictionary = on;
    return this;
  }

  public ParquetFile version2() {
    version = WriterVersion.PARQUET_2_0;
    return this;
  }

  public ParquetFile codec(CompressionCodecName name) {
    codec = name;
    return this;
  }

  /** parquet-java leaves a filter out of chunks that are wholly dictionary encoded. */
  public ParquetFile bloomFilter(String column) {
    bloomFilters.add(column);
    return this;
  }

  public ParquetFile with(Consumer<ExampleParquetWriter.Builder> options) {
    more = options;
    return this;
  }

  public Path write(Path path, Iterable<? extends List<? extends @Nullable Object>> rows) {
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withCompressionCodec(codec)
            .withWriterVersion(version)
            .withDictionaryEncoding(dictionary)
            .withPageRowCountLimit(rowsPerPage)
            .withRowGroupRowCountLimit(rowsPerGroup);
    for (String column : bloomFilters) {
      builder.withBloomFilterEnabled(column, true).withDictionaryEncoding(column, false);
    }
    more.accept(builder);
    try (ParquetWriter<Group> writer = builder.build()) {
      for (List<? extends @Nullable Object> row : rows) {
        Group group = groups.newGroup();
        for (int i = 0; i < row.size(); i++) {
          add(group, i, row.get(i));
        }
        writer.write(group);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return path;
  }

  private static void add(Group group, int field, @Nullable Object value) {
    switch (value) {
      case null -> {}
      case Integer v -> group.add(field, v.intValue());
      case Long v -> group.add(field, v.longValue());
      case Float v -> group.add(field, v.floatValue());
      case Double v -> group.add(field, v.doubleValue());
      case Boolean v -> group.add(field, v.booleanValue());
      case String v -> group.add(field, v);
      case byte[] v -> group.add(field, Binary.fromConstantByteArray(v));
      default -> throw new IllegalArgumentException("no Parquet value: " + value);
    }
  }
}
