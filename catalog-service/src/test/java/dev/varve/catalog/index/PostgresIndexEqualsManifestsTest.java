package dev.varve.catalog.index;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class PostgresIndexEqualsManifestsTest extends IndexEqualsManifests {
  private EmbeddedPostgres postgres;

  @Override
  DataSource freshDatabase() throws IOException {
    postgres = EmbeddedPostgres.builder().start();
    return postgres.getDatabase("postgres", "postgres", Map.of("prepareThreshold", "-1"));
  }

  @AfterEach
  void close() throws IOException {
    postgres.close();
  }
}
