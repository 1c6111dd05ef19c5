package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.EmbeddedDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** On the embedded database. */
class H2UpkeepTest extends UpkeepContract {
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
