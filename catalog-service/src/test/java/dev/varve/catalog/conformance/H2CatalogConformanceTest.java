package dev.varve.catalog.conformance;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class H2CatalogConformanceTest extends CatalogConformance {
  @TempDir static Path directory;
  private static ServedCatalog served;

  @BeforeAll
  static void start() {
    served = ServedCatalog.onH2(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    served.close();
  }

  @Override
  ServedCatalog served() {
    return served;
  }
}
