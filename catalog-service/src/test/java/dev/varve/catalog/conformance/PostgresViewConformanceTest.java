package dev.varve.catalog.conformance;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class PostgresViewConformanceTest extends ViewConformance {
  @TempDir static Path directory;
  private static EmbeddedPostgres postgres;
  private static ServedCatalog served;

  @BeforeAll
  static void start() throws IOException {
    postgres = EmbeddedPostgres.builder().start();
    served =
        new ServedCatalog(
            directory.resolve("warehouse").toString(),
            Map.of(
                "spring.datasource.url",
                postgres.getJdbcUrl("postgres", "postgres"),
                "spring.datasource.username",
                "postgres"));
  }

  @AfterAll
  static void stop() throws IOException {
    served.close();
    postgres.close();
  }

  @Override
  ServedCatalog served() {
    return served;
  }
}
