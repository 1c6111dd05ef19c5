package dev.varve.engine.sql;

import dev.varve.engine.type.DataType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Precisions, and result types of sums, averages and decimal arithmetic. */
final class PostgresTypeSystem extends RelDataTypeSystemImpl {
  static final PostgresTypeSystem INSTANCE = new PostgresTypeSystem();

  private PostgresTypeSystem() {}

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> DataType.MAX_DECIMAL_PRECISION;
      case CHAR, VARCHAR, BINARY, VARBINARY -> RelDataType.PRECISION_NOT_SPECIFIED;
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> CalciteTypes.MICROS;
      default -> super.getMaxPrecision(typeName);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL
        ? DataType.MAX_DECIMAL_PRECISION
        : super.getMaxScale(typeName);
  }

  @Override
  public int getDefaultPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> DataType.MAX_DECIMAL_PRECISION;
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> CalciteTypes.MICROS;
      default -> super.getDefaultPrecision(typeName);
    };
  }

  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory types, RelDataType argument) {
    RelDataType sum =
        switch (argument.getSqlTypeName()) {
          case TINYINT, SMALLINT, INTEGER -> types.createSqlType(SqlTypeName.BIGINT);
          case BIGINT -> decimal(types, 0);
          case DECIMAL -> decimal(types, argument.getScale());
          case REAL -> types.createSqlType(SqlTypeName.REAL);
          case FLOAT, DOUBLE -> types.createSqlType(SqlTypeName.DOUBLE);
          default -> argument;
        };
    return types.createTypeWithNullability(sum, argument.isNullable());
  }

  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
    RelDataType average =
        switch (argument.getSqlTypeName()) {
          case TINYINT, SMALLINT, INTEGER, BIGINT ->
              decimal(types, DataType.BIGINT.average().scale());
          case DECIMAL ->
              decimal(
                  types,
                  DataType.decimal(argument.getPrecision(), argument.getScale()).average().scale());
          case REAL, FLOAT, DOUBLE -> types.createSqlType(SqlTypeName.DOUBLE);
          default -> argument;
        };
    return types.createTypeWithNullability(average, argument.isNullable());
  }

  private static RelDataType decimal(RelDataTypeFactory types, int scale) {
    return types.createSqlType(SqlTypeName.DECIMAL, DataType.MAX_DECIMAL_PRECISION, scale);
  }
}
