package dev.varve.engine.kernel;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Date and time arithmetic; values in the units of their columns. */
public final class DateTimes {
  private static final long MICROS_TO_2000 = 946_684_800_000_000L;

  private DateTimes() {}

  /** The field as a BIGINT; of a zoned timestamp in {@code zone}. */
  public static LongColumn extract(DateField field, Column column, ZoneId zone) {
    int n = column.length();
    long[] out = new long[n];
    byte[] valid = Masks.copy(column.flat());
    switch (column.type().kind()) {
      case DATE -> {
        IntColumn in = Flats.ints(column);
        for (int i = 0; i < n; i++) {
          out[i] = field.ofDay(in.get(i));
        }
      }
      case INTERVAL_MONTH -> {
        IntColumn in = Flats.ints(column);
        for (int i = 0; i < n; i++) {
          out[i] = field.ofMonths(in.get(i));
        }
      }
      case TIME -> {
        LongColumn in = Flats.longs(column);
        for (int i = 0; i < n; i++) {
          out[i] = field.ofTime(in.get(i));
        }
      }
      case INTERVAL_DAY -> {
        LongColumn in = Flats.longs(column);
        for (int i = 0; i < n; i++) {
          out[i] = field.ofInterval(in.get(i));
        }
      }
      case TIMESTAMP, TIMESTAMPTZ -> {
        boolean local = column.type().kind() == TypeKind.TIMESTAMP || field == DateField.EPOCH;
        LongColumn in = local ? Flats.longs(column) : Zones.toLocal(Flats.longs(column), zone);
        for (int i = 0; i < n; i++) {
          out[i] = field.ofTimestamp(in.get(i));
        }
      }
      default -> throw new IllegalStateException("a field of " + column.type());
    }
    return new LongColumn(DataType.BIGINT, out, valid);
  }

  /** Seconds, milliseconds or the epoch with their fraction, as a decimal. */
  public static Column extractExactly(
      DateField field, Column column, ZoneId zone, DataType decimal) {
    TypeKind kind = column.type().kind();
    boolean micros =
        kind == TypeKind.TIMESTAMP
            || kind == TypeKind.TIMESTAMPTZ
            || kind == TypeKind.TIME
            || kind == TypeKind.INTERVAL_DAY;
    if (!micros) {
      return Casts.cast(extract(field, column, zone), decimal, false, zone);
    }
    LongColumn unscaled =
        field == DateField.EPOCH
            ? Flats.longs(column)
            : extract(DateField.MICROSECOND, column, zone);
    int n = column.length();
    long[] values = new long[n];
    for (int i = 0; i < n; i++) {
      values[i] = unscaled.get(i);
    }
    DataType narrow = DataType.decimal(DataType.MAX_LONG_PRECISION, decimal.scale());
    return Casts.cast(new LongColumn(narrow, values, Masks.copy(unscaled)), decimal, false, zone);
  }

  /** The field as a DOUBLE, seconds with their fraction. */
  public static DoubleColumn datePart(DateField field, Column column, ZoneId zone) {
    boolean timed = column.type().kind() != TypeKind.DATE;
    boolean fractional =
        timed
            && column.type().kind() != TypeKind.INTERVAL_MONTH
            && (field == DateField.SECOND
                || field == DateField.MILLISECOND
                || field == DateField.EPOCH);
    int n = column.length();
    double[] out = new double[n];
    if (!fractional) {
      LongColumn whole = extract(field, column, zone);
      for (int i = 0; i < n; i++) {
        out[i] = whole.get(i);
      }
      return new DoubleColumn(DataType.DOUBLE, out, Masks.copy(whole));
    }
    LongColumn micros =
        field == DateField.EPOCH
            ? Flats.longs(column)
            : extract(DateField.MICROSECOND, column, zone);
    double divisor = field == DateField.MILLISECOND ? 1000 : Zones.MICROS_PER_SECOND;
    for (int i = 0; i < n; i++) {
      out[i] = micros.get(i) / divisor;
    }
    return new DoubleColumn(DataType.DOUBLE, out, Masks.copy(micros));
  }

  /** Rounded to some digits of a second; halves away from 2000-01-01, as PostgreSQL has them. */
  public static LongColumn roundSeconds(Column column, int digits) {
    LongColumn in = Flats.longs(column);
    long unit = (long) Math.pow(10, 6 - digits);
    long origin = column.type().kind() == TypeKind.TIME ? 0 : MICROS_TO_2000;
    int n = in.length();
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      long since = in.get(i) - origin;
      long units = (Math.abs(since) + unit / 2) / unit;
      out[i] = origin + (since < 0 ? -units : units) * unit;
    }
    return new LongColumn(column.type(), out, Masks.copy(in));
  }

  /** Cut down to a unit; zoned timestamps in {@code zone}. */
  public static Column truncate(DateField unit, Column column, ZoneId zone) {
    if (!unit.isUnit()) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "cannot truncate to \"" + unit.name().toLowerCase(Locale.ROOT) + "\"");
    }
    int n = column.length();
    byte[] valid = Masks.copy(column.flat());
    switch (column.type().kind()) {
      case DATE -> {
        IntColumn in = Flats.ints(column);
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
          out[i] = (int) truncateDay(unit, in.get(i));
        }
        return new IntColumn(DataType.DATE, out, valid);
      }
      case TIMESTAMP -> {
        LongColumn in = Flats.longs(column);
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
          out[i] = truncateLocal(unit, in.get(i));
        }
        return new LongColumn(column.type(), out, valid);
      }
      case TIMESTAMPTZ -> {
        LongColumn in = Flats.longs(column);
        ZoneRules rules = zone.getRules();
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
          long offset = Zones.offsetAt(in.get(i), rules);
          long local = truncateLocal(unit, in.get(i) + offset);
          // An hour keeps the offset it has, so that the two hours of a clock change stay two.
          out[i] = local - (unit.isOfDate() ? Zones.offsetOfLocal(local, rules) : offset);
        }
        return new LongColumn(column.type(), out, valid);
      }
      case INTERVAL_DAY, TIME -> {
        LongColumn in = Flats.longs(column);
        long size = unit.isOfDate() ? Zones.MICROS_PER_DAY : microsOf(unit);
        long[] out = new long[n];
        for (int i = 0; i < n; i++) {
          out[i] = in.get(i) / size * size;
        }
        return new LongColumn(column.type(), out, valid);
      }
      default -> throw new IllegalStateException("truncation of " + column.type());
    }
  }

  private static long microsOf(DateField unit) {
    return switch (unit) {
      case MICROSECOND -> 1;
      case MILLISECOND -> 1000;
      case SECOND -> Zones.MICROS_PER_SECOND;
      case MINUTE -> 60 * Zones.MICROS_PER_SECOND;
      case HOUR -> 3600 * Zones.MICROS_PER_SECOND;
      default -> Zones.MICROS_PER_DAY;
    };
  }

  static long truncateLocal(DateField unit, long micros) {
    if (!unit.isOfDate()) {
      return micros - Math.floorMod(micros, microsOf(unit));
    }
    long day = Math.floorDiv(micros, Zones.MICROS_PER_DAY);
    return truncateDay(unit, day) * Zones.MICROS_PER_DAY;
  }

  static long truncateDay(DateField unit, long day) {
    return switch (unit) {
      case WEEK -> day - Math.floorMod(day + 3, 7);
      case MONTH -> day - Civil.day(day) + 1;
      case QUARTER -> Civil.epochDay(Civil.year(day), (Civil.month(day) - 1) / 3 * 3 + 1, 1);
      case YEAR -> Civil.epochDay(Civil.year(day), 1, 1);
      case DECADE -> Civil.epochDay(Math.floorDiv(Civil.year(day), 10L) * 10, 1, 1);
      case CENTURY -> Civil.epochDay(Math.floorDiv(Civil.year(day) - 1, 100L) * 100 + 1, 1, 1);
      case MILLENNIUM -> Civil.epochDay(Math.floorDiv(Civil.year(day) - 1, 1000L) * 1000 + 1, 1, 1);
      default -> day;
    };
  }

  /** The least start of a unit that is not before the value; unzoned only. */
  public static Column ceiling(DateField unit, Column column) {
    Column floor = truncate(unit, column, ZoneOffset.UTC);
    int n = column.length();
    if (floor instanceof IntColumn days) {
      IntColumn in = Flats.ints(column);
      int[] out = new int[n];
      for (int i = 0; i < n; i++) {
        out[i] = days.get(i) == in.get(i) ? in.get(i) : (int) nextDay(unit, days.get(i));
      }
      return new IntColumn(column.type(), out, Masks.copy(floor));
    }
    LongColumn starts = Flats.longs(floor);
    LongColumn in = Flats.longs(column);
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      long start = starts.get(i);
      out[i] =
          start == in.get(i)
              ? start
              : unit.isOfDate()
                  ? nextDay(unit, Math.floorDiv(start, Zones.MICROS_PER_DAY)) * Zones.MICROS_PER_DAY
                  : start + microsOf(unit);
    }
    return new LongColumn(column.type(), out, Masks.copy(floor));
  }

  private static long nextDay(DateField unit, long start) {
    return switch (unit) {
      case DAY -> start + 1;
      case WEEK -> start + 7;
      case MONTH -> Civil.plusMonths(start, 1);
      case QUARTER -> Civil.plusMonths(start, 3);
      case YEAR -> Civil.plusMonths(start, 12);
      case DECADE -> Civil.plusMonths(start, 120);
      case CENTURY -> Civil.plusMonths(start, 1200);
      case MILLENNIUM -> Civil.plusMonths(start, 12_000);
      default -> start;
    };
  }

  /** {@code dates + sign * days}. */
  public static IntColumn addDays(Column dates, Column days, int sign) {
    IntColumn a = Flats.ints(dates);
    LongColumn b = Flats.longs(days);
    int n = a.length();
    byte[] valid = Masks.and(a, b);
    int[] out = new int[n];
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        long amount = b.get(i);
        long sum = Math.clamp(amount, -(1L << 40), 1L << 40) * sign + a.get(i);
        out[i] = checkedDay(sum, () -> TextFormat.formatDate(a.get(0)) + " plus " + amount);
      }
    }
    return new IntColumn(DataType.DATE, out, valid);
  }

  private static int checkedDay(long day, Supplier<String> computation) {
    if (day != (int) day) {
      throw new VarveException(
          ErrorCode.DATETIME_OUT_OF_RANGE, "date out of range: " + computation.get());
    }
    return (int) day;
  }

  /** Whole days from {@code right} to {@code left}. */
  public static IntColumn daysBetween(Column left, Column right) {
    IntColumn a = Flats.ints(left);
    IntColumn b = Flats.ints(right);
    return IntArithmetic.apply(ArithmeticOp.SUBTRACT, a, b, DataType.INTEGER);
  }

  /** Microseconds from {@code right} to {@code left}. */
  public static LongColumn difference(Column left, Column right) {
    return LongArithmetic.apply(
        ArithmeticOp.SUBTRACT, Flats.longs(left), Flats.longs(right), DataType.INTERVAL_DAY);
  }

  /** A date, time or timestamp plus (minus) an interval; {@code type} is the first's. */
  public static Column addInterval(
      Column column, Column interval, int sign, DataType type, ZoneId zone) {
    boolean months = interval.type().kind() == TypeKind.INTERVAL_MONTH;
    return switch (type.kind()) {
      case DATE -> {
        if (months) {
          yield addMonthsToDates(Flats.ints(column), Flats.ints(interval), sign);
        }
        LongColumn micros = Flats.longs(interval);
        long[] days = new long[micros.length()];
        for (int i = 0; i < days.length; i++) {
          if (!micros.isNull(i) && micros.get(i) % Zones.MICROS_PER_DAY != 0) {
            throw new VarveException(
                ErrorCode.INVALID_PARAMETER,
                "a date and an interval of "
                    + micros.get(i)
                    + " microseconds, which is no whole number of days, do not make a date",
                null,
                "cast the date to timestamp",
                null);
          }
          days[i] = micros.get(i) / Zones.MICROS_PER_DAY;
        }
        yield addDays(column, new LongColumn(DataType.BIGINT, days, Masks.copy(micros)), sign);
      }
      case TIME -> {
        if (months) {
          yield column;
        }
        LongColumn a = Flats.longs(column);
        LongColumn b = Flats.longs(interval);
        long[] out = new long[a.length()];
        for (int i = 0; i < out.length; i++) {
          long amount = b.get(i) % Zones.MICROS_PER_DAY * sign;
          out[i] = Math.floorMod(a.get(i) + amount, Zones.MICROS_PER_DAY);
        }
        yield new LongColumn(type, out, Masks.and(a, b));
      }
      case TIMESTAMP, TIMESTAMPTZ -> {
        if (!months) {
          yield LongArithmetic.apply(
              sign > 0 ? ArithmeticOp.ADD : ArithmeticOp.SUBTRACT,
              Flats.longs(column),
              Flats.longs(interval),
              type);
        }
        if (type.kind() == TypeKind.TIMESTAMP) {
          yield addMonthsToTimestamps(Flats.longs(column), Flats.ints(interval), sign);
        }
        LongColumn local = Zones.toLocal(Flats.longs(column), zone);
        yield Zones.toInstant(addMonthsToTimestamps(local, Flats.ints(interval), sign), zone);
      }
      default -> throw new IllegalStateException(type + " plus an interval");
    };
  }

  private static IntColumn addMonthsToDates(IntColumn dates, IntColumn months, int sign) {
    int n = dates.length();
    byte[] valid = Masks.and(dates, months);
    int[] out = new int[n];
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        int day = dates.get(i);
        int amount = months.get(i);
        out[i] =
            checkedDay(
                Civil.plusMonths(day, (long) sign * amount),
                () -> TextFormat.formatDate(day) + " plus " + amount + " months");
      }
    }
    return new IntColumn(DataType.DATE, out, valid);
  }

  private static LongColumn addMonthsToTimestamps(
      LongColumn timestamps, IntColumn months, int sign) {
    int n = timestamps.length();
    byte[] valid = Masks.and(timestamps, months);
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        long micros = timestamps.get(i);
        long day = Math.floorDiv(micros, Zones.MICROS_PER_DAY);
        long moved = Civil.plusMonths(day, (long) sign * months.get(i));
        try {
          out[i] =
              Math.addExact(
                  Math.multiplyExact(moved, Zones.MICROS_PER_DAY),
                  Math.floorMod(micros, Zones.MICROS_PER_DAY));
        } catch (ArithmeticException e) {
          throw new VarveException(
              ErrorCode.DATETIME_OUT_OF_RANGE,
              "timestamp out of range: "
                  + TextFormat.formatTimestamp(micros)
                  + " plus "
                  + months.get(i)
                  + " months");
        }
      }
    }
    return new LongColumn(DataType.TIMESTAMP, out, valid);
  }

  /** An interval times (divided by) a number, rounded to its unit. */
  public static Column scaleInterval(Column interval, Column factor, boolean divide) {
    DoubleColumn factors = Flats.doubles(factor);
    DataType type = interval.type();
    boolean months = type.kind() == TypeKind.INTERVAL_MONTH;
    Column flat = interval.flat();
    int n = flat.length();
    byte[] valid = Masks.and(flat, factors);
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      double amount = months ? Flats.ints(flat).get(i) : Flats.longs(flat).get(i);
      double by = factors.get(i);
      if (divide && by == 0) {
        throw Arithmetic.divisionByZero("interval / 0");
      }
      double result = divide ? amount / by : amount * by;
      double rounded =
          months ? Math.floor(Math.abs(result)) * Math.signum(result) : Math.rint(result);
      double limit = months ? Integer.MAX_VALUE : 0x1p63;
      if (!(Math.abs(rounded) < limit)) {
        throw new VarveException(
            ErrorCode.DATETIME_OUT_OF_RANGE,
            "interval out of range: " + flat.value(i) + (divide ? " / " : " * ") + by);
      }
      out[i] = (long) rounded;
    }
    if (!months) {
      return new LongColumn(type, out, valid);
    }
    int[] narrow = new int[n];
    for (int i = 0; i < n; i++) {
      narrow[i] = (int) out[i];
    }
    return new IntColumn(type, narrow, valid);
  }

  /** Whole months from timestamp {@code right} to {@code left}, towards zero. */
  public static IntColumn monthsBetween(Column left, Column right, DataType type) {
    LongColumn a = Flats.longs(left);
    LongColumn b = Flats.longs(right);
    int[] out = new int[a.length()];
    byte[] valid = Masks.and(a, b);
    for (int i = 0; i < out.length; i++) {
      if (valid == null || valid[i] != 0) {
        long later = Math.max(a.get(i), b.get(i));
        long earlier = Math.min(a.get(i), b.get(i));
        long laterDay = Math.floorDiv(later, Zones.MICROS_PER_DAY);
        long earlierDay = Math.floorDiv(earlier, Zones.MICROS_PER_DAY);
        long months =
            (Civil.year(laterDay) - Civil.year(earlierDay)) * 12
                + Civil.month(laterDay)
                - Civil.month(earlierDay);
        long laterInMonth = later - truncateDay(DateField.MONTH, laterDay) * Zones.MICROS_PER_DAY;
        long earlierInMonth =
            earlier - truncateDay(DateField.MONTH, earlierDay) * Zones.MICROS_PER_DAY;
        months -= laterInMonth < earlierInMonth ? 1 : 0;
        out[i] = (int) (later == a.get(i) ? months : -months);
      }
    }
    return new IntColumn(type, out, valid);
  }

  /** Dates from year, month and day. */
  public static Column makeDate(Column years, Column months, Column days) {
    IntColumn y = Flats.ints(years);
    IntColumn m = Flats.ints(months);
    IntColumn d = Flats.ints(days);
    byte[] valid = Strings.validity(List.of(y, m, d));
    int[] out = new int[y.length()];
    for (int i = 0; i < out.length; i++) {
      if (valid == null || valid[i] != 0) {
        out[i] = Math.toIntExact(day(y.get(i), m.get(i), d.get(i)));
      }
    }
    return new IntColumn(DataType.DATE, out, valid);
  }

  private static long day(int year, int month, int day) {
    // A negative year is BC and there is no year 0.
    long counted = year < 0 ? year + 1 : year;
    boolean fits =
        year != 0
            && year > -4714
            && year < 5_874_898
            && month >= 1
            && month <= 12
            && day >= 1
            && day <= Civil.daysInMonth(counted, month);
    if (!fits) {
      throw new VarveException(
          ErrorCode.DATETIME_OUT_OF_RANGE,
          "date field value out of range: " + year + "-" + month + "-" + day);
    }
    return Civil.epochDay(counted, month, day);
  }

  /** Timestamps from year, month, day, hour, minute and seconds. */
  public static Column makeTimestamp(List<Column> fields) {
    byte[] valid = Strings.validity(fields);
    IntColumn[] whole = new IntColumn[5];
    for (int k = 0; k < 5; k++) {
      whole[k] = Flats.ints(fields.get(k));
    }
    DoubleColumn seconds = Flats.doubles(fields.get(5));
    long[] out = new long[seconds.length()];
    for (int i = 0; i < out.length; i++) {
      if (valid != null && valid[i] == 0) {
        continue;
      }
      int hour = whole[3].get(i);
      int minute = whole[4].get(i);
      double second = seconds.get(i);
      if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(second >= 0 && second <= 60)) {
        throw new VarveException(
            ErrorCode.DATETIME_OUT_OF_RANGE,
            "time field value out of range: " + hour + ":" + minute + ":" + second);
      }
      long day = day(whole[0].get(i), whole[1].get(i), whole[2].get(i));
      out[i] =
          day * Zones.MICROS_PER_DAY
              + (hour * 60L + minute) * 60 * Zones.MICROS_PER_SECOND
              + Math.round(second * Zones.MICROS_PER_SECOND);
    }
    return new LongColumn(DataType.TIMESTAMP, out, valid);
  }

  /** Instants from seconds since 1970. */
  public static Column fromEpoch(Column seconds) {
    DoubleColumn in = Flats.doubles(seconds);
    byte[] valid = Masks.copy(in);
    long[] out = new long[in.length()];
    for (int i = 0; i < out.length; i++) {
      if (valid == null || valid[i] != 0) {
        double micros = Math.rint(in.get(i) * Zones.MICROS_PER_SECOND);
        if (!(Math.abs(micros) < 0x1p63)) {
          throw new VarveException(
              ErrorCode.DATETIME_OUT_OF_RANGE,
              "timestamp out of range: \"" + TextFormat.formatDouble(in.get(i)) + "\"");
        }
        out[i] = (long) micros;
      }
    }
    return new LongColumn(DataType.TIMESTAMPTZ, out, valid);
  }

  /** Local times of a named zone as instants, or instants as local times of it. */
  public static Column atZone(Column zones, Column values) {
    boolean toLocal = values.type().kind() == TypeKind.TIMESTAMPTZ;
    LongColumn in = Flats.longs(values);
    if (zones instanceof ConstantColumn constant
        && constant.single().value(0) instanceof String name) {
      ZoneId zone = zone(name);
      return toLocal ? Zones.toLocal(in, zone) : Zones.toInstant(in, zone);
    }
    BytesColumn names = Flats.bytes(zones);
    byte[] valid = Masks.and(names, in);
    long[] out = new long[in.length()];
    for (int i = 0; i < out.length; i++) {
      if (valid == null || valid[i] != 0) {
        ZoneRules rules = zone(names.getString(i)).getRules();
        long x = in.get(i);
        out[i] = toLocal ? x + Zones.offsetAt(x, rules) : x - Zones.offsetOfLocal(x, rules);
      }
    }
    return new LongColumn(toLocal ? DataType.TIMESTAMP : DataType.TIMESTAMPTZ, out, valid);
  }

  /** A zone by name. */
  public static ZoneId zone(String name) {
    try {
      return DateTimeText.zone(name);
    } catch (DateTimeException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "time zone \"" + name + "\" not recognized");
    }
  }

  /** The one text of a constant column; null if it varies. */
  public static @Nullable String constantText(Column column) {
    return column instanceof ConstantColumn constant
            && constant.single().value(0) instanceof String text
        ? text
        : null;
  }
}
