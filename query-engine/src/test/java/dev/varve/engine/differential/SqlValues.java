package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values as SQL text that Varve, DuckDB and PostgreSQL read alike. */
final class SqlValues {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private SqlValues() {}

  static String literal(DataType type, @Nullable Object value) {
    return switch (value) {
      case null -> "CAST(NULL AS " + type + ")";
      case Boolean b -> b ? "TRUE" : "FALSE";
      case Integer i -> i < 0 ? cast(i, type) : i.toString();
      case Long l -> l < 0 || l > Integer.MAX_VALUE ? cast(l, type) : l.toString();
      case Float f -> cast(number(f), type);
      case Double d -> cast(number(d), type);
      case java.math.BigDecimal d -> cast(d.toPlainString(), type);
      case java.time.LocalDate d -> "DATE '" + d + "'";
      case java.time.LocalTime t -> "TIME '" + t + "'";
      case LocalDateTime t -> "TIMESTAMP '" + TIMESTAMP.format(t) + "'";
      case Instant t -> cast(instant(t), type);
      case String s -> "'" + s.replace("'", "''") + "'";
      case java.util.UUID u -> cast(u, type);
      case byte[] b -> cast(HexFormat.of().formatHex(b), type);
      default -> throw new IllegalArgumentException("no SQL text: " + value);
    };
  }

  private static String cast(Object text, DataType type) {
    return "CAST('" + text + "' AS " + type + ")";
  }

  private static String number(double value) {
    return Double.isInfinite(value) ? (value < 0 ? "-Infinity" : "Infinity") : "" + value;
  }

  private static String number(float value) {
    return Float.isInfinite(value) ? (value < 0 ? "-Infinity" : "Infinity") : "" + value;
  }

  static String instant(Instant t) {
    return TIMESTAMP.format(LocalDateTime.ofInstant(t, ZoneOffset.UTC)) + "+00";
  }
}
