package dev.varve.engine.statement;

import dev.varve.engine.connector.CatalogSet;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.sql.Suggestions;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;

/** The error for a table that does not exist: what of its name is wrong, and what comes nearest. */
final class MissingTable {
  private MissingTable() {}

  static VarveException error(CatalogSet catalogs, ObjectName name) {
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
          Suggestions.hint(name.schema(), catalogs.schemas(name.catalog())),
          null);
    }
    return new VarveException(
        ErrorCode.UNDEFINED_TABLE,
        "table '" + name + "' does not exist",
        null,
        Suggestions.hint(name.table(), catalogs.tables(name.catalog(), name.schema())),
        null);
  }
}
