package dev.varve.bench.contest;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.store.EmbeddedDatabase;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.config.Settings;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.writer.WriterSinkFactory;
import java.nio.file.Path;
import org.apache.iceberg.catalog.Namespace;

/** A catalog and a warehouse in one folder, and an engine over them. */
public final class LocalLake implements AutoCloseable {
  /** Where sessions start. */
  private static final String SCHEMA = "bench";

  private final EmbeddedDatabase database;
  private final LakeCatalog catalog;
  private final QueryEngine engine;

  private LocalLake(EmbeddedDatabase database, LakeCatalog catalog, QueryEngine engine) {
    this.database = database;
    this.catalog = catalog;
    this.engine = engine;
  }

  public static LocalLake open(Path folder, int cores, Settings settings) {
    EmbeddedDatabase database = EmbeddedDatabase.open(folder.resolve("catalog/catalog"));
    LakeCatalog catalog =
        LakeCatalog.open(
            database.dataSource(),
            new CatalogSettings("lake", folder.resolve("warehouse").toString()),
            new LocalFileIO());
    Namespace schema = Namespace.of(SCHEMA);
    if (!catalog.catalog().namespaceExists(schema)) {
      catalog.catalog().createNamespace(schema);
    }
    QueryEngine engine =
        Engines.builder(new WriterSinkFactory(catalog.layoutIndex()), cores)
            .lake("lake", catalog.catalog(), catalog.layoutIndex())
            .startIn("lake", SCHEMA)
            .settings(settings)
            .build();
    return new LocalLake(database, catalog, engine);
  }

  public QueryEngine engine() {
    return engine;
  }

  /** Closes the catalog; the engine is closed by whom it was given to. */
  @Override
  public void close() {
    catalog.close();
    database.close();
  }
}
