package dev.varve.engine.parquet;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Optional;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntervalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/** The SQL type that a column of a file has by itself. */
public final class FileTypes {
  private FileTypes() {}

  /**
   * @throws VarveException FEATURE_NOT_SUPPORTED for a type that we have none for
   */
  public static DataType of(PrimitiveType type) {
    return tryOf(type)
        .orElseThrow(
            () ->
                new VarveException(
                    ErrorCode.FEATURE_NOT_SUPPORTED,
                    "column " + type.getName() + " has a type that is not supported: " + type));
  }

  /** Empty for a type that we have none for. */
  public static Optional<DataType> tryOf(PrimitiveType type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
      return decimal.getPrecision() > DataType.MAX_DECIMAL_PRECISION
          ? Optional.empty()
          : Optional.of(DataType.decimal(decimal.getPrecision(), decimal.getScale()));
    }
    if (logical instanceof IntervalLogicalTypeAnnotation) {
      return Optional.empty();
    }
    return Optional.of(
        switch (type.getPrimitiveTypeName()) {
          case BOOLEAN -> DataType.BOOLEAN;
          case FLOAT -> DataType.REAL;
          case DOUBLE -> DataType.DOUBLE;
          case INT96 -> DataType.TIMESTAMP;
          case INT32 -> int32(logical);
          case INT64 -> int64(logical);
          case BINARY ->
              logical instanceof StringLogicalTypeAnnotation
                      || logical instanceof EnumLogicalTypeAnnotation
                      || logical instanceof JsonLogicalTypeAnnotation
                  ? DataType.VARCHAR
                  : DataType.VARBINARY;
          case FIXED_LEN_BYTE_ARRAY ->
              logical instanceof UUIDLogicalTypeAnnotation
                  ? DataType.UUID
                  : logical instanceof Float16LogicalTypeAnnotation
                      ? DataType.REAL
                      : DataType.VARBINARY;
        });
  }

  private static DataType int32(LogicalTypeAnnotation logical) {
    if (logical instanceof DateLogicalTypeAnnotation) {
      return DataType.DATE;
    }
    if (logical instanceof TimeLogicalTypeAnnotation) {
      return DataType.TIME;
    }
    if (logical instanceof IntLogicalTypeAnnotation integer) {
      return switch (integer.getBitWidth()) {
        case 8 -> DataType.SMALLINT;
        case 16 -> integer.isSigned() ? DataType.SMALLINT : DataType.INTEGER;
        default -> integer.isSigned() ? DataType.INTEGER : DataType.BIGINT;
      };
    }
    return DataType.INTEGER;
  }

  private static DataType int64(LogicalTypeAnnotation logical) {
    if (logical instanceof TimeLogicalTypeAnnotation) {
      return DataType.TIME;
    }
    if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
      return timestamp.isAdjustedToUTC() ? DataType.TIMESTAMPTZ : DataType.TIMESTAMP;
    }
    if (logical instanceof IntLogicalTypeAnnotation integer && !integer.isSigned()) {
      return DataType.decimal(20, 0);
    }
    return DataType.BIGINT;
  }
}
