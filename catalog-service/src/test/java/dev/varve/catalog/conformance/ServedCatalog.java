package dev.varve.catalog.conformance;

import dev.varve.layout.io.LocalFileIO;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.RESTCatalog;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The catalog served over HTTP on a free port, and Iceberg's client of it. */
final class ServedCatalog implements AutoCloseable {
  /** The defaults and overrides that Iceberg's suites expect their client to be configured with. */
  private static final Map<String, String> CLIENT =
      Map.of(
          CatalogProperties.TABLE_DEFAULT_PREFIX + "default-key1", "catalog-default-key1",
          CatalogProperties.TABLE_DEFAULT_PREFIX + "default-key2", "catalog-default-key2",
          CatalogProperties.TABLE_DEFAULT_PREFIX + "override-key3", "catalog-default-key3",
          CatalogProperties.TABLE_OVERRIDE_PREFIX + "override-key3", "catalog-override-key3",
          CatalogProperties.TABLE_OVERRIDE_PREFIX + "override-key4", "catalog-override-key4",
          CatalogProperties.VIEW_DEFAULT_PREFIX + "key1", "catalog-default-key1",
          CatalogProperties.VIEW_DEFAULT_PREFIX + "key2", "catalog-default-key2",
          CatalogProperties.VIEW_DEFAULT_PREFIX + "key3", "catalog-default-key3",
          CatalogProperties.VIEW_OVERRIDE_PREFIX + "key3", "catalog-override-key3",
          CatalogProperties.VIEW_OVERRIDE_PREFIX + "key4", "catalog-override-key4");

  private final Closeable server;
  private final String warehouse;
  private final ConfigurableApplicationContext application;
  private final RESTCatalog client;

  @EnableAutoConfiguration
  static class Application {}

  /** Over an embedded database in the directory. */
  static ServedCatalog onH2(Path directory) {
    return new ServedCatalog(
        directory,
        Map.of("varve.catalog.database-file", directory.resolve("catalog").toString()),
        () -> {});
  }

  /** Over a PostgreSQL of its own. */
  static ServedCatalog onPostgres(Path directory) throws IOException {
    EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
    return new ServedCatalog(
        directory,
        Map.of(
            "spring.datasource.url",
            postgres.getJdbcUrl("postgres", "postgres"),
            "spring.datasource.username",
            "postgres"),
        postgres);
  }

  /**
   * @param database the settings that name the database
   * @param server closed with the catalog
   */
  private ServedCatalog(Path directory, Map<String, String> database, Closeable server) {
    this.server = server;
    this.warehouse = directory.resolve("warehouse").toString();
    List<String> settings = new ArrayList<>();
    settings.add("--server.port=0");
    settings.add("--spring.main.banner-mode=off");
    settings.add("--varve.catalog.warehouse=" + warehouse);
    database.forEach((name, value) -> settings.add("--" + name + "=" + value));
    application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.SERVLET)
            .run(settings.toArray(String[]::new));
    client = connect("catalog", Map.of());
  }

  String warehouse() {
    return warehouse;
  }

  RESTCatalog client() {
    return client;
  }

  RESTCatalog connect(String name, Map<String, String> properties) {
    String port = application.getEnvironment().getRequiredProperty("local.server.port");
    Map<String, String> all = new HashMap<>(CLIENT);
    all.putAll(properties);
    all.put("uri", "http://localhost:" + port + "/iceberg");
    all.put("io-impl", LocalFileIO.class.getName());
    RESTCatalog catalog = new RESTCatalog();
    catalog.initialize(name, all);
    return catalog;
  }

  /** Drops all tables, views and namespaces, so that each test begins with an empty catalog. */
  void empty() {
    List<Namespace> namespaces = new ArrayList<>();
    collect(Namespace.empty(), namespaces);
    namespaces.sort(Comparator.comparingInt(Namespace::length).reversed());
    for (Namespace namespace : namespaces) {
      client.listTables(namespace).forEach(table -> client.dropTable(table, false));
      client.listViews(namespace).forEach(client::dropView);
      client.dropNamespace(namespace);
    }
  }

  private void collect(Namespace parent, List<Namespace> into) {
    for (Namespace child : client.listNamespaces(parent)) {
      into.add(child);
      collect(child, into);
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    application.close();
    server.close();
  }
}
