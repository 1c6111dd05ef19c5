package dev.varve.engine.kernel;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.UUID;

/** Values as PostgreSQL writes them as text. */
public final class TextFormat {
  /** Java writes two digits at least, where one may do: 4.9E-324 is also 5e-324. */
  private static final MathContext ONE_DIGIT = new MathContext(1, RoundingMode.HALF_EVEN);

  private TextFormat() {}

  static BytesColumn format(Column column, ZoneId zone) {
    Column flat = column.flat();
    int n = flat.length();
    BytesBuilder out = new BytesBuilder(n, 12);
    for (int i = 0; i < n; i++) {
      if (!flat.isNull(i)) {
        out.appendAscii(formatRow(flat, i, zone));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, Masks.copy(flat));
  }

  /** The text of one row, which is not null. */
  private static String formatRow(Column column, int i, ZoneId zone) {
    return switch (column.type().kind()) {
      case BOOLEAN -> Flats.booleans(column).get(i) != 0 ? "true" : "false";
      case SMALLINT, INTEGER -> Integer.toString(Flats.ints(column).get(i));
      case BIGINT -> Long.toString(Flats.longs(column).get(i));
      case REAL -> formatReal(Flats.floats(column).get(i));
      case DOUBLE -> formatDouble(Flats.doubles(column).get(i));
      case DECIMAL -> {
        int scale = column.type().scale();
        yield column instanceof Int128Column wide
            ? new BigDecimal(wide.get(i), scale).toPlainString()
            : BigDecimal.valueOf(Flats.longs(column).get(i), scale).toPlainString();
      }
      case DATE -> formatDate(Flats.ints(column).get(i));
      case TIME -> formatTime(Flats.longs(column).get(i));
      case TIMESTAMP -> formatTimestamp(Flats.longs(column).get(i));
      case TIMESTAMPTZ -> formatInstant(Flats.longs(column).get(i), zone);
      case INTERVAL_DAY -> formatDays(Flats.longs(column).get(i));
      case INTERVAL_MONTH -> formatMonths(Flats.ints(column).get(i));
      case VARBINARY -> "\\x" + HexFormat.of().formatHex(Flats.bytes(column).getBytes(i));
      case UUID -> {
        BytesColumn bytes = Flats.bytes(column);
        ByteBuffer buffer = ByteBuffer.wrap(bytes.data(), bytes.start(i), 16);
        yield new UUID(buffer.getLong(), buffer.getLong()).toString();
      }
      case VARCHAR -> new String(Flats.bytes(column).getBytes(i), StandardCharsets.UTF_8);
      case NULL -> throw new IllegalStateException("a value of no type");
    };
  }

  /** Shortest digits that read back as the same value; an exponent from 1e15 and below 1e-4. */
  public static String formatDouble(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(value));
    BigDecimal single = shortest.round(ONE_DIGIT);
    return digits(single.doubleValue() == value ? single : shortest, 15);
  }

  public static String formatReal(float value) {
    if (Float.isNaN(value)) {
      return "NaN";
    }
    if (Float.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    BigDecimal shortest = new BigDecimal(Float.toString(value));
    BigDecimal single = shortest.round(ONE_DIGIT);
    return digits(single.floatValue() == value ? single : shortest, 6);
  }

  private static String digits(BigDecimal shortest, int wholeDigits) {
    BigDecimal value = shortest.stripTrailingZeros();
    int exponent = value.precision() - value.scale() - 1;
    if (exponent >= -4 && exponent < wholeDigits) {
      return value.toPlainString();
    }
    String all = value.unscaledValue().abs().toString();
    StringBuilder text = new StringBuilder();
    if (value.signum() < 0) {
      text.append('-');
    }
    text.append(all.charAt(0));
    if (all.length() > 1) {
      text.append('.').append(all, 1, all.length());
    }
    text.append('e').append(exponent < 0 ? '-' : '+');
    int magnitude = Math.abs(exponent);
    return text.append(magnitude < 10 ? "0" : "").append(magnitude).toString();
  }

  public static String formatDate(long epochDay) {
    LocalDate date = LocalDate.ofEpochDay(epochDay);
    int year = date.getYear();
    // Year 0 is 1 BC.
    int shown = year > 0 ? year : 1 - year;
    String text =
        pad(shown, 4) + "-" + pad(date.getMonthValue(), 2) + "-" + pad(date.getDayOfMonth(), 2);
    return year > 0 ? text : text + " BC";
  }

  private static String pad(long value, int width) {
    String digits = Long.toString(value);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  public static String formatTime(long micros) {
    long seconds = micros / Zones.MICROS_PER_SECOND;
    return pad(seconds / 3600, 2)
        + ":"
        + pad(seconds / 60 % 60, 2)
        + ":"
        + pad(seconds % 60, 2)
        + fraction(micros % Zones.MICROS_PER_SECOND);
  }

  private static String fraction(long micros) {
    if (micros == 0) {
      return "";
    }
    String digits = pad(micros, 6);
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    return "." + digits.substring(0, end);
  }

  public static String formatTimestamp(long micros) {
    String date = formatDate(Math.floorDiv(micros, Zones.MICROS_PER_DAY));
    String time = formatTime(Math.floorMod(micros, Zones.MICROS_PER_DAY));
    return date.endsWith(" BC")
        ? date.substring(0, date.length() - 3) + " " + time + " BC"
        : date + " " + time;
  }

  public static String formatInstant(long micros, ZoneId zone) {
    long offset = Zones.offsetAt(micros, zone.getRules());
    String local = formatTimestamp(micros + offset);
    boolean before = local.endsWith(" BC");
    long seconds = Math.abs(offset / Zones.MICROS_PER_SECOND);
    String zoneText = (offset < 0 ? "-" : "+") + pad(seconds / 3600, 2);
    if (seconds % 3600 != 0) {
      zoneText += ":" + pad(seconds / 60 % 60, 2);
      if (seconds % 60 != 0) {
        zoneText += ":" + pad(seconds % 60, 2);
      }
    }
    return before ? local.substring(0, local.length() - 3) + zoneText + " BC" : local + zoneText;
  }

  /** {@code 1 day 02:03:04}. */
  public static String formatDays(long micros) {
    long days = micros / Zones.MICROS_PER_DAY;
    long rest = micros % Zones.MICROS_PER_DAY;
    if (days == 0) {
      return (rest < 0 ? "-" : "") + formatTime(Math.abs(rest));
    }
    String text = days + (days == 1 ? " day" : " days");
    return rest == 0 ? text : text + (rest < 0 ? " -" : " ") + formatTime(Math.abs(rest));
  }

  /** {@code 1 year 2 mons}. */
  public static String formatMonths(int months) {
    if (months == 0) {
      return "00:00:00";
    }
    int years = months / 12;
    int rest = months % 12;
    String text = years == 0 ? "" : years + (years == 1 ? " year" : " years");
    String rests = rest == 0 ? "" : rest + (rest == 1 ? " mon" : " mons");
    return text.isEmpty() || rests.isEmpty() ? text + rests : text + " " + rests;
  }
}
