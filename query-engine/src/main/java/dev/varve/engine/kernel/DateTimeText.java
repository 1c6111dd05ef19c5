package dev.varve.engine.kernel;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times in ISO 8601 as PostgreSQL reads it: {@code 2024-02-29}, {@code 20240229}, {@code
 * 2024-02-29 12:34[:56[.789]]}, with a {@code T} or blanks between, a zone as {@code Z}, {@code
 * +05:30} or a region's name.
 */
public final class DateTimeText {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(?:(\\d{4,6})-(\\d{1,2})-(\\d{1,2})|(\\d{4})(\\d{2})(\\d{2}))"
              + "(?:(?:[Tt]|\\s+)(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9})\\d*)?)?)?"
              + "\\s*([Zz]|[+-]\\d{1,2}(?::?\\d{2}(?::?\\d{2})?)?|(?!BC\\b)[A-Za-z][A-Za-z0-9_+/-]*)?"
              + "(\\s+BC)?\\s*");
  private static final Pattern TIME =
      Pattern.compile("\\s*(?:[Tt])?(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9})\\d*)?)?\\s*");

  private DateTimeText() {}

  /** Days since 1970-01-01; a time of day is ignored. */
  public static int parseDate(String text) {
    Matcher form = matched(text, DataType.DATE);
    timeOfDay(form, text, DataType.DATE);
    return Math.toIntExact(day(form, text, DataType.DATE));
  }

  /** Local microseconds; a zone in the text is ignored, as PostgreSQL does. */
  public static long parseTimestamp(String text) {
    Matcher form = matched(text, DataType.TIMESTAMP);
    return local(form, text, DataType.TIMESTAMP);
  }

  /** The instant; a text without a zone is local time of {@code zone}. */
  public static long parseInstant(String text, ZoneId zone) {
    Matcher form = matched(text, DataType.TIMESTAMPTZ);
    long local = local(form, text, DataType.TIMESTAMPTZ);
    String suffix = form.group(11);
    ZoneId meant;
    try {
      meant = suffix == null ? zone : zone(suffix);
    } catch (DateTimeException e) {
      throw invalid(DataType.TIMESTAMPTZ, text);
    }
    return local - Zones.offsetOfLocal(local, meant.getRules());
  }

  /** Microseconds since midnight; 24:00 is its end. */
  public static long parseTime(String text) {
    Matcher form = TIME.matcher(text);
    if (!form.matches()) {
      Matcher full = FORM.matcher(text);
      if (full.matches() && full.group(7) != null) {
        return timeOfDay(full, text, DataType.TIME);
      }
      throw invalid(DataType.TIME, text);
    }
    return time(form.group(1), form.group(2), form.group(3), form.group(4), text, DataType.TIME);
  }

  /** A zone by offset, abbreviation of UTC or region name. */
  public static ZoneId zone(String name) {
    String trimmed = name.strip();
    if (trimmed.equalsIgnoreCase("z") || trimmed.equalsIgnoreCase("utc")) {
      return ZoneOffset.UTC;
    }
    if (trimmed.startsWith("+") || trimmed.startsWith("-")) {
      String digits = trimmed.substring(1).replace(":", "");
      if (digits.length() % 2 == 1) {
        digits = "0" + digits;
      }
      return ZoneOffset.of(trimmed.charAt(0) + digits);
    }
    for (String known : ZoneId.getAvailableZoneIds()) {
      if (known.equalsIgnoreCase(trimmed)) {
        return ZoneId.of(known);
      }
    }
    return ZoneId.of(trimmed, ZoneId.SHORT_IDS);
  }

  private static Matcher matched(String text, DataType type) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw invalid(type, text);
    }
    return form;
  }

  private static long local(Matcher form, String text, DataType type) {
    long days = day(form, text, type);
    long time = timeOfDay(form, text, type);
    try {
      return Math.addExact(Math.multiplyExact(days, Zones.MICROS_PER_DAY), time);
    } catch (ArithmeticException e) {
      throw new VarveException(
          ErrorCode.DATETIME_OUT_OF_RANGE, type + " out of range: \"" + text + "\"");
    }
  }

  private static long day(Matcher form, String text, DataType type) {
    boolean separated = form.group(1) != null;
    int year = Integer.parseInt(separated ? form.group(1) : form.group(4));
    int month = Integer.parseInt(separated ? form.group(2) : form.group(5));
    int day = Integer.parseInt(separated ? form.group(3) : form.group(6));
    if (form.group(12) != null) {
      year = 1 - year;
    }
    try {
      return LocalDate.of(year, month, day).toEpochDay();
    } catch (DateTimeException e) {
      throw fieldOutOfRange(text);
    }
  }

  private static long timeOfDay(Matcher form, String text, DataType type) {
    return form.group(7) == null
        ? 0
        : time(form.group(7), form.group(8), form.group(9), form.group(10), text, type);
  }

  private static long time(
      String hours,
      String minutes,
      @Nullable String seconds,
      @Nullable String fraction,
      String text,
      DataType type) {
    int hour = Integer.parseInt(hours);
    int minute = Integer.parseInt(minutes);
    int second = seconds == null ? 0 : Integer.parseInt(seconds);
    long micros = fraction == null ? 0 : micros(fraction);
    boolean endOfDay = hour == 24 && minute == 0 && second == 0 && micros == 0;
    if ((hour > 23 && !endOfDay) || minute > 59 || second > 60) {
      throw fieldOutOfRange(text);
    }
    long result = ((hour * 60L + minute) * 60 + second) * Zones.MICROS_PER_SECOND + micros;
    if (type.equals(DataType.TIME) && result >= Zones.MICROS_PER_DAY) {
      throw fieldOutOfRange(text);
    }
    return result;
  }

  /** Digits after the point as microseconds, rounded. */
  static long micros(String fraction) {
    String digits = (fraction + "00000000").substring(0, 9);
    return (Long.parseLong(digits) + 500) / 1000;
  }

  private static VarveException invalid(DataType type, String text) {
    return new VarveException(
        ErrorCode.INVALID_DATETIME, "invalid input syntax for type " + type + ": \"" + text + "\"");
  }

  private static VarveException fieldOutOfRange(String text) {
    return new VarveException(
        ErrorCode.DATETIME_OUT_OF_RANGE, "date/time field value out of range: \"" + text + "\"");
  }
}
