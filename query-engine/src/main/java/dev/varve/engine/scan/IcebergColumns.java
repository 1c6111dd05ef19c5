package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Columns and constants of Iceberg tables in the engine's types. */
final class IcebergColumns {
  private IcebergColumns() {}

  static List<ScanColumn> of(Schema schema) {
    List<ScanColumn> columns = new ArrayList<>();
    for (Types.NestedField field : schema.columns()) {
      Optional<DataType> type = type(field.type());
      Optional<Column> value = type.map(t -> constant(t, field.type(), field.initialDefault()));
      columns.add(
          new ScanColumn(
              new Field(
                  field.name(), type.orElse(DataType.NULL), field.isOptional(), field.fieldId()),
              field.fieldId(),
              // A required column without a default must be in every file.
              field.isRequired() && field.initialDefault() == null ? Optional.empty() : value,
              type.isPresent() ? Optional.empty() : Optional.of(field.type().toString())));
    }
    return columns;
  }

  /** A column of the table as it is, or else as it was when it was dropped; null if unknown. */
  static Types.@Nullable NestedField field(Table table, int id) {
    for (Types.NestedField column : table.schema().columns()) {
      if (column.fieldId() == id) {
        return column;
      }
    }
    return table.schemas().values().stream()
        .sorted(Comparator.comparing(Schema::schemaId).reversed())
        .flatMap(schema -> schema.columns().stream())
        .filter(column -> column.fieldId() == id)
        .findFirst()
        .orElse(null);
  }

  /** Empty for nested types and others that we have none for. */
  static Optional<DataType> type(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> Optional.of(DataType.BOOLEAN);
      case INTEGER -> Optional.of(DataType.INTEGER);
      case LONG -> Optional.of(DataType.BIGINT);
      case FLOAT -> Optional.of(DataType.REAL);
      case DOUBLE -> Optional.of(DataType.DOUBLE);
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        yield Optional.of(DataType.decimal(decimal.precision(), decimal.scale()));
      }
      case DATE -> Optional.of(DataType.DATE);
      case TIME -> Optional.of(DataType.TIME);
      case TIMESTAMP ->
          Optional.of(
              ((Types.TimestampType) type).shouldAdjustToUTC()
                  ? DataType.TIMESTAMPTZ
                  : DataType.TIMESTAMP);
      case TIMESTAMP_NANO ->
          Optional.of(
              ((Types.TimestampNanoType) type).shouldAdjustToUTC()
                  ? DataType.TIMESTAMPTZ
                  : DataType.TIMESTAMP);
      case STRING -> Optional.of(DataType.VARCHAR);
      case UUID -> Optional.of(DataType.UUID);
      case FIXED, BINARY -> Optional.of(DataType.VARBINARY);
      default -> Optional.empty();
    };
  }

  /** A value in Iceberg's own representation as one row. */
  static Column constant(DataType type, Type iceberg, @Nullable Object value) {
    Object own =
        switch (value) {
          case null -> null;
          case ByteBuffer buffer -> {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            yield bytes;
          }
          case CharSequence text -> text.toString();
          case Long nanos when iceberg.typeId() == Type.TypeID.TIMESTAMP_NANO ->
              Math.floorDiv(nanos, 1000);
          default -> value;
        };
    return ColumnBuilder.of(type, 1).append(own).build();
  }
}
