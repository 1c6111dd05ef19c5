package dev.varve.engine.connector.lake;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** From SQL types to the types of new Iceberg tables. */
final class IcebergTypes {
  private IcebergTypes() {}

  static Schema toIceberg(List<Field> columns) {
    List<Types.NestedField> fields = new ArrayList<>();
    for (Field column : columns) {
      int id = fields.size() + 1;
      Type type = toIceberg(column);
      fields.add(
          column.nullable()
              ? Types.NestedField.optional(id, column.name(), type)
              : Types.NestedField.required(id, column.name(), type));
    }
    return new Schema(fields);
  }

  private static Type toIceberg(Field column) {
    DataType type = column.type();
    return switch (type.kind()) {
      case BOOLEAN -> Types.BooleanType.get();
      case SMALLINT, INTEGER -> Types.IntegerType.get();
      case BIGINT -> Types.LongType.get();
      case REAL -> Types.FloatType.get();
      case DOUBLE -> Types.DoubleType.get();
      case DECIMAL -> Types.DecimalType.of(type.precision(), type.scale());
      case DATE -> Types.DateType.get();
      case TIME -> Types.TimeType.get();
      case TIMESTAMP -> Types.TimestampType.withoutZone();
      case TIMESTAMPTZ -> Types.TimestampType.withZone();
      case VARCHAR -> Types.StringType.get();
      case VARBINARY -> Types.BinaryType.get();
      case UUID -> Types.UUIDType.get();
      case NULL, INTERVAL_DAY, INTERVAL_MONTH ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED,
              "column '" + column.name() + "' has type " + type + ", which a table cannot store",
              null,
              "cast it to a type that a table can store",
              null);
    };
  }
}
