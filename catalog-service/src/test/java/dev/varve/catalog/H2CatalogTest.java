package dev.varve.catalog;

import dev.varve.catalog.store.EmbeddedDatabase;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

class H2CatalogTest extends CatalogContract {
  private final List<EmbeddedDatabase> opened = new ArrayList<>();

  @Override
  DataSource freshDatabase() {
    EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("catalog"));
    opened.add(database);
    return database.dataSource();
  }

  @Override
  void closeDatabases() {
    opened.forEach(EmbeddedDatabase::close);
  }
}
