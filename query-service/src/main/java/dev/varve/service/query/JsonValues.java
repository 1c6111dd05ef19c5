package dev.varve.service.query;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import tools.jackson.core.JsonGenerator;

/**
 * Values as JSON, without loss: what a double cannot hold is a string (decimals, integers beyond
 * 2^53, NaN and the infinities), binary is hexadecimal after {@code \x}, dates and times are ISO
 * 8601.
 */
final class JsonValues {
  private static final long EXACT_IN_DOUBLE = 1L << 53;

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

  static void write(JsonGenerator json, Column column, int row) {
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
      default -> json.writeString(ValueText.of(value));
    }
  }
}
