package dev.varve.service.query;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import tools.jackson.core.JsonGenerator;

/**
 * Values as JSON, without loss: what a double cannot hold is a string (decimals, integers beyond
 * 2^53, NaN and the infinities), binary is hexadecimal after {@code \x}, dates and times are ISO
 * 8601.
 */
final class JsonValues {
  private static final long EXACT_IN_DOUBLE = 1L << 53;
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
          .toFormatter(java.util.Locale.ROOT);
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral('T')
          .append(TIME)
          .toFormatter(java.util.Locale.ROOT);

  private JsonValues() {}

  /** The batch's rows as arrays; the generator stands in the array of rows. */
  static void writeRows(JsonGenerator json, Batch batch) {
    for (int row = 0; row < batch.rowCount(); row++) {
      json.writeStartArray();
      for (Column column : batch.columns()) {
        write(json, column, row);
      }
      json.writeEndArray();
    }
  }

  private static void write(JsonGenerator json, Column column, int row) {
    Object value = column.value(row);
    switch (value) {
      case null -> json.writeNull();
      case Boolean b -> json.writeBoolean(b);
      case Short s -> json.writeNumber(s.intValue());
      case Integer i -> json.writeNumber(i);
      case Long l -> {
        if (l > -EXACT_IN_DOUBLE && l < EXACT_IN_DOUBLE) {
          json.writeNumber(l);
        } else {
          json.writeString(Long.toString(l));
        }
      }
      case Float f -> {
        if (Float.isFinite(f)) {
          json.writeNumber(f);
        } else {
          json.writeString(f.toString());
        }
      }
      case Double d -> {
        if (Double.isFinite(d)) {
          json.writeNumber(d);
        } else {
          json.writeString(d.toString());
        }
      }
      case BigDecimal d -> json.writeString(d.toPlainString());
      case LocalTime t -> json.writeString(TIME.format(t));
      case LocalDateTime t -> json.writeString(TIMESTAMP.format(t));
      case Instant t -> json.writeString(TIMESTAMP.format(t.atOffset(ZoneOffset.UTC)) + "Z");
      case byte[] bytes -> json.writeString("\\x" + HexFormat.of().formatHex(bytes));
      default -> json.writeString(value.toString());
    }
  }
}
