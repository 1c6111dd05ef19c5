package dev.varve.engine.kernel;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Fields of dates, times and intervals, numbered as PostgreSQL does. */
public enum DateField {
  MICROSECOND,
  MILLISECOND,
  SECOND,
  MINUTE,
  HOUR,
  DAY,
  WEEK,
  MONTH,
  QUARTER,
  YEAR,
  DECADE,
  CENTURY,
  MILLENNIUM,
  /** Sunday is 0. */
  DOW,
  /** Sunday is 7. */
  ISODOW,
  DOY,
  ISOYEAR,
  /** Seconds since 1970, or the length of an interval. */
  EPOCH;

  /** By name, singular or plural. */
  public static DateField of(String name) {
    return switch (name.strip().toLowerCase(Locale.ROOT)) {
      case "microsecond", "microseconds", "us", "usec" -> MICROSECOND;
      case "millisecond", "milliseconds", "ms", "msec" -> MILLISECOND;
      case "second", "seconds", "sec", "s" -> SECOND;
      case "minute", "minutes", "min", "m" -> MINUTE;
      case "hour", "hours", "h", "hr" -> HOUR;
      case "day", "days", "d" -> DAY;
      case "week", "weeks", "w" -> WEEK;
      case "month", "months", "mon" -> MONTH;
      case "quarter", "quarters", "qtr" -> QUARTER;
      case "year", "years", "y", "yr" -> YEAR;
      case "decade", "decades" -> DECADE;
      case "century", "centuries" -> CENTURY;
      case "millennium", "millennia" -> MILLENNIUM;
      case "dow", "dayofweek" -> DOW;
      case "isodow" -> ISODOW;
      case "doy", "dayofyear" -> DOY;
      case "isoyear" -> ISOYEAR;
      case "epoch" -> EPOCH;
      default ->
          throw new VarveException(
              ErrorCode.INVALID_PARAMETER, "date/time unit \"" + name + "\" not recognized");
    };
  }

  /** Whether it is part of a date rather than of a time of day. */
  public boolean isOfDate() {
    return compareTo(DAY) >= 0 && this != EPOCH;
  }

  /** Whether a value can be cut down to this unit. */
  public boolean isUnit() {
    return compareTo(MILLENNIUM) <= 0;
  }

  /** Whether it never falls as time goes on. */
  public boolean isIncreasing() {
    return switch (this) {
      case YEAR, DECADE, CENTURY, MILLENNIUM, ISOYEAR, EPOCH -> true;
      default -> false;
    };
  }

  /** Of a local date. */
  public long ofDay(long epochDay) {
    return switch (this) {
      case YEAR -> year(Civil.year(epochDay));
      case MONTH -> Civil.month(epochDay);
      case DAY -> Civil.day(epochDay);
      case QUARTER -> (Civil.month(epochDay) + 2) / 3;
      case DECADE -> Math.floorDiv(Civil.year(epochDay), 10);
      case CENTURY -> centuries(Civil.year(epochDay), 100);
      case MILLENNIUM -> centuries(Civil.year(epochDay), 1000);
      case DOW -> Math.floorMod(epochDay + 4, 7);
      case ISODOW -> Math.floorMod(epochDay + 3, 7) + 1;
      case DOY -> LocalDate.ofEpochDay(epochDay).getDayOfYear();
      case WEEK -> LocalDate.ofEpochDay(epochDay).get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case ISOYEAR -> year(LocalDate.ofEpochDay(epochDay).get(IsoFields.WEEK_BASED_YEAR));
      case EPOCH -> epochDay * 86_400;
      case MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR -> 0;
    };
  }

  /** Year 0 is 1 BC, which PostgreSQL counts as -1. */
  private static long year(long year) {
    return year > 0 ? year : year - 1;
  }

  private static long centuries(long year, int length) {
    return year > 0 ? (year + length - 1) / length : -((-year) / length + 1);
  }

  /** Of a time of day in microseconds; seconds without their fraction. */
  public long ofTime(long micros) {
    return switch (this) {
      case HOUR -> micros / 3_600_000_000L;
      case MINUTE -> micros / 60_000_000L % 60;
      case SECOND -> micros / 1_000_000L % 60;
      case MILLISECOND -> micros % 60_000_000L / 1000;
      case MICROSECOND -> micros % 60_000_000L;
      case EPOCH -> micros / 1_000_000L;
      default ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED,
              "unit \"" + name().toLowerCase(Locale.ROOT) + "\" not supported for type time");
    };
  }

  /** Of a local timestamp in microseconds. */
  public long ofTimestamp(long micros) {
    if (isOfDate()) {
      return ofDay(Math.floorDiv(micros, Zones.MICROS_PER_DAY));
    }
    return this == EPOCH
        ? Math.floorDiv(micros, Zones.MICROS_PER_SECOND)
        : ofTime(Math.floorMod(micros, Zones.MICROS_PER_DAY));
  }

  /** Of an interval in microseconds: days are 24 hours. */
  public long ofInterval(long micros) {
    return switch (this) {
      case DAY -> micros / Zones.MICROS_PER_DAY;
      case EPOCH -> micros / Zones.MICROS_PER_SECOND;
      case HOUR -> micros % Zones.MICROS_PER_DAY / 3_600_000_000L;
      case MINUTE -> micros / 60_000_000L % 60;
      case SECOND -> micros / 1_000_000L % 60;
      case MILLISECOND -> micros % 60_000_000L / 1000;
      case MICROSECOND -> micros % 60_000_000L;
      default -> 0;
    };
  }

  /** Of an interval in months. */
  public long ofMonths(long months) {
    return switch (this) {
      case MONTH -> months % 12;
      case QUARTER -> months % 12 / 3 + 1;
      case YEAR -> months / 12;
      case DECADE -> months / 120;
      case CENTURY -> months / 1200;
      case MILLENNIUM -> months / 12_000;
      // PostgreSQL: a year of 365.25 days and the months beyond it of 30.
      case EPOCH -> months / 12 * 31_557_600L + months % 12 * 2_592_000L;
      default -> 0;
    };
  }
}
