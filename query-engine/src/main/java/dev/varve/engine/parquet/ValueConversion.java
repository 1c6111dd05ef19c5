package dev.varve.engine.parquet;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * How values of a file become values of the wanted type: the file's own type, or one that a table
 * may have been promoted to since the file was written.
 */
public enum ValueConversion {
  BOOLEAN,
  INT,
  INT_TO_LONG,
  UNSIGNED_INT_TO_LONG,
  INT_MILLIS,
  INT_TO_INT128,
  DAYS_TO_MICROS,
  LONG,
  MILLIS,
  NANOS,
  LONG_TO_INT128,
  UNSIGNED_LONG_TO_INT128,
  INT96,
  FLOAT,
  FLOAT16,
  FLOAT_TO_DOUBLE,
  FLOAT16_TO_DOUBLE,
  DOUBLE,
  BYTES,
  BYTES_TO_LONG,
  BYTES_TO_INT128;

  /**
   * @throws VarveException TYPE_MISMATCH if the file's type cannot become {@code target}
   */
  public static ValueConversion of(String path, FileColumn column, DataType target) {
    PrimitiveType type = column.primitive();
    if (!isAllowed(type, target)) {
      throw new VarveException(
          ErrorCode.TYPE_MISMATCH,
          path
              + ": column "
              + column.name()
              + " is "
              + FileTypes.tryOf(type).map(DataType::toString).orElse(type.toString())
              + " in the file, which cannot be read as "
              + target);
    }
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> BOOLEAN;
      case FLOAT -> target.kind() == TypeKind.DOUBLE ? FLOAT_TO_DOUBLE : FLOAT;
      case DOUBLE -> DOUBLE;
      case INT96 -> INT96;
      case INT32 -> int32(logical, target);
      case INT64 -> int64(logical, target);
      case BINARY, FIXED_LEN_BYTE_ARRAY ->
          switch (target.physical()) {
            case LONG -> BYTES_TO_LONG;
            case INT128 -> BYTES_TO_INT128;
            case FLOAT -> FLOAT16;
            case DOUBLE -> FLOAT16_TO_DOUBLE;
            default -> BYTES;
          };
    };
  }

  private static boolean isAllowed(PrimitiveType type, DataType target) {
    DataType own = FileTypes.tryOf(type).orElse(null);
    if (own == null) {
      return false;
    }
    if (own.equals(target)) {
      return true;
    }
    PrimitiveTypeName physical = type.getPrimitiveTypeName();
    return switch (target.kind()) {
      case INTEGER -> own.kind() == TypeKind.SMALLINT;
      case BIGINT -> own.kind() == TypeKind.SMALLINT || own.kind() == TypeKind.INTEGER;
      case DOUBLE -> own.kind() == TypeKind.REAL;
      case DECIMAL ->
          own.isDecimal() && own.scale() == target.scale() && own.precision() <= target.precision();
      case TIMESTAMP -> own.kind() == TypeKind.DATE;
      case TIMESTAMPTZ -> physical == PrimitiveTypeName.INT96;
      // Older writers left strings without their annotation.
      case VARCHAR ->
          physical == PrimitiveTypeName.BINARY && type.getLogicalTypeAnnotation() == null;
      case UUID ->
          physical == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
              && type.getTypeLength() == 16
              && type.getLogicalTypeAnnotation() == null;
      default -> false;
    };
  }

  private static ValueConversion int32(LogicalTypeAnnotation logical, DataType target) {
    boolean unsigned = logical instanceof IntLogicalTypeAnnotation i && !i.isSigned();
    return switch (target.physical()) {
      case INT128 -> INT_TO_INT128;
      case LONG ->
          logical instanceof TimeLogicalTypeAnnotation
              ? INT_MILLIS
              : target.kind() == TypeKind.TIMESTAMP
                  ? DAYS_TO_MICROS
                  : unsigned ? UNSIGNED_INT_TO_LONG : INT_TO_LONG;
      default -> INT;
    };
  }

  private static ValueConversion int64(LogicalTypeAnnotation logical, DataType target) {
    TimeUnit unit =
        logical instanceof TimestampLogicalTypeAnnotation timestamp
            ? timestamp.getUnit()
            : logical instanceof TimeLogicalTypeAnnotation time ? time.getUnit() : TimeUnit.MICROS;
    boolean unsigned = logical instanceof IntLogicalTypeAnnotation i && !i.isSigned();
    return switch (target.physical()) {
      case INT128 -> unsigned ? UNSIGNED_LONG_TO_INT128 : LONG_TO_INT128;
      default ->
          switch (unit) {
            case MILLIS -> MILLIS;
            case MICROS -> LONG;
            case NANOS -> NANOS;
          };
    };
  }
}
