package dev.varve.engine.sql;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Interval literals whose units are inside the string: {@code INTERVAL '1 year 2 months'}, {@code
 * INTERVAL '3 days 04:05:06.5'}. Months and days are different types here, so a literal has one or
 * the other.
 */
final class IntervalText {
  private static final Pattern PART =
      Pattern.compile(
          "\\s*(?:([+-]?\\d+(?:\\.\\d+)?)\\s*([a-z]+)|([+-]?)(\\d+):(\\d\\d)(?::(\\d\\d(?:\\.\\d+)?))?)");
  private static final int MICROS_DIGITS = 6;
  private static final BigDecimal SECONDS_PER_DAY = BigDecimal.valueOf(86_400);

  private IntervalText() {}

  static SqlLiteral parse(String text, int sign, SqlParserPos position) {
    String rest = text.toLowerCase(Locale.ROOT).stripTrailing();
    BigDecimal months = BigDecimal.ZERO;
    BigDecimal seconds = BigDecimal.ZERO;
    boolean hasMonths = false;
    boolean hasSeconds = false;
    Matcher matcher = PART.matcher(rest);
    int at = 0;
    while (at < rest.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw invalid(text, position);
      }
      at = matcher.end();
      if (matcher.group(4) != null) {
        BigDecimal part =
            new BigDecimal(matcher.group(4))
                .multiply(BigDecimal.valueOf(3600))
                .add(new BigDecimal(matcher.group(5)).multiply(BigDecimal.valueOf(60)))
                .add(matcher.group(6) == null ? BigDecimal.ZERO : new BigDecimal(matcher.group(6)));
        seconds = "-".equals(matcher.group(3)) ? seconds.subtract(part) : seconds.add(part);
        hasSeconds = true;
        continue;
      }
      BigDecimal count = new BigDecimal(matcher.group(1));
      String unit = matcher.group(2);
      int inMonths = monthsOf(unit);
      int inSeconds = secondsOf(unit);
      if (inMonths > 0) {
        months = months.add(count.multiply(BigDecimal.valueOf(inMonths)));
        hasMonths = true;
      } else if (inSeconds > 0) {
        seconds = seconds.add(count.multiply(BigDecimal.valueOf(inSeconds)));
        hasSeconds = true;
      } else {
        throw invalid(text, position);
      }
    }
    if (hasMonths == hasSeconds) {
      if (hasMonths) {
        throw SyntaxErrors.unsupported(
            Positions.of(position),
            "an interval of both months and days is not supported: '" + text + "'");
      }
      throw invalid(text, position);
    }
    return hasMonths
        ? monthLiteral(months, sign, text, position)
        : secondLiteral(seconds, sign, text, position);
  }

  private static SqlLiteral monthLiteral(
      BigDecimal months, int sign, String text, SqlParserPos position) {
    BigDecimal whole = months.stripTrailingZeros();
    if (whole.scale() > 0 || whole.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      throw invalid(text, position);
    }
    return SqlLiteral.createInterval(
        sign * months.signum() < 0 ? -1 : 1,
        whole.abs().toPlainString(),
        new SqlIntervalQualifier(TimeUnit.MONTH, 10, null, 0, position),
        position);
  }

  private static SqlLiteral secondLiteral(
      BigDecimal seconds, int sign, String text, SqlParserPos position) {
    BigDecimal magnitude = seconds.abs().stripTrailingZeros();
    if (magnitude.scale() > MICROS_DIGITS) {
      // Rounded as PostgreSQL rounds them.
      magnitude = magnitude.setScale(MICROS_DIGITS, RoundingMode.HALF_EVEN).stripTrailingZeros();
    }
    BigDecimal[] days = magnitude.divideAndRemainder(SECONDS_PER_DAY);
    boolean wholeDays = days[1].signum() == 0 && magnitude.signum() != 0;
    BigDecimal count = wholeDays ? days[0] : magnitude;
    if (count.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      throw invalid(text, position);
    }
    return SqlLiteral.createInterval(
        sign * seconds.signum() < 0 ? -1 : 1,
        count.toPlainString(),
        wholeDays
            ? new SqlIntervalQualifier(TimeUnit.DAY, 10, null, 0, position)
            : new SqlIntervalQualifier(TimeUnit.SECOND, 10, null, MICROS_DIGITS, position),
        position);
  }

  /** A literal of days and parts of them, {@code '1 02:03' DAY TO MINUTE}, with its units in it. */
  static String spelled(String literal, int sign, SqlIntervalQualifier qualifier) {
    boolean negative = literal.startsWith("-") != (sign < 0);
    String minus = negative ? "-" : "";
    String text =
        literal.startsWith("-") || literal.startsWith("+") ? literal.substring(1) : literal;
    TimeUnit start = qualifier.getStartUnit();
    TimeUnit end = qualifier.getEndUnit() == null ? start : qualifier.getEndUnit();
    if (start == end) {
      return minus + text + " " + start.name().toLowerCase(Locale.ROOT);
    }
    String days = "";
    if (start == TimeUnit.DAY) {
      int blank = text.indexOf(' ');
      days = minus + text.substring(0, blank) + " day ";
      text = text.substring(blank + 1).strip();
    }
    // MINUTE TO SECOND has no hours.
    return days + minus + (start == TimeUnit.MINUTE ? "0:" : "") + text;
  }

  private static int monthsOf(String unit) {
    return switch (unit) {
      case "year", "years", "y", "yr", "yrs" -> 12;
      case "quarter", "quarters" -> 3;
      case "month", "months", "mon", "mons" -> 1;
      case "decade", "decades" -> 120;
      case "century", "centuries" -> 1200;
      default -> 0;
    };
  }

  private static int secondsOf(String unit) {
    return switch (unit) {
      case "week", "weeks", "w" -> 7 * 86_400;
      case "day", "days", "d" -> 86_400;
      case "hour", "hours", "h", "hr", "hrs" -> 3_600;
      case "minute", "minutes", "min", "mins", "m" -> 60;
      case "second", "seconds", "sec", "secs", "s" -> 1;
      default -> 0;
    };
  }

  private static RuntimeException invalid(String text, SqlParserPos position) {
    return SyntaxErrors.at(Positions.of(position), "invalid interval '" + text + "'");
  }
}
