package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Optional;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The delete files of a snapshot, and the columns they are over, dropped ones too. */
final class IcebergDeletes implements ScanTable.Deletes {
  private final Table table;
  private final SnapshotFiles files;
  private final String name;

  IcebergDeletes(Table table, SnapshotFiles files, String name) {
    this.table = table;
    this.files = files;
    this.name = name;
  }

  @Override
  public boolean any() {
    return files.hasDeletes();
  }

  @Override
  public FileDeletes of(FileFacts file) {
    return files.deletes(file);
  }

  @Override
  public PartitionSpec spec(int id) {
    PartitionSpec spec = table.specs().get(id);
    if (spec == null) {
      throw new VarveException(
          ErrorCode.FILE_CORRUPT,
          "a delete file of table " + name + " has partition spec " + id + ", which it has not");
    }
    return spec;
  }

  @Override
  public ScanColumn key(int fieldId) {
    Types.NestedField field = IcebergColumns.field(table, fieldId);
    if (field == null) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "table "
              + name
              + " has equality deletes over field "
              + fieldId
              + ", which is nested or unknown: that is not supported yet");
    }
    DataType type =
        IcebergColumns.type(field.type())
            // Columns of nanoseconds are read as microseconds: others than the deleted rows equal.
            .filter(t -> field.type().typeId() != Type.TypeID.TIMESTAMP_NANO)
            .orElseThrow(
                () ->
                    new VarveException(
                        ErrorCode.FEATURE_NOT_SUPPORTED,
                        "table "
                            + name
                            + " has equality deletes over column '"
                            + field.name()
                            + "' of type "
                            + field.type()
                            + ", which is not supported yet"));
    Column value = IcebergColumns.constant(type, field.type(), field.initialDefault());
    boolean isDropped = table.schema().findField(fieldId) == null;
    return new ScanColumn(
        new Field(field.name(), type, true, fieldId),
        fieldId,
        // Files written after a column was dropped do not have it, even if it was required.
        field.isRequired() && field.initialDefault() == null && !isDropped
            ? Optional.empty()
            : Optional.of(value),
        Optional.empty());
  }
}
