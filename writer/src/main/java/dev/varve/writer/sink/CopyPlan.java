package dev.varve.writer.sink;

import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.port.SinkFactory.CopyTarget;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.WorkContext;
import dev.varve.engine.type.Field;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.writer.option.OptionReader;
import dev.varve.writer.option.WriterOptions;
import dev.varve.writer.parquet.ParquetColumn;
import dev.varve.writer.parquet.ParquetColumns;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** COPY (query) TO a Parquet file, or to a folder of them. Immutable. */
public final class CopyPlan implements SinkPlan {
  private static final String OVERWRITE = "overwrite";
  private static final String FORMAT = "format";
  private static final Set<String> OWN_OPTIONS = Set.of(OVERWRITE, FORMAT);
  private static final Set<String> OTHER_FORMATS =
      Set.of(".csv", ".json", ".ndjson", ".arrow", ".orc", ".avro", ".tsv", ".txt");

  private final CopyTarget target;
  private final boolean parallel;
  private final WriterOptions options;
  private final boolean overwrite;
  private final List<ParquetColumn> columns;

  /**
   * @throws VarveException INVALID_PARAMETER for options that do not fit; FEATURE_NOT_SUPPORTED for
   *     another format or a type that Parquet cannot hold
   */
  public CopyPlan(CopyTarget target, boolean parallel) {
    this.target = target;
    this.parallel = parallel;
    Map<String, String> given = new TreeMap<>();
    target.options().forEach((name, value) -> given.put(name.toLowerCase(Locale.ROOT), value));
    checkFormat(given);
    this.overwrite =
        given.containsKey(OVERWRITE) && OptionReader.flag(OVERWRITE, given.get(OVERWRITE));
    WriterOptions read =
        OptionReader.read(
            given,
            target.input().fields().stream().map(Field::name).toList(),
            WriterOptions.DEFAULTS,
            OWN_OPTIONS);
    if (isSingleFile()) {
      if (given.containsKey("target_file_bytes")) {
        throw new VarveException(
            ErrorCode.INVALID_PARAMETER,
            "option 'target_file_bytes' splits the output, but '"
                + target.path()
                + "' is a single file",
            null,
            "name a folder instead",
            null);
      }
      read = read.withTargetFileBytes(Long.MAX_VALUE);
    }
    this.options = read;
    this.columns = ParquetColumns.of(target.input());
  }

  private void checkFormat(Map<String, String> given) {
    String format = given.getOrDefault(FORMAT, "parquet").toLowerCase(Locale.ROOT);
    String path = target.path().toLowerCase(Locale.ROOT);
    if (!format.equals("parquet") || OTHER_FORMATS.stream().anyMatch(path::endsWith)) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "COPY TO writes Parquet only, not "
              + (format.equals("parquet") ? "'" + target.path() + "'" : format),
          null,
          "name a file that ends with .parquet, or a folder",
          null);
    }
  }

  @Override
  public String describe() {
    return "copy to '" + target.path() + "'";
  }

  @Override
  public List<ColumnOrder> requiredOrdering() {
    return List.of();
  }

  @Override
  public TableSink open(WorkContext context) {
    return new CopySink(this, context);
  }

  boolean isSingleFile() {
    return target.path().toLowerCase(Locale.ROOT).endsWith(".parquet");
  }

  CopyTarget target() {
    return target;
  }

  boolean isOverwrite() {
    return overwrite;
  }

  WriterOptions options() {
    return options;
  }

  List<ParquetColumn> columns() {
    return columns;
  }

  boolean isParallel() {
    return parallel;
  }
}
