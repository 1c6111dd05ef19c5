package dev.varve.service.query;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a user can see of catalogs, schemas and tables, asked as the user's own statements. Confined
 * to one call.
 */
public final class CatalogListing {
  public static final String TABLE = "TABLE";
  public static final String VIEW = "VIEW";

  /** A table or view. */
  public record Relation(String catalog, String schema, String name, String type) {}

  /** A schema of a catalog. */
  public record SchemaName(String catalog, String schema) {}

  private final Session session;

  public CatalogListing(Session session) {
    this.session = session;
  }

  public List<String> catalogs() {
    return names("SHOW CATALOGS").stream().sorted().toList();
  }

  /**
   * Schemas in order.
   *
   * @param catalog null for every one
   * @param pattern null for every one
   */
  public List<SchemaName> schemas(@Nullable String catalog, @Nullable String pattern) {
    Pattern wanted = like(pattern);
    List<SchemaName> found = new ArrayList<>();
    for (String each : catalogs()) {
      if (catalog == null || catalog.equals(each)) {
        names("SHOW SCHEMAS FROM " + quoted(each)).stream()
            .filter(schema -> wanted.matcher(schema).matches())
            .sorted()
            .forEach(schema -> found.add(new SchemaName(each, schema)));
      }
    }
    return found;
  }

  /** Tables and views of a schema in order, as the pattern and types want them. */
  public List<Relation> relations(SchemaName schema, @Nullable String pattern, List<String> types) {
    List<Relation> found = new ArrayList<>();
    if (types.isEmpty() || types.contains(TABLE)) {
      add(found, "TABLES", TABLE, schema, like(pattern));
    }
    if (types.isEmpty() || types.contains(VIEW)) {
      add(found, "VIEWS", VIEW, schema, like(pattern));
    }
    return found;
  }

  private void add(
      List<Relation> found, String kind, String type, SchemaName schema, Pattern wanted) {
    String from = quoted(schema.catalog()) + "." + quoted(schema.schema());
    names("SHOW " + kind + " FROM " + from).stream()
        .filter(name -> wanted.matcher(name).matches())
        .sorted()
        .forEach(name -> found.add(new Relation(schema.catalog(), schema.schema(), name, type)));
  }

  /**
   * The columns of a relation; none for one that cannot be read, which must not hide the others.
   */
  public Schema columns(Relation relation) {
    try {
      return session
          .prepare(
              "SELECT * FROM "
                  + quoted(relation.catalog())
                  + "."
                  + quoted(relation.schema())
                  + "."
                  + quoted(relation.name()))
          .schema()
          .orElse(Schema.EMPTY);
    } catch (VarveException e) {
      return Schema.EMPTY;
    }
  }

  private List<String> names(String statement) {
    List<String> names = new ArrayList<>();
    try (QueryHandle handle = session.submit(statement)) {
      Batch batch = handle.nextBatch();
      while (batch != null) {
        for (int row = 0; row < batch.rowCount(); row++) {
          names.add(String.valueOf(batch.column(0).value(row)));
        }
        batch = handle.nextBatch();
      }
    }
    return names;
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A pattern of LIKE with a backslash as its escape. */
  static Pattern like(@Nullable String pattern) {
    if (pattern == null) {
      return Pattern.compile(".*", Pattern.DOTALL);
    }
    StringBuilder regex = new StringBuilder();
    int[] points = pattern.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      if (points[i] == '\\' && i + 1 < points.length) {
        regex.append(Pattern.quote(Character.toString(points[++i])));
      } else {
        regex.append(
            switch (points[i]) {
              case '%' -> ".*";
              case '_' -> ".";
              default -> Pattern.quote(Character.toString(points[i]));
            });
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
