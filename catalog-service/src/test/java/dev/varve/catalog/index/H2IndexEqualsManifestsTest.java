package dev.varve.catalog.index;

import dev.varve.catalog.store.EmbeddedDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class H2IndexEqualsManifestsTest extends IndexEqualsManifests {
  private EmbeddedDatabase database;

  @Override
  DataSource freshDatabase() {
    database = EmbeddedDatabase.open(directory.resolve("catalog"));
    return database.dataSource();
  }

  @AfterEach
  void close() {
    database.close();
  }
}
