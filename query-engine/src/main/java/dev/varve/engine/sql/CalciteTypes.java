package dev.varve.engine.sql;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * The engine's types as Calcite's, and back. CHAR(n) and VARCHAR(n) of plan expressions are
 * VARCHAR; an instant is TIMESTAMP WITH LOCAL TIME ZONE.
 */
public final class CalciteTypes {
  /** Fractional digits of times and timestamps: microseconds. */
  public static final int MICROS = 6;

  /** Shared by all statements; its only state is an interning cache. */
  public static final RelDataTypeFactory FACTORY = new Utf8TypeFactory();

  private CalciteTypes() {}

  /** The engine's type of an expression; FEATURE_NOT_SUPPORTED where there is none. */
  public static DataType dataType(RelDataType type) {
    if (type.isStruct() || type.getComponentType() != null) {
      throw unsupported(type.toString());
    }
    SqlTypeName name = type.getSqlTypeName();
    return name.allowsPrec()
        ? dataType(name, type.getPrecision(), name.allowsScale() ? type.getScale() : 0)
        : dataType(name, 0, 0);
  }

  /** A negative precision or scale is one that was not written. */
  static DataType dataType(SqlTypeName name, int precision, int scale) {
    return switch (name) {
      case BOOLEAN -> DataType.BOOLEAN;
      case TINYINT, SMALLINT -> DataType.SMALLINT;
      case INTEGER -> DataType.INTEGER;
      case BIGINT -> DataType.BIGINT;
      case REAL -> DataType.REAL;
      case FLOAT, DOUBLE -> DataType.DOUBLE;
      case DECIMAL -> decimal(precision, scale);
      case CHAR, VARCHAR -> DataType.VARCHAR;
      case BINARY, VARBINARY -> DataType.VARBINARY;
      case DATE -> DataType.DATE;
      case TIME -> DataType.TIME;
      case TIMESTAMP -> DataType.TIMESTAMP;
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> DataType.TIMESTAMPTZ;
      case UUID -> DataType.UUID;
      case NULL, UNKNOWN -> DataType.NULL;
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
      default -> throw unsupported(name.getName().toLowerCase(java.util.Locale.ROOT));
    };
  }

  private static DataType decimal(int precision, int scale) {
    int digits = precision < 0 ? DataType.MAX_DECIMAL_PRECISION : precision;
    int fraction = Math.max(scale, 0);
    if (digits < 1 || digits > DataType.MAX_DECIMAL_PRECISION) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "decimal precision "
              + digits
              + " is not between 1 and "
              + DataType.MAX_DECIMAL_PRECISION);
    }
    if (scale > digits) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "decimal scale " + scale + " is not between 0 and the precision " + digits);
    }
    return DataType.decimal(digits, fraction);
  }

  private static VarveException unsupported(String type) {
    return new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED, "type " + type + " is not supported yet");
  }

  public static Schema schema(List<String> names, RelDataType rowType) {
    List<RelDataTypeField> fields = rowType.getFieldList();
    Field[] result = new Field[fields.size()];
    for (int i = 0; i < result.length; i++) {
      RelDataType type = fields.get(i).getType();
      result[i] = Field.of(names.get(i), dataType(type), type.isNullable());
    }
    return Schema.of(result);
  }

  public static RelDataType rowType(Schema schema) {
    RelDataTypeFactory.Builder builder = FACTORY.builder();
    for (Field field : schema.fields()) {
      builder.add(field.name(), relType(field.type(), field.nullable()));
    }
    return builder.build();
  }

  public static RelDataType relType(DataType type, boolean nullable) {
    RelDataType result =
        switch (type.kind()) {
          case NULL -> FACTORY.createSqlType(SqlTypeName.NULL);
          case BOOLEAN -> FACTORY.createSqlType(SqlTypeName.BOOLEAN);
          case SMALLINT -> FACTORY.createSqlType(SqlTypeName.SMALLINT);
          case INTEGER -> FACTORY.createSqlType(SqlTypeName.INTEGER);
          case BIGINT -> FACTORY.createSqlType(SqlTypeName.BIGINT);
          case REAL -> FACTORY.createSqlType(SqlTypeName.REAL);
          case DOUBLE -> FACTORY.createSqlType(SqlTypeName.DOUBLE);
          case DECIMAL ->
              FACTORY.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
          case DATE -> FACTORY.createSqlType(SqlTypeName.DATE);
          case TIME -> FACTORY.createSqlType(SqlTypeName.TIME, MICROS);
          case TIMESTAMP -> FACTORY.createSqlType(SqlTypeName.TIMESTAMP, MICROS);
          case TIMESTAMPTZ ->
              FACTORY.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, MICROS);
          case INTERVAL_DAY ->
              FACTORY.createSqlIntervalType(
                  new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, SqlParserPos.ZERO));
          case INTERVAL_MONTH ->
              FACTORY.createSqlIntervalType(
                  new SqlIntervalQualifier(TimeUnit.YEAR, TimeUnit.MONTH, SqlParserPos.ZERO));
          case VARCHAR -> FACTORY.createSqlType(SqlTypeName.VARCHAR);
          case VARBINARY -> FACTORY.createSqlType(SqlTypeName.VARBINARY);
          case UUID -> FACTORY.createSqlType(SqlTypeName.UUID);
        };
    return FACTORY.createTypeWithNullability(result, nullable);
  }

  private static boolean isDateOrTimestamp(SqlTypeName name) {
    return switch (name) {
      case DATE, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> true;
      default -> false;
    };
  }

  private static final class Utf8TypeFactory extends SqlTypeFactoryImpl {
    Utf8TypeFactory() {
      super(PostgresTypeSystem.INSTANCE);
    }

    @Override
    public Charset getDefaultCharset() {
      return StandardCharsets.UTF_8;
    }

    /**
     * A date, a local time and an instant have no type in common by themselves: Calcite would take
     * the first of them. Where they meet, {@link PostgresCoercion} puts casts into the tree.
     */
    @Override
    public @Nullable RelDataType leastRestrictive(
        List<RelDataType> types, SqlTypeMappingRule rule) {
      long times =
          types.stream()
              .map(RelDataType::getSqlTypeName)
              .filter(CalciteTypes::isDateOrTimestamp)
              .distinct()
              .count();
      return times > 1 ? null : super.leastRestrictive(types, rule);
    }
  }
}
