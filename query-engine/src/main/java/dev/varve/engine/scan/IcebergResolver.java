package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Finds columns by field id. In a file without ids the table's name mapping gives them, or else
 * their position does, as Iceberg defines it.
 */
final class IcebergResolver implements ScanTable.Columns {
  private final Table table;
  private final SnapshotFiles files;
  private final @Nullable NameMapping mapping;

  IcebergResolver(Table table, SnapshotFiles files) {
    this.table = table;
    this.files = files;
    String json = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    this.mapping = json == null ? null : NameMappingParser.fromJson(json);
  }

  @Override
  public @Nullable FileColumn find(ParquetFooter footer, ScanColumn column) {
    List<FileColumn> columns = footer.columns();
    boolean hasIds = columns.stream().anyMatch(c -> c.fieldId() >= 0);
    for (int i = 0; i < columns.size(); i++) {
      FileColumn candidate = columns.get(i);
      int id = hasIds ? candidate.fieldId() : idWithout(candidate, i);
      if (id == column.id()) {
        return candidate;
      }
    }
    return null;
  }

  private int idWithout(FileColumn column, int position) {
    NameMapping names = mapping;
    if (names == null) {
      return position + 1;
    }
    MappedField field = names.find(column.name());
    return field == null || field.id() == null ? -1 : field.id();
  }

  @Override
  public Column missing(FileFacts file, ScanColumn column) {
    var partitioned = files.partitionValue(file, column.id());
    if (partitioned.isPresent()) {
      Types.NestedField field = IcebergColumns.field(table, column.id());
      if (field != null) {
        return IcebergColumns.constant(column.type(), field.type(), partitioned.get().value());
      }
    }
    return column
        .defaultValue()
        .orElseThrow(
            () ->
                new VarveException(
                    ErrorCode.FILE_CORRUPT,
                    file.path()
                        + ": the file has no column "
                        + column.name()
                        + ", which is required and has no default"));
  }
}
