package dev.varve.catalog.index;

import dev.varve.layout.key.KeyType;

/** The numbers of key types in the database; they never change. */
final class StoredKeyType {
  private StoredKeyType() {}

  static int code(KeyType type) {
    return switch (type) {
      case BOOLEAN -> 1;
      case INTEGRAL -> 2;
      case FLOATING -> 3;
      case DECIMAL -> 4;
      case STRING -> 5;
      case BINARY -> 6;
      case UUID -> 7;
    };
  }

  static KeyType of(int code) {
    for (KeyType type : KeyType.values()) {
      if (code(type) == code) {
        return type;
      }
    }
    throw new IllegalStateException("no key type has the number " + code);
  }
}
