package dev.varve.engine.kernel;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Intervals as text: {@code 1 year 2 mons}, {@code 3 days 04:05:06.7}, {@code -2 hours}. */
public final class IntervalText {
  private static final Pattern PART =
      Pattern.compile(
          "\\s*(?:([+-]?)(\\d{1,9}):(\\d{2})(?::(\\d{2}(?:\\.\\d{1,9})?))?"
              + "|([+-]?\\d{1,18}(?:\\.\\d{1,9})?)\\s*([A-Za-z]+))\\s*");

  private IntervalText() {}

  /** An interval of days and smaller units, in microseconds. */
  public static long parseMicros(String text) {
    Parts parts = parse(text, DataType.INTERVAL_DAY);
    if (parts.months.signum() != 0) {
      throw invalid(DataType.INTERVAL_DAY, text);
    }
    try {
      return parts.micros.setScale(0, RoundingMode.HALF_EVEN).longValueExact();
    } catch (ArithmeticException e) {
      throw outOfRange(DataType.INTERVAL_DAY, text);
    }
  }

  /** An interval of months and years, in months. */
  public static int parseMonths(String text) {
    Parts parts = parse(text, DataType.INTERVAL_MONTH);
    if (parts.micros.signum() != 0) {
      throw invalid(DataType.INTERVAL_MONTH, text);
    }
    try {
      return parts.months.setScale(0, RoundingMode.HALF_EVEN).intValueExact();
    } catch (ArithmeticException e) {
      throw outOfRange(DataType.INTERVAL_MONTH, text);
    }
  }

  private record Parts(BigDecimal months, BigDecimal micros) {}

  private static Parts parse(String text, DataType type) {
    Matcher part = PART.matcher(text);
    BigDecimal months = BigDecimal.ZERO;
    BigDecimal micros = BigDecimal.ZERO;
    int at = 0;
    while (at < text.length()) {
      part.region(at, text.length());
      if (!part.lookingAt()) {
        throw invalid(type, text);
      }
      at = part.end();
      if (part.group(6) != null) {
        BigDecimal amount = new BigDecimal(part.group(5));
        String unit = part.group(6).toLowerCase(Locale.ROOT);
        long inMonths = months(unit);
        long inMicros = micros(unit);
        if (inMonths == 0 && inMicros == 0) {
          throw invalid(type, text);
        }
        months = months.add(amount.multiply(BigDecimal.valueOf(inMonths)));
        micros = micros.add(amount.multiply(BigDecimal.valueOf(inMicros)));
      } else {
        BigDecimal seconds =
            BigDecimal.valueOf(Long.parseLong(part.group(2)) * 3600)
                .add(BigDecimal.valueOf(Long.parseLong(part.group(3)) * 60))
                .add(part.group(4) == null ? BigDecimal.ZERO : new BigDecimal(part.group(4)));
        BigDecimal time = seconds.multiply(BigDecimal.valueOf(Zones.MICROS_PER_SECOND));
        micros = "-".equals(part.group(1)) ? micros.subtract(time) : micros.add(time);
      }
    }
    if (text.isBlank()) {
      throw invalid(type, text);
    }
    return new Parts(months, micros);
  }

  private static long months(String unit) {
    return switch (unit) {
      case "mon", "mons", "month", "months" -> 1;
      case "y", "yr", "yrs", "year", "years" -> 12;
      case "decade", "decades" -> 120;
      case "century", "centuries" -> 1200;
      case "millennium", "millennia" -> 12000;
      default -> 0;
    };
  }

  private static long micros(String unit) {
    return switch (unit) {
      case "us", "usec", "usecs", "microsecond", "microseconds" -> 1;
      case "ms", "msec", "msecs", "millisecond", "milliseconds" -> 1000;
      case "s", "sec", "secs", "second", "seconds" -> Zones.MICROS_PER_SECOND;
      case "m", "min", "mins", "minute", "minutes" -> 60 * Zones.MICROS_PER_SECOND;
      case "h", "hr", "hrs", "hour", "hours" -> 3600 * Zones.MICROS_PER_SECOND;
      case "d", "day", "days" -> Zones.MICROS_PER_DAY;
      case "w", "week", "weeks" -> 7 * Zones.MICROS_PER_DAY;
      default -> 0;
    };
  }

  private static VarveException invalid(DataType type, String text) {
    return new VarveException(
        ErrorCode.INVALID_DATETIME, "invalid input syntax for type " + type + ": \"" + text + "\"");
  }

  private static VarveException outOfRange(DataType type, String text) {
    return new VarveException(
        ErrorCode.DATETIME_OUT_OF_RANGE, type + " out of range: \"" + text + "\"");
  }
}
