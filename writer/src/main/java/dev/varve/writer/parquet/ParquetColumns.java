package dev.varve.writer.parquet;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.UUIDType;

/** How types are stored, as Iceberg's specification maps them to Parquet. */
public final class ParquetColumns {
  private static final int INT32_DIGITS = 9;

  private ParquetColumns() {}

  /**
   * The columns of an Iceberg table, by position.
   *
   * @throws VarveException FEATURE_NOT_SUPPORTED for a type that is not written yet
   */
  public static List<ParquetColumn> of(org.apache.iceberg.Schema table, Schema input) {
    List<Types.NestedField> fields = table.columns();
    if (fields.size() != input.size()) {
      throw new IllegalStateException(
          input.size() + " columns for a table of " + fields.size() + ": " + input);
    }
    List<ParquetColumn> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Types.NestedField field = fields.get(i);
      DataType type = typeOf(field);
      if (!type.equals(input.type(i))) {
        throw new IllegalStateException(
            "column " + field.name() + " is " + type + " but is given " + input.type(i));
      }
      int fixed = field.type() instanceof Types.FixedType fixedType ? fixedType.length() : 0;
      columns.add(column(field.name(), field.fieldId(), type, fixed, field.isRequired()));
    }
    return columns;
  }

  /**
   * The columns of a file that belongs to no table.
   *
   * @throws VarveException FEATURE_NOT_SUPPORTED for a type that Parquet cannot hold;
   *     INVALID_PARAMETER if two columns have one name
   */
  public static List<ParquetColumn> of(Schema input) {
    List<ParquetColumn> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Field field : input.fields()) {
      if (!names.add(field.name())) {
        throw new VarveException(
            ErrorCode.INVALID_PARAMETER,
            "two columns of the file would be named '" + field.name() + "'",
            null,
            "give one of them another name with AS",
            null);
      }
      columns.add(column(field.name(), field.fieldId(), field.type(), 0, !field.nullable()));
    }
    if (columns.isEmpty()) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "a Parquet file needs at least one column");
    }
    return columns;
  }

  /** The type that batches have for a column of a table. */
  public static DataType typeOf(Types.NestedField field) {
    return switch (field.type().typeId()) {
      case BOOLEAN -> DataType.BOOLEAN;
      case INTEGER -> DataType.INTEGER;
      case LONG -> DataType.BIGINT;
      case FLOAT -> DataType.REAL;
      case DOUBLE -> DataType.DOUBLE;
      case DATE -> DataType.DATE;
      case TIME -> DataType.TIME;
      case TIMESTAMP ->
          ((Types.TimestampType) field.type()).shouldAdjustToUTC()
              ? DataType.TIMESTAMPTZ
              : DataType.TIMESTAMP;
      case STRING -> DataType.VARCHAR;
      case UUID -> DataType.UUID;
      case FIXED, BINARY -> DataType.VARBINARY;
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) field.type();
        yield DataType.decimal(decimal.precision(), decimal.scale());
      }
      default ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED,
              "column '"
                  + field.name()
                  + "' has type "
                  + field.type()
                  + ", which cannot be written");
    };
  }

  private static ParquetColumn column(
      String name, int fieldId, DataType type, int fixedLength, boolean required) {
    Type physical =
        switch (type.kind()) {
          case BOOLEAN -> Type.BOOLEAN;
          case SMALLINT, INTEGER, DATE -> Type.INT32;
          case BIGINT, TIME, TIMESTAMP, TIMESTAMPTZ -> Type.INT64;
          case REAL -> Type.FLOAT;
          case DOUBLE -> Type.DOUBLE;
          case DECIMAL ->
              type.precision() <= INT32_DIGITS
                  ? Type.INT32
                  : type.precision() <= DataType.MAX_LONG_PRECISION
                      ? Type.INT64
                      : Type.FIXED_LEN_BYTE_ARRAY;
          case VARCHAR -> Type.BYTE_ARRAY;
          case VARBINARY -> fixedLength > 0 ? Type.FIXED_LEN_BYTE_ARRAY : Type.BYTE_ARRAY;
          case UUID -> Type.FIXED_LEN_BYTE_ARRAY;
          case NULL, INTERVAL_DAY, INTERVAL_MONTH ->
              throw new VarveException(
                  ErrorCode.FEATURE_NOT_SUPPORTED,
                  "column '" + name + "' has type " + type + ", which Parquet files cannot hold",
                  null,
                  "cast it to another type",
                  null);
        };
    int length =
        physical != Type.FIXED_LEN_BYTE_ARRAY
            ? 0
            : type.isDecimal()
                ? TypeUtil.decimalRequiredBytes(type.precision())
                : fixedLength > 0 ? fixedLength : 16;
    return new ParquetColumn(name, fieldId, type, physical, length, required);
  }

  /** The schema of a file: the root and its leaves. */
  static List<SchemaElement> elements(List<ParquetColumn> columns) {
    List<SchemaElement> elements = new ArrayList<>();
    elements.add(new SchemaElement("table").setNum_children(columns.size()));
    for (ParquetColumn column : columns) {
      elements.add(element(column));
    }
    return elements;
  }

  private static SchemaElement element(ParquetColumn column) {
    SchemaElement element =
        new SchemaElement(column.name())
            .setType(column.physical())
            .setRepetition_type(
                column.required() ? FieldRepetitionType.REQUIRED : FieldRepetitionType.OPTIONAL);
    if (column.length() > 0) {
      element.setType_length(column.length());
    }
    if (column.fieldId() >= 0) {
      element.setField_id(column.fieldId());
    }
    DataType type = column.type();
    switch (type.kind()) {
      case SMALLINT ->
          element
              .setLogicalType(LogicalType.INTEGER(new IntType((byte) 16, true)))
              .setConverted_type(ConvertedType.INT_16);
      case DECIMAL ->
          element
              .setLogicalType(LogicalType.DECIMAL(new DecimalType(type.scale(), type.precision())))
              .setConverted_type(ConvertedType.DECIMAL)
              .setPrecision(type.precision())
              .setScale(type.scale());
      case DATE ->
          element
              .setLogicalType(LogicalType.DATE(new DateType()))
              .setConverted_type(ConvertedType.DATE);
      case TIME ->
          element
              .setLogicalType(LogicalType.TIME(new TimeType(false, micros())))
              .setConverted_type(ConvertedType.TIME_MICROS);
      case TIMESTAMP ->
          element
              .setLogicalType(LogicalType.TIMESTAMP(new TimestampType(false, micros())))
              .setConverted_type(ConvertedType.TIMESTAMP_MICROS);
      case TIMESTAMPTZ ->
          element
              .setLogicalType(LogicalType.TIMESTAMP(new TimestampType(true, micros())))
              .setConverted_type(ConvertedType.TIMESTAMP_MICROS);
      case VARCHAR ->
          element
              .setLogicalType(LogicalType.STRING(new StringType()))
              .setConverted_type(ConvertedType.UTF8);
      case UUID -> element.setLogicalType(LogicalType.UUID(new UUIDType()));
      case NULL,
          BOOLEAN,
          INTEGER,
          BIGINT,
          REAL,
          DOUBLE,
          INTERVAL_DAY,
          INTERVAL_MONTH,
          VARBINARY -> {}
    }
    return element;
  }

  private static TimeUnit micros() {
    return TimeUnit.MICROS(new MicroSeconds());
  }
}
