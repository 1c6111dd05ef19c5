package dev.varve.engine.kernel;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;

/**
 * {@code to_char} of dates and timestamps. Knows YYYY, YY, IYYY, Q, MM, Month, Mon, DD, DDD, D, ID,
 * Day, Dy, WW, IW, HH24, HH12, HH, MI, SS, MS, US, AM, PM, with FM before one to drop its padding;
 * text in double quotes and everything else stands for itself.
 */
public final class DateFormat {
  /** Longer names first where one begins with another. */
  private static final List<String> FIELDS =
      List.of(
          "YYYY", "IYYY", "YY", "MONTH", "Month", "month", "MON", "Mon", "mon", "MM", "MI", "MS",
          "DDD", "DD", "DAY", "Day", "day", "DY", "Dy", "dy", "D", "ID", "IW", "WW", "HH24", "HH12",
          "HH", "SS", "US", "AM", "PM", "am", "pm", "Q");

  private DateFormat() {}

  public static Column format(Column column, Column formats, ZoneId zone) {
    LongColumn local =
        Flats.longs(
            switch (column.type().kind()) {
              case DATE -> Casts.cast(column, DataType.TIMESTAMP, false, ZoneOffset.UTC);
              case TIMESTAMPTZ -> Zones.toLocal(Flats.longs(column), zone);
              default -> column;
            });
    BytesColumn texts = Flats.bytes(formats);
    byte[] valid = Masks.and(local, texts);
    int n = local.length();
    BytesBuilder out = new BytesBuilder(n, 16);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        out.append(format(local.get(i), texts.getString(i)));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  static String format(long micros, String format) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < format.length()) {
      if (format.charAt(i) == '"') {
        int end = format.indexOf('"', i + 1);
        end = end < 0 ? format.length() : end;
        out.append(format, i + 1, end);
        i = end + 1;
        continue;
      }
      boolean bare = format.startsWith("FM", i);
      String field = fieldAt(format, bare ? i + 2 : i);
      if (field.isEmpty()) {
        if (bare) {
          i += 2;
        } else {
          out.append(format.charAt(i++));
        }
        continue;
      }
      String value = value(field, micros);
      out.append(bare ? value.strip().replaceFirst("^0+(?=.)", "") : value);
      i += field.length() + (bare ? 2 : 0);
    }
    return out.toString();
  }

  private static String fieldAt(String format, int at) {
    for (String field : FIELDS) {
      if (format.startsWith(field, at)) {
        return field;
      }
    }
    return "";
  }

  private static String value(String field, long micros) {
    long hour = DateField.HOUR.ofTimestamp(micros);
    long hour12 = hour % 12 == 0 ? 12 : hour % 12;
    return switch (field) {
      case "YYYY" -> pad(DateField.YEAR, micros, 4);
      case "IYYY" -> pad(DateField.ISOYEAR, micros, 4);
      case "YY" -> pad(DateField.YEAR.ofTimestamp(micros) % 100, 2);
      case "Q" -> pad(DateField.QUARTER, micros, 1);
      case "MM" -> pad(DateField.MONTH, micros, 2);
      case "DD" -> pad(DateField.DAY, micros, 2);
      case "DDD" -> pad(DateField.DOY, micros, 3);
      case "D" -> pad(DateField.DOW.ofTimestamp(micros) + 1, 1);
      case "ID" -> pad(DateField.ISODOW, micros, 1);
      case "IW" -> pad(DateField.WEEK, micros, 2);
      case "WW" -> pad((DateField.DOY.ofTimestamp(micros) - 1) / 7 + 1, 2);
      case "HH24" -> pad(hour, 2);
      case "HH", "HH12" -> pad(hour12, 2);
      case "MI" -> pad(DateField.MINUTE, micros, 2);
      case "SS" -> pad(DateField.SECOND, micros, 2);
      case "MS" -> pad(DateField.MILLISECOND.ofTimestamp(micros) % 1000, 3);
      case "US" -> pad(DateField.MICROSECOND.ofTimestamp(micros) % 1_000_000, 6);
      case "AM", "PM" -> hour < 12 ? "AM" : "PM";
      case "am", "pm" -> hour < 12 ? "am" : "pm";
      default -> name(field, micros);
    };
  }

  private static String pad(DateField field, long micros, int width) {
    return pad(field.ofTimestamp(micros), width);
  }

  private static String pad(long value, int width) {
    String digits = Long.toString(value);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  /** The name of a month or day, full names padded to nine characters, in the field's case. */
  private static String name(String field, long micros) {
    boolean month = field.toLowerCase(Locale.ROOT).startsWith("m");
    boolean full = field.length() > 3 || field.equalsIgnoreCase("day");
    TextStyle style = full ? TextStyle.FULL : TextStyle.SHORT;
    String name =
        month
            ? Month.of((int) DateField.MONTH.ofTimestamp(micros))
                .getDisplayName(style, Locale.ENGLISH)
            : DayOfWeek.of((int) DateField.ISODOW.ofTimestamp(micros))
                .getDisplayName(style, Locale.ENGLISH);
    name = full ? name : name.substring(0, 3);
    String padded = full ? name + " ".repeat(9 - name.length()) : name;
    if (Character.isLowerCase(field.charAt(0))) {
      return padded.toLowerCase(Locale.ROOT);
    }
    return Character.isUpperCase(field.charAt(1)) ? padded.toUpperCase(Locale.ROOT) : padded;
  }
}
