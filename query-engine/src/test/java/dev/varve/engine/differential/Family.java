package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;

/** Types whose values compare with one another without a cast, as the generator sees them. */
enum Family {
  BOOLEAN,
  INTEGER,
  DECIMAL,
  FLOAT,
  DATE,
  TIMESTAMP,
  TIMESTAMPTZ,
  TEXT,
  TIME,
  BINARY,
  UUID;

  static Family of(DataType type) {
    return switch (type.kind()) {
      case NULL, VARCHAR -> TEXT;
      case BOOLEAN -> BOOLEAN;
      case SMALLINT, INTEGER, BIGINT -> INTEGER;
      case REAL, DOUBLE -> FLOAT;
      case DECIMAL -> DECIMAL;
      case DATE -> DATE;
      case TIME -> TIME;
      case TIMESTAMP -> TIMESTAMP;
      case TIMESTAMPTZ -> TIMESTAMPTZ;
      case VARBINARY -> BINARY;
      case UUID -> UUID;
      case INTERVAL_DAY, INTERVAL_MONTH ->
          throw new IllegalArgumentException("no column of type " + type);
    };
  }

  boolean isNumeric() {
    return this == INTEGER || this == DECIMAL || this == FLOAT;
  }
}
