package dev.varve.writer.order;

import dev.varve.engine.type.DataType;
import dev.varve.layout.key.KeyType;

/** How values of SQL types are encoded as keys and bounds. */
public final class KeyTypes {
  private KeyTypes() {}

  public static KeyType of(DataType type) {
    return switch (type.kind()) {
      case BOOLEAN -> KeyType.BOOLEAN;
      case SMALLINT, INTEGER, BIGINT, DATE, TIME, TIMESTAMP, TIMESTAMPTZ -> KeyType.INTEGRAL;
      case REAL, DOUBLE -> KeyType.FLOATING;
      case DECIMAL -> KeyType.DECIMAL;
      case VARCHAR -> KeyType.STRING;
      case VARBINARY -> KeyType.BINARY;
      case UUID -> KeyType.UUID;
      case NULL, INTERVAL_DAY, INTERVAL_MONTH ->
          throw new IllegalStateException("no key of type " + type);
    };
  }
}
