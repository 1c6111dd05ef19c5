package dev.varve.engine.statement;

import dev.varve.engine.connector.CatalogSet;
import dev.varve.engine.port.ObjectName;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Names that come near to one that does not exist. */
final class Suggestions {
  private Suggestions() {}

  static VarveException noSuchTable(CatalogSet catalogs, ObjectName name) {
    if (!catalogs.hasCatalog(name.catalog())) {
      return new VarveException(
          ErrorCode.UNDEFINED_CATALOG,
          "catalog '" + name.catalog() + "' does not exist",
          null,
          "catalogs are " + String.join(", ", catalogs.names()),
          null);
    }
    if (!catalogs.hasSchema(name.catalog(), name.schema())) {
      return new VarveException(
          ErrorCode.UNDEFINED_SCHEMA,
          "schema '" + name.catalog() + "." + name.schema() + "' does not exist",
          null,
          hint(name.schema(), catalogs.schemas(name.catalog())),
          null);
    }
    return new VarveException(
        ErrorCode.UNDEFINED_TABLE,
        "table '" + name + "' does not exist",
        null,
        hint(name.table(), catalogs.tables(name.catalog(), name.schema())),
        null);
  }

  static @org.jspecify.annotations.Nullable String hint(String name, Collection<String> known) {
    return nearest(name, known).map(n -> "did you mean '" + n + "'?").orElse(null);
  }

  private static Optional<String> nearest(String name, Collection<String> known) {
    return known.stream()
        .filter(k -> distance(name, k) <= Math.max(1, name.length() / 3))
        .min(Comparator.comparingInt(k -> distance(name, k)));
  }

  /** Levenshtein's edit distance. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
