package dev.varve.catalog.conformance;

import java.util.Set;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.view.ViewCatalogTests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Iceberg expects of a catalog with views, asked by its own client. */
abstract class ViewConformance extends ViewCatalogTests<RESTCatalog> {
  /** Every view of this catalog lies in a named namespace. */
  @RegisterExtension
  static final SkippedTests SKIPPED = new SkippedTests(Set.of("listViewsInEmptyNamespace"));

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
  protected Catalog tableCatalog() {
    return served().client();
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
  protected String viewLocation(String... paths) {
    return served().warehouse() + "/" + String.join("/", paths);
  }
}
