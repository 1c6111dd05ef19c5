package dev.varve.engine.sql;

import dev.varve.engine.source.SourceTable;
import dev.varve.engine.source.ViewDefinition;
import java.util.List;
import java.util.Optional;

/**
 * The tables of one statement. Confined to it; the same name gives the same table every time, so
 * that one statement reads one snapshot of each.
 */
public interface SchemaResolver {
  /** The session's catalog. */
  String catalog();

  /** The session's schema. */
  String schema();

  /**
   * The full name that a name of this place stands for, which means the same in every other place.
   */
  default List<String> resolved(String catalog, String schema, String table) {
    return List.of(catalog, schema, table);
  }

  /** The table of this full name; empty if there is none. Throws what access control throws. */
  Optional<SourceTable> table(String catalog, String schema, String table);

  /** The view of this full name; empty if there is none. Throws what access control throws. */
  default Optional<ViewDefinition> view(String catalog, String schema, String view) {
    return Optional.empty();
  }

  /** The same tables as they are named in another place: that of a view's definer. */
  default SchemaResolver within(String catalog, String schema) {
    throw new IllegalStateException("there are no views here");
  }

  /** The table that the files of this path or pattern make; FILE_NOT_FOUND if there are none. */
  SourceTable files(String pattern);

  List<String> catalogs();

  /** Empty for a catalog that does not exist. */
  List<String> schemas(String catalog);

  /** Whether a schema can be named; it need not be listed. */
  default boolean hasSchema(String catalog, String schema) {
    return schemas(catalog).contains(schema);
  }

  /** Empty for a schema that does not exist. For suggestions in messages. */
  List<String> tables(String catalog, String schema);

  /** Asked often while a statement is planned; throws when the statement has been ended. */
  default void checkpoint() {}
}
