package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.config.Settings;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.FileTypes;
import dev.varve.engine.parquet.FooterCache;
import dev.varve.engine.parquet.FooterReader;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.engine.parquet.ParquetInput;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.VarveException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.jspecify.annotations.Nullable;

/**
 * Parquet files that are no table's: {@code FROM 'folder/*.parquet'}. Columns are those of the
 * first file, found in the others by name. Such files may be replaced at any time: their footers
 * are shared by statements only where versions of a file can be told apart, and what else is read
 * of them lives as long as this object, one statement. Safe for concurrent use.
 */
public final class ParquetFilesSource implements SourceTable {
  private final ScanTable scan;
  private final List<FileFacts> files;

  private ParquetFilesSource(ScanTable scan, List<FileFacts> files) {
    this.scan = scan;
    this.files = files;
  }

  /**
   * The files that a path, folder or glob names, with the columns of the first one.
   *
   * @throws VarveException FILE_NOT_FOUND or FILE_CORRUPT, naming the file
   */
  public static ParquetFilesSource open(String pathOrGlob, FileIO io, ScanServices services) {
    return open(pathOrGlob, io, services, Instant.now());
  }

  static ParquetFilesSource open(String pathOrGlob, FileIO io, ScanServices services, Instant now) {
    FooterCache footers = new FooterCache(Long.MAX_VALUE);
    HeldFiles held = new HeldFiles(io);
    List<ParquetFooter> read = new ArrayList<>();
    for (String path : FileListing.list(pathOrGlob, io)) {
      InputFile file = held.hold(path);
      try (ParquetInput input = ParquetInput.open(file, ParquetInput.DIRECT, bytes -> {})) {
        read.add(
            FooterReader.read(
                input, footers, input.path(), () -> footer(file, input, services.footers(), now)));
      }
    }
    boolean single = read.size() == 1;
    List<ScanColumn> columns = new ArrayList<>();
    for (FileColumn column : read.getFirst().columns()) {
      columns.add(column(column, columns.size(), single));
    }
    ScanTable table =
        new ScanTable(
            "'" + pathOrGlob + "'",
            "",
            columns,
            held,
            services,
            footers,
            new ByName(),
            ScanTable.Deletes.NONE,
            Map.of());
    return new ParquetFilesSource(
        table,
        read.stream()
            .map(footer -> FooterFacts.of(columns, table.resolver()::find, footer))
            .toList());
  }

  /** From the cache of all statements, if this version of the file is there. */
  private static ParquetFooter footer(
      InputFile file, ParquetInput input, FooterCache shared, Instant now) {
    return FileVersion.of(file, now)
        .map(version -> FooterReader.read(input, shared, version, () -> FooterReader.read(input)))
        .orElseGet(() -> FooterReader.read(input));
  }

  private static ScanColumn column(FileColumn column, int position, boolean single) {
    Optional<DataType> type =
        column.isNested() ? Optional.empty() : FileTypes.tryOf(column.primitive());
    return new ScanColumn(
        // Another file may lack the column.
        new Field(column.name(), type.orElse(DataType.NULL), column.optional() || !single, -1),
        position + 1,
        type.map(t -> ColumnBuilder.of(t, 1).appendNull().build()),
        type.isPresent()
            ? Optional.empty()
            : Optional.of(column.isNested() ? "nested" : column.primitive().toString()));
  }

  private static final class ByName implements ScanTable.Columns {
    @Override
    public @Nullable FileColumn find(ParquetFooter footer, ScanColumn column) {
      for (FileColumn candidate : footer.columns()) {
        if (candidate.name().equals(column.name())) {
          return candidate;
        }
      }
      return null;
    }

    @Override
    public Column missing(FileFacts file, ScanColumn column) {
      return column.defaultValue().orElseThrow();
    }
  }

  /** How many files there are. */
  public int fileCount() {
    return files.size();
  }

  @Override
  public Schema schema() {
    return scan.schema();
  }

  @Override
  public Statistics statistics() {
    List<Integer> all = IntStream.range(0, scan.columns().size()).boxed().toList();
    ScanSpec spec = new ScanSpec(scan, all, Settings.DEFAULTS);
    return ScanStatistics.of(spec, files, 1, OptionalLong.empty());
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    return DataSourceExec.of(ScanSpec.of(scan, request.projection(), request.settings()), files);
  }
}
