package dev.varve.engine.operator;

import dev.varve.engine.properties.Precision;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.Optional;

/** Estimates of bytes in memory, from types alone. */
final class Sizes {
  private static final int ASSUMED_STRING_BYTES = 20;

  private Sizes() {}

  static int widthOf(DataType type) {
    return switch (type.physical()) {
      case BOOLEAN -> 1;
      case INT, FLOAT -> 4;
      case LONG, DOUBLE -> 8;
      case INT128 -> 16;
      case BYTES -> ASSUMED_STRING_BYTES;
    };
  }

  static long rowWidth(Schema schema) {
    long width = 0;
    for (Field field : schema.fields()) {
      width += widthOf(field.type());
    }
    return width;
  }

  /** An estimate, hence never exact. */
  static Optional<Precision<Long>> estimate(Precision<Long> rows, Schema schema) {
    long width = rowWidth(schema);
    return rows.known()
        .map(
            n ->
                Precision.inexact(
                    n > Long.MAX_VALUE / Math.max(1, width) ? Long.MAX_VALUE : n * width));
  }
}
