package dev.varve.catalog.index;

import dev.varve.catalog.store.EmbeddedDatabase;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

class H2CachedIndexTest extends CachedIndexContract {
  private @Nullable EmbeddedDatabase database;

  @Override
  DataSource freshDatabase() {
    database = EmbeddedDatabase.open(directory.resolve("catalog"));
    return database.dataSource();
  }

  @Override
  void closeDatabase() {
    if (database != null) {
      database.close();
    }
  }
}
