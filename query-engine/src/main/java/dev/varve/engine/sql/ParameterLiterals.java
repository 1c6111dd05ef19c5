package dev.varve.engine.sql;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.List;
import java.util.UUID;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.DateString;
import org.jspecify.annotations.Nullable;

/**
 * Puts the values of a statement's {@code ?} in their places, so that they are typed, checked and
 * used for pruning as literals are: a string takes the type of its surroundings.
 */
final class ParameterLiterals extends SqlShuttle {
  private final List<@Nullable Object> values;

  ParameterLiterals(List<@Nullable Object> values) {
    this.values = values;
  }

  @Override
  public SqlNode visit(SqlDynamicParam parameter) {
    int index = parameter.getIndex();
    SqlParserPos position = parameter.getParserPosition();
    if (index >= values.size()) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "the statement has a parameter " + (index + 1) + " but " + values.size() + " values",
          Positions.of(position),
          null,
          null);
    }
    return literal(values.get(index), position);
  }

  private static SqlNode literal(@Nullable Object value, SqlParserPos position) {
    return switch (value) {
      case null -> SqlLiteral.createNull(position);
      case Boolean flag -> SqlLiteral.createBoolean(flag, position);
      case Short n -> SqlLiteral.createExactNumeric(n.toString(), position);
      case Integer n -> SqlLiteral.createExactNumeric(n.toString(), position);
      case Long n -> SqlLiteral.createExactNumeric(n.toString(), position);
      case BigDecimal n -> SqlLiteral.createExactNumeric(n.toPlainString(), position);
      case Float n -> cast(n.toString(), SqlTypeName.REAL, -1, position);
      case Double n -> cast(n.toString(), SqlTypeName.DOUBLE, -1, position);
      case String text -> SqlLiteral.createCharString(text, position);
      case LocalDate date ->
          SqlLiteral.createDate(
              DateString.fromDaysSinceEpoch(Math.toIntExact(date.toEpochDay())), position);
      case LocalTime time -> cast(time.toString(), SqlTypeName.TIME, CalciteTypes.MICROS, position);
      case LocalDateTime time ->
          cast(
              time.toString().replace('T', ' '),
              SqlTypeName.TIMESTAMP,
              CalciteTypes.MICROS,
              position);
      case Instant instant ->
          cast(
              instant.toString(),
              SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE,
              CalciteTypes.MICROS,
              position);
      case UUID uuid -> cast(uuid.toString(), SqlTypeName.UUID, -1, position);
      case byte[] bytes -> SqlLiteral.createBinaryString(bytes, position);
      case Duration duration ->
          IntervalText.parse(
              BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString()
                  + " seconds",
              1,
              position);
      case Period period -> IntervalText.parse(period.toTotalMonths() + " months", 1, position);
      default ->
          throw new VarveException(
              ErrorCode.INVALID_PARAMETER,
              "a parameter cannot be a " + value.getClass().getSimpleName(),
              Positions.of(position),
              null,
              null);
    };
  }

  private static SqlNode cast(String text, SqlTypeName type, int precision, SqlParserPos position) {
    return SqlStdOperatorTable.CAST.createCall(
        position,
        SqlLiteral.createCharString(text, position),
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, precision, position), position));
  }
}
