package dev.varve.engine.kernel;

/**
 * Days since 1970-01-01 as year, month and day of the proleptic Gregorian calendar, by arithmetic
 * alone (after Howard Hinnant's {@code civil_from_days}).
 */
public final class Civil {
  private static final long DAYS_PER_ERA = 146_097;

  /** From 0000-03-01 to 1970-01-01. */
  private static final long EPOCH_SHIFT = 719_468;

  private Civil() {}

  private static long dayOfEra(long epochDay) {
    return Math.floorMod(epochDay + EPOCH_SHIFT, DAYS_PER_ERA);
  }

  private static long yearOfEra(long dayOfEra) {
    return (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
  }

  /** Day of a year that begins in March. */
  private static long dayOfYear(long dayOfEra, long yearOfEra) {
    return dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  }

  public static long year(long epochDay) {
    long dayOfEra = dayOfEra(epochDay);
    long yearOfEra = yearOfEra(dayOfEra);
    long era = Math.floorDiv(epochDay + EPOCH_SHIFT, DAYS_PER_ERA);
    long marchMonth = (5 * dayOfYear(dayOfEra, yearOfEra) + 2) / 153;
    return yearOfEra + era * 400 + (marchMonth >= 10 ? 1 : 0);
  }

  public static int month(long epochDay) {
    long dayOfEra = dayOfEra(epochDay);
    long marchMonth = (5 * dayOfYear(dayOfEra, yearOfEra(dayOfEra)) + 2) / 153;
    return (int) (marchMonth < 10 ? marchMonth + 3 : marchMonth - 9);
  }

  public static int day(long epochDay) {
    long dayOfEra = dayOfEra(epochDay);
    long dayOfYear = dayOfYear(dayOfEra, yearOfEra(dayOfEra));
    long marchMonth = (5 * dayOfYear + 2) / 153;
    return (int) (dayOfYear - (153 * marchMonth + 2) / 5 + 1);
  }

  public static long epochDay(long year, int month, int day) {
    long y = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(y, 400L);
    long yearOfEra = y - era * 400;
    long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT;
  }

  public static int daysInMonth(long year, int month) {
    return switch (month) {
      case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  /** So many months later, the day cut to the month's end. */
  public static long plusMonths(long epochDay, long months) {
    long total = year(epochDay) * 12 + month(epochDay) - 1 + months;
    long year = Math.floorDiv(total, 12L);
    int month = (int) Math.floorMod(total, 12L) + 1;
    return epochDay(year, month, Math.min(day(epochDay), daysInMonth(year, month)));
  }
}
