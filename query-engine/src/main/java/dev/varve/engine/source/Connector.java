package dev.varve.engine.source;

import java.util.List;
import java.util.Optional;

/**
 * A catalog: schemas of tables. Safe for concurrent use; names are exact (the parser has folded
 * them).
 */
public interface Connector {
  List<String> schemas();

  /** Empty for a schema that does not exist. */
  List<String> tables(String schema);

  Optional<SourceTable> table(String schema, String name);

  /** The views of a schema; they share the names of its tables. */
  default List<String> views(String schema) {
    return List.of();
  }

  default Optional<ViewDefinition> view(String schema, String name) {
    return Optional.empty();
  }

  /** The operations that change this catalog; empty if it is read-only. */
  default Optional<CatalogChanges> changes() {
    return Optional.empty();
  }
}
