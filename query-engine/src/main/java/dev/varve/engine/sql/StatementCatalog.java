package dev.varve.engine.sql;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.jspecify.annotations.Nullable;

/**
 * The tables and views that a statement can name, looked up when it names them: first in the
 * session's schema, then as schema.table of its catalog, then as catalog.schema.table. Confined to
 * one statement.
 */
public final class StatementCatalog {
  private final SchemaResolver resolver;
  private final Map<List<String>, CatalogRelation> found = new LinkedHashMap<>();

  StatementCatalog(SchemaResolver resolver) {
    this.resolver = resolver;
  }

  /** The tables that were looked up and found, in that order. */
  Collection<CatalogRelation> tables() {
    return found.values();
  }

  SchemaResolver resolver() {
    return resolver;
  }

  CalciteCatalogReader reader() {
    Properties properties = new Properties();
    properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
    return new Reader(
        CalciteSchema.createRootSchema(false, false, "", new Root()),
        List.of(
            List.of(resolver.catalog(), resolver.schema()), List.of(resolver.catalog()), List.of()),
        new CalciteConnectionConfigImpl(properties));
  }

  private @Nullable CatalogRelation remember(
      List<String> name, Supplier<Optional<? extends CatalogRelation>> relation) {
    CatalogRelation known = found.get(name);
    if (known == null) {
      known = relation.get().orElse(null);
      if (known != null) {
        found.put(name, known);
      }
    }
    return known;
  }

  private static final class Reader extends CalciteCatalogReader {
    Reader(
        CalciteSchema root, List<List<String>> paths, CalciteConnectionConfigImpl configuration) {
      super(
          root,
          SqlNameMatchers.withCaseSensitive(true),
          paths,
          CalciteTypes.FACTORY,
          configuration);
    }
  }

  /** Catalogs, and the one that stands for files named by a path. */
  private final class Root extends AbstractSchema {
    private final Map<String, Schema> opened = new HashMap<>();

    @Override
    public Lookup<? extends Schema> subSchemas() {
      return new Names<Schema>(
          name -> {
            if (name.equals(FileReference.MARKER)) {
              return opened.computeIfAbsent(name, ignored -> new Files());
            }
            return resolver.catalogs().contains(name)
                ? opened.computeIfAbsent(name, Catalog::new)
                : null;
          });
    }
  }

  private final class Catalog extends AbstractSchema {
    private final String catalog;
    private final Map<String, Schema> opened = new HashMap<>();

    Catalog(String catalog) {
      this.catalog = catalog;
    }

    @Override
    public Lookup<? extends Schema> subSchemas() {
      return new Names<Schema>(
          name ->
              resolver.hasSchema(catalog, name)
                  ? opened.computeIfAbsent(name, schema -> new Tables(catalog, schema))
                  : null);
    }
  }

  private final class Tables extends AbstractSchema {
    private final String catalog;
    private final String schema;

    Tables(String catalog, String schema) {
      this.catalog = catalog;
      this.schema = schema;
    }

    @Override
    public Lookup<Table> tables() {
      return new Names<Table>(
          table -> {
            List<String> name = List.of(catalog, schema, table);
            return remember(name, () -> relation(name));
          });
    }

    private Optional<? extends CatalogRelation> relation(List<String> name) {
      List<String> full = resolver.resolved(catalog, schema, name.getLast());
      Optional<CatalogTable> table =
          resolver
              .table(catalog, schema, name.getLast())
              .map(source -> new CatalogTable(full, source));
      return table.isPresent()
          ? table
          : resolver
              .view(catalog, schema, name.getLast())
              .map(definition -> new CatalogView(full, definition));
    }
  }

  private final class Files extends AbstractSchema {
    @Override
    public Lookup<Table> tables() {
      return new Names<Table>(
          path -> {
            List<String> name = List.of(FileReference.MARKER, path);
            return remember(name, () -> Optional.of(new CatalogTable(name, resolver.files(path))));
          });
    }
  }

  /** Names are exact: the parser has folded them. Nothing asks for lists of names. */
  private record Names<T>(Function<String, @Nullable T> find) implements Lookup<T> {
    @Override
    public @Nullable T get(String name) {
      return find.apply(name);
    }

    @Override
    public @Nullable Named<T> getIgnoreCase(String name) {
      T entity = find.apply(name);
      return entity == null ? null : new Named<>(name, entity);
    }

    @Override
    public Set<String> getNames(LikePattern pattern) {
      return Set.of();
    }
  }
}
