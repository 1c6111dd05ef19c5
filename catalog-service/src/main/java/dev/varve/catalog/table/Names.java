package dev.varve.catalog.table;

import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ValidationException;

/** Namespaces as the database stores them: their levels joined by U+001F. */
final class Names {
  private static final char SEPARATOR = '\u001f';
  private static final int MAX_NAMESPACE_CHARS = 512;
  private static final int MAX_NAME_CHARS = 255;

  private Names() {}

  static String stored(Namespace namespace) {
    for (String level : namespace.levels()) {
      check(level, "namespace");
    }
    String stored = String.join(String.valueOf(SEPARATOR), namespace.levels());
    if (stored.length() > MAX_NAMESPACE_CHARS) {
      throw new ValidationException(
          "Namespace name of %s characters: at most %s are allowed",
          stored.length(), MAX_NAMESPACE_CHARS);
    }
    return stored;
  }

  static Namespace namespace(String stored) {
    return Namespace.of(
        List.of(stored.split(String.valueOf(SEPARATOR), -1)).toArray(String[]::new));
  }

  static Namespace parent(Namespace namespace) {
    String[] levels = namespace.levels();
    return Namespace.of(Arrays.copyOf(levels, levels.length - 1));
  }

  static String stored(TableIdentifier table) {
    check(table.name(), "table");
    if (table.name().length() > MAX_NAME_CHARS) {
      throw new ValidationException(
          "Table name of %s characters: at most %s are allowed",
          table.name().length(), MAX_NAME_CHARS);
    }
    return table.name();
  }

  private static void check(String name, String kind) {
    if (name.isEmpty()) {
      throw new ValidationException("Empty %s name", kind);
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        throw new ValidationException("Control character in %s name '%s'", kind, name);
      }
    }
  }
}
