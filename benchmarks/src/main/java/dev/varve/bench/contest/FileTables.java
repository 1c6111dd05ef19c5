package dev.varve.bench.contest;

import dev.varve.engine.scan.ParquetFilesSource;
import dev.varve.engine.scan.ScanServices;
import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.layout.io.LocalFileIO;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A catalog whose tables are Parquet files that nobody wrote anything about. */
public final class FileTables implements Connector {
  public static final String SCHEMA = "main";

  private final Map<String, String> patterns;
  private final ScanServices scan;

  /**
   * @param patterns the files of each table
   */
  public FileTables(Map<String, String> patterns, ScanServices scan) {
    this.patterns = Map.copyOf(patterns);
    this.scan = scan;
  }

  @Override
  public List<String> schemas() {
    return List.of(SCHEMA);
  }

  @Override
  public List<String> tables(String schema) {
    return schema.equals(SCHEMA) ? patterns.keySet().stream().sorted().toList() : List.of();
  }

  @Override
  public Optional<SourceTable> table(String schema, String name) {
    String pattern = schema.equals(SCHEMA) ? patterns.get(name) : null;
    return pattern == null
        ? Optional.empty()
        : Optional.of(ParquetFilesSource.open(pattern, new LocalFileIO(), scan));
  }
}
