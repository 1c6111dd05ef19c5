package dev.varve.catalog.index;

import dev.varve.catalog.store.EmbeddedDatabase;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

class H2IndexEqualsManifestsTest extends IndexEqualsManifests {
  private @Nullable EmbeddedDatabase database;

  @Override
  DataSource freshDatabase() {
    EmbeddedDatabase opened = EmbeddedDatabase.open(directory.resolve("catalog"));
    database = opened;
    return opened.dataSource();
  }

  @AfterEach
  void close() {
    if (database != null) {
      database.close();
    }
  }
}
