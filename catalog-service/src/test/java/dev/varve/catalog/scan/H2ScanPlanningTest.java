package dev.varve.catalog.scan;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class H2ScanPlanningTest extends ScanPlanningContract {
  @TempDir static Path directory;

  private static CatalogNode node;

  @BeforeAll
  static void start() {
    node =
        new CatalogNode(
            directory.resolve("warehouse"),
            PAGE_FILES,
            Map.of("varve.catalog.database-file", directory.resolve("catalog").toString()));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Override
  CatalogNode node() {
    return node;
  }

  @Override
  long keptPages() throws Exception {
    return pages(node);
  }

  static long pages(CatalogNode node) throws Exception {
    try (Connection connection = node.bean(DataSource.class).getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select count(*) from lh_plan_page")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
