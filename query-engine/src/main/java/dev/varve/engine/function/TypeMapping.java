package dev.varve.engine.function;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** Between the front end's types and the engine's. */
public final class TypeMapping {
  /** Digits of a second's fraction that times and timestamps have. */
  public static final int TIME_PRECISION = 6;

  private TypeMapping() {}

  /** Character types of any length are VARCHAR. */
  public static DataType toDataType(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> DataType.BOOLEAN;
      case TINYINT, SMALLINT, UTINYINT -> DataType.SMALLINT;
      case INTEGER, USMALLINT -> DataType.INTEGER;
      case BIGINT, UINTEGER -> DataType.BIGINT;
      case REAL -> DataType.REAL;
      case FLOAT, DOUBLE -> DataType.DOUBLE;
      case DECIMAL -> DataType.decimal(type.getPrecision(), type.getScale());
      case DATE -> DataType.DATE;
      case TIME -> DataType.TIME;
      case TIMESTAMP -> DataType.TIMESTAMP;
      case TIMESTAMP_TZ, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> DataType.TIMESTAMPTZ;
      case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> DataType.INTERVAL_MONTH;
      case INTERVAL_DAY,
          INTERVAL_DAY_HOUR,
          INTERVAL_DAY_MINUTE,
          INTERVAL_DAY_SECOND,
          INTERVAL_HOUR,
          INTERVAL_HOUR_MINUTE,
          INTERVAL_HOUR_SECOND,
          INTERVAL_MINUTE,
          INTERVAL_MINUTE_SECOND,
          INTERVAL_SECOND ->
          DataType.INTERVAL_DAY;
      case CHAR, VARCHAR, SYMBOL -> DataType.VARCHAR;
      case BINARY, VARBINARY -> DataType.VARBINARY;
      case UUID -> DataType.UUID;
      case NULL, UNKNOWN -> DataType.NULL;
      default ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED, "type " + type + " is not supported");
    };
  }

  public static RelDataType toRelType(RelDataTypeFactory factory, DataType type, boolean nullable) {
    RelDataType result =
        switch (type.kind()) {
          case NULL -> factory.createSqlType(SqlTypeName.NULL);
          case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
          case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
          case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
          case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
          case REAL -> factory.createSqlType(SqlTypeName.REAL);
          case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
          case DECIMAL ->
              factory.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
          case DATE -> factory.createSqlType(SqlTypeName.DATE);
          case TIME -> factory.createSqlType(SqlTypeName.TIME, TIME_PRECISION);
          case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, TIME_PRECISION);
          case TIMESTAMPTZ ->
              factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIME_PRECISION);
          case INTERVAL_DAY ->
              factory.createSqlIntervalType(
                  new SqlIntervalQualifier(
                      TimeUnit.DAY, 9, TimeUnit.SECOND, TIME_PRECISION, SqlParserPos.ZERO));
          case INTERVAL_MONTH ->
              factory.createSqlIntervalType(
                  new SqlIntervalQualifier(
                      TimeUnit.YEAR, 9, TimeUnit.MONTH, -1, SqlParserPos.ZERO));
          case VARCHAR ->
              factory.createTypeWithCharsetAndCollation(
                  factory.createSqlType(SqlTypeName.VARCHAR),
                  java.nio.charset.StandardCharsets.UTF_8,
                  org.apache.calcite.sql.SqlCollation.IMPLICIT);
          case VARBINARY -> factory.createSqlType(SqlTypeName.VARBINARY);
          case UUID -> factory.createSqlType(SqlTypeName.UUID);
        };
    return factory.createTypeWithNullability(result, nullable);
  }
}
