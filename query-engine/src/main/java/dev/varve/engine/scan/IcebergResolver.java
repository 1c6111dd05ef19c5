package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Finds columns of an Iceberg table in its files, or what stands for them. */
final class IcebergResolver implements ScanTable.Columns {
  private final Table table;
  private final SnapshotFiles files;
  private final IcebergNames names;

  IcebergResolver(Table table, SnapshotFiles files) {
    this.table = table;
    this.files = files;
    this.names = IcebergNames.of(table);
  }

  @Override
  public @Nullable FileColumn find(ParquetFooter footer, ScanColumn column) {
    return names.find(footer, column);
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
