package dev.varve.engine.connector;

import dev.varve.engine.port.ObjectName;
import dev.varve.engine.source.CatalogChanges;
import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.source.ViewDefinition;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The catalogs by name, and how names of one to three parts are resolved: {@code t} in the
 * session's schema; {@code s.t} in the session's catalog, or, where that has no schema s, in the
 * default schema of a catalog s; {@code c.s.t} as it says. Safe for concurrent use.
 */
public final class CatalogSet {
  /** The schema a catalog without a schema in the name means. */
  private static final Map<String, String> DEFAULT_SCHEMAS = Map.of("system", "runtime");

  private final Map<String, Connector> connectors;

  public CatalogSet(Map<String, Connector> connectors) {
    this.connectors = new LinkedHashMap<>(connectors);
  }

  public List<String> names() {
    return List.copyOf(connectors.keySet());
  }

  public Connector connector(String catalog) {
    Connector connector = connectors.get(catalog);
    if (connector == null) {
      throw new VarveException(
          ErrorCode.UNDEFINED_CATALOG,
          "catalog '" + catalog + "' does not exist",
          null,
          "catalogs are " + String.join(", ", connectors.keySet()),
          null);
    }
    return connector;
  }

  public boolean hasCatalog(String catalog) {
    return connectors.containsKey(catalog);
  }

  /**
   * Whether a schema can be named: it is listed, or has tables though it is not (a scale of TPC-H).
   */
  public boolean hasSchema(String catalog, String schema) {
    Connector connector = connectors.get(catalog);
    return connector != null
        && (schema.equals(InformationSchema.NAME)
            || connector.schemas().contains(schema)
            || !connector.tables(schema).isEmpty());
  }

  /** The schema that USE of a catalog alone means. */
  public String defaultSchema(String catalog) {
    return DEFAULT_SCHEMAS.getOrDefault(catalog, InformationSchema.NAME);
  }

  /** The catalogs whose tables can be named by catalog and table alone. */
  public List<String> catalogsWithDefaultSchema() {
    return connectors.keySet().stream().filter(DEFAULT_SCHEMAS::containsKey).toList();
  }

  public List<String> schemas(String catalog) {
    List<String> all = new ArrayList<>(connector(catalog).schemas());
    all.add(InformationSchema.NAME);
    return all;
  }

  public List<String> tables(String catalog, String schema) {
    return schema.equals(InformationSchema.NAME)
        ? InformationSchema.tables()
        : connector(catalog).tables(schema);
  }

  /** Empty for a schema that does not exist. */
  public List<String> views(String catalog, String schema) {
    return schema.equals(InformationSchema.NAME) ? List.of() : connector(catalog).views(schema);
  }

  public Optional<ViewDefinition> view(ObjectName name) {
    return hasCatalog(name.catalog()) && !name.schema().equals(InformationSchema.NAME)
        ? connector(name.catalog()).view(name.schema(), name.table())
        : Optional.empty();
  }

  public ObjectName resolve(List<String> parts, String currentCatalog, String currentSchema) {
    return switch (parts.size()) {
      case 1 -> new ObjectName(currentCatalog, currentSchema, parts.get(0));
      case 2 -> {
        String first = parts.get(0);
        String catalogDefault = DEFAULT_SCHEMAS.get(first);
        yield catalogDefault != null && hasCatalog(first) && !hasSchema(currentCatalog, first)
            ? new ObjectName(first, catalogDefault, parts.get(1))
            : new ObjectName(currentCatalog, first, parts.get(1));
      }
      case 3 -> new ObjectName(parts.get(0), parts.get(1), parts.get(2));
      default ->
          throw new VarveException(
              ErrorCode.UNDEFINED_TABLE,
              "name '" + String.join(".", parts) + "' has more than catalog, schema and table");
    };
  }

  public Optional<SourceTable> table(ObjectName name) {
    if (!hasCatalog(name.catalog())) {
      return Optional.empty();
    }
    Connector connector = connector(name.catalog());
    return name.schema().equals(InformationSchema.NAME)
        ? new InformationSchema(name.catalog(), connector).table(name.table())
        : connector.table(name.schema(), name.table());
  }

  /** The way to change a catalog; FEATURE_NOT_SUPPORTED where it is read-only. */
  public CatalogChanges changes(String catalog) {
    return connector(catalog)
        .changes()
        .orElseThrow(
            () ->
                new VarveException(
                    ErrorCode.FEATURE_NOT_SUPPORTED, "catalog '" + catalog + "' is read-only"));
  }
}
