package dev.varve.catalog.background;

import dev.varve.catalog.store.EmbeddedDatabase;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class H2BackgroundTest extends BackgroundContract {
  private final List<EmbeddedDatabase> opened = new ArrayList<>();

  @Override
  DataSource freshDatabase() {
    EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("background"));
    opened.add(database);
    return database.dataSource();
  }

  @AfterEach
  void close() {
    opened.forEach(EmbeddedDatabase::close);
  }
}
