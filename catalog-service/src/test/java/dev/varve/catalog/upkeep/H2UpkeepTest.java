package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.EmbeddedDatabase;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** On the embedded database. */
class H2UpkeepTest extends UpkeepContract {
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
