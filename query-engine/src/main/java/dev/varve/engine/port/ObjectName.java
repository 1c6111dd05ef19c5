package dev.varve.engine.port;

/** A catalog object; schema and table are empty where the object is wider. */
public record ObjectName(String catalog, String schema, String table) {
  public static ObjectName catalog(String catalog) {
    return new ObjectName(catalog, "", "");
  }

  public static ObjectName schema(String catalog, String schema) {
    return new ObjectName(catalog, schema, "");
  }

  @Override
  public String toString() {
    return catalog + (schema.isEmpty() ? "" : "." + schema) + (table.isEmpty() ? "" : "." + table);
  }
}
