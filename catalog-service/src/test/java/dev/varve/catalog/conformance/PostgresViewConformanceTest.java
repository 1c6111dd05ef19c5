package dev.varve.catalog.conformance;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class PostgresViewConformanceTest extends ViewConformance {
  @TempDir static Path directory;
  private static ServedCatalog served;

  @BeforeAll
  static void start() throws IOException {
    served = ServedCatalog.onPostgres(directory);
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
