package dev.varve.catalog.index;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

class PostgresIndexEqualsManifestsTest extends IndexEqualsManifests {
  private @Nullable EmbeddedPostgres postgres;

  @Override
  DataSource freshDatabase() throws IOException {
    EmbeddedPostgres opened = EmbeddedPostgres.builder().start();
    postgres = opened;
    return opened.getDatabase("postgres", "postgres", Map.of("prepareThreshold", "-1"));
  }

  @AfterEach
  void close() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }
}
