package dev.varve.service.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.Locale;

/** Values as text: binary is hexadecimal after {@code \x}, dates and times are ISO 8601. */
final class ValueText {
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
          .toFormatter(Locale.ROOT);
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral('T')
          .append(TIME)
          .toFormatter(Locale.ROOT);

  private ValueText() {}

  static String of(Object value) {
    return switch (value) {
      case BigDecimal d -> d.toPlainString();
      case LocalTime t -> TIME.format(t);
      case LocalDateTime t -> TIMESTAMP.format(t);
      case Instant t -> TIMESTAMP.format(t.atOffset(ZoneOffset.UTC)) + "Z";
      case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
      default -> value.toString();
    };
  }
}
