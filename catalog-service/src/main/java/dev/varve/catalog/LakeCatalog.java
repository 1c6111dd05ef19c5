package dev.varve.catalog;

import dev.varve.catalog.index.JdbcLayoutIndex;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Migrations;
import dev.varve.catalog.table.JdbcTableCatalog;
import dev.varve.catalog.table.RequestKeys;
import dev.varve.layout.LayoutIndex;
import java.time.Clock;
import javax.sql.DataSource;
import org.apache.iceberg.io.FileIO;

/**
 * The catalog of one lake, put together: Iceberg's tables and namespaces, and the layout index that
 * every commit keeps. The data source and the FileIO belong to the caller. Safe for concurrent use.
 */
public final class LakeCatalog {
  private final JdbcTableCatalog catalog;
  private final JdbcLayoutIndex layoutIndex;

  private final RequestKeys requestKeys;

  private LakeCatalog(
      JdbcTableCatalog catalog, JdbcLayoutIndex layoutIndex, RequestKeys requestKeys) {
    this.requestKeys = requestKeys;
    this.catalog = catalog;
    this.layoutIndex = layoutIndex;
  }

  /** Brings the database's tables to this version and opens the catalog over them. */
  public static LakeCatalog open(DataSource dataSource, CatalogSettings settings, FileIO io) {
    return open(dataSource, settings, io, Clock.systemUTC());
  }

  public static LakeCatalog open(
      DataSource dataSource, CatalogSettings settings, FileIO io, Clock clock) {
    Migrations.run(dataSource);
    Database database = new Database(dataSource);
    return new LakeCatalog(
        new JdbcTableCatalog(settings.name(), database, settings.warehouse(), io),
        new JdbcLayoutIndex(database, clock, settings.factsCacheBytes()),
        new RequestKeys(database));
  }

  /** Iceberg's catalog; it also is a SupportsNamespaces. */
  public JdbcTableCatalog catalog() {
    return catalog;
  }

  /** The request keys of changes that are done. */
  public RequestKeys requestKeys() {
    return requestKeys;
  }

  public LayoutIndex layoutIndex() {
    return layoutIndex;
  }
}
