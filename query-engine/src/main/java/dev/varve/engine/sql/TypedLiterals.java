package dev.varve.engine.sql;

import dev.varve.engine.kernel.DateTimeText;
import dev.varve.layout.error.VarveException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * {@code DATE '...'}, {@code TIME '...'} and {@code TIMESTAMP '...'} read as casts read text, which
 * is PostgreSQL's way, and at microseconds. What the front end has no literal for, years after 9999
 * and intervals finer than milliseconds, becomes the cast itself.
 */
final class TypedLiterals extends SqlShuttle {
  private static final int LAST_YEAR = 9999;
  private static final int MILLIS_DIGITS = 3;
  private static final long MICROS_PER_SECOND = 1_000_000;

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    SqlNode visited = super.visit(call);
    return visited instanceof SqlCall inner && inner.getOperator() == SqlStdOperatorTable.EXTRACT
        ? extract(inner)
        : visited;
  }

  /** Units have PostgreSQL's plurals too. */
  private static SqlNode extract(SqlCall call) {
    SqlNode unit = call.operand(0);
    if (unit instanceof SqlIntervalQualifier qualifier && qualifier.timeFrameName != null) {
      String name = qualifier.timeFrameName.toUpperCase(Locale.ROOT);
      String single = name.endsWith("S") ? name.substring(0, name.length() - 1) : name;
      for (TimeUnit known : TimeUnit.values()) {
        if (known.name().equals(single)) {
          unit = new SqlIntervalQualifier(known, null, unit.getParserPosition());
        }
      }
    }
    return ExtractOperator.INSTANCE.createCall(call.getParserPosition(), unit, call.operand(1));
  }

  @Override
  public @Nullable SqlNode visit(SqlLiteral literal) {
    try {
      return switch (literal) {
        case SqlUnknownLiteral unknown -> typed(unknown);
        case SqlIntervalLiteral interval -> interval(interval);
        default -> literal;
      };
    } catch (VarveException e) {
      throw e.at(Positions.of(literal.getParserPosition()));
    }
  }

  private static SqlNode typed(SqlUnknownLiteral literal) {
    String text = literal.getValue();
    SqlParserPos position = literal.getParserPosition();
    return switch (literal.tag) {
      case "DATE" -> {
        LocalDate date = LocalDate.ofEpochDay(DateTimeText.parseDate(text));
        yield isPlain(date)
            ? SqlLiteral.createDate(new DateString(date.toString()), position)
            : cast(text, SqlTypeName.DATE, position);
      }
      case "TIME" -> {
        long micros = DateTimeText.parseTime(text);
        yield SqlLiteral.createTime(
            TimeString.fromMillisOfDay((int) (micros / MICROS_PER_SECOND * 1000))
                .withNanos(nanos(micros)),
            CalciteTypes.MICROS,
            position);
      }
      case "TIMESTAMP", "DATETIME" -> {
        long micros = DateTimeText.parseTimestamp(text);
        long seconds = Math.floorDiv(micros, MICROS_PER_SECOND);
        LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        yield isPlain(time.toLocalDate())
            ? SqlLiteral.createTimestamp(
                SqlTypeName.TIMESTAMP,
                new TimestampString(
                        time.getYear(),
                        time.getMonthValue(),
                        time.getDayOfMonth(),
                        time.getHour(),
                        time.getMinute(),
                        time.getSecond())
                    .withNanos(nanos(micros)),
                CalciteTypes.MICROS,
                position)
            : cast(text, SqlTypeName.TIMESTAMP, position);
      }
      // In the session's time zone, which only the execution knows.
      case "TIMESTAMP WITH LOCAL TIME ZONE" ->
          cast(text, SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, position);
      default -> literal;
    };
  }

  private static boolean isPlain(LocalDate date) {
    return date.getYear() >= 1 && date.getYear() <= LAST_YEAR;
  }

  private static int nanos(long micros) {
    return (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1000;
  }

  private static SqlNode cast(String text, SqlTypeName type, SqlParserPos position) {
    return SqlStdOperatorTable.CAST.createCall(
        position,
        SqlLiteral.createCharString(text, position),
        new SqlDataTypeSpec(
            new SqlBasicTypeNameSpec(
                type, type == SqlTypeName.DATE ? -1 : CalciteTypes.MICROS, position),
            position));
  }

  /** The front end counts intervals in milliseconds. */
  private static SqlNode interval(SqlIntervalLiteral literal) {
    SqlIntervalLiteral.IntervalValue value =
        literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
    String text = value.getIntervalLiteral().strip();
    SqlIntervalQualifier unit = value.getIntervalQualifier();
    int point = text.lastIndexOf('.');
    if (point < 0 || unit.isYearMonth() || text.length() - point - 1 <= MILLIS_DIGITS) {
      return literal;
    }
    SqlParserPos position = literal.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(
        position,
        SqlLiteral.createCharString(IntervalText.spelled(text, value.getSign(), unit), position),
        new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, position));
  }
}
