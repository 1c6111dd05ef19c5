package dev.varve.catalog.conformance;

import java.util.Map;
import java.util.Set;
import org.apache.iceberg.catalog.CatalogTests;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Iceberg expects of a catalog, asked by its own client. */
abstract class CatalogConformance extends CatalogTests<RESTCatalog> {
  /** The suite's tests of an empty namespace: every table of this catalog lies in a named one. */
  @RegisterExtension
  static final SkippedTests SKIPPED =
      new SkippedTests(
          Set.of(
              "createAndDropEmptyNamespace",
              "listNamespacesWithEmptyNamespace",
              "listTablesInEmptyNamespace",
              "namespacePropertiesOnEmptyNamespace"));

  abstract ServedCatalog served();

  @AfterEach
  void empty() {
    served().empty();
  }

  @Override
  protected RESTCatalog catalog() {
    return served().client();
  }

  @Override
  protected RESTCatalog initCatalog(String name, Map<String, String> properties) {
    return served().connect(name, properties);
  }

  @Override
  protected boolean supportsNestedNamespaces() {
    return true;
  }

  @Override
  protected boolean requiresNamespaceCreate() {
    return true;
  }

  @Override
  protected boolean supportsServerSideRetry() {
    return true;
  }

  /** The suite's default lies in the system's temporary folder, outside the warehouse. */
  @Override
  protected String baseTableLocation(TableIdentifier table) {
    Namespace namespace = table.namespace();
    return served().warehouse() + "/" + namespace + "/" + table.name();
  }
}
