package dev.varve.catalog.upkeep;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same on PostgreSQL, where processes share the database. */
class PostgresUpkeepTest extends UpkeepContract {
  private static EmbeddedPostgres postgres;
  private static int databases;

  @BeforeAll
  static void start() throws IOException {
    postgres = EmbeddedPostgres.builder().start();
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  @Override
  DataSource freshDatabase() throws SQLException {
    String name = "upkeep" + databases++;
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    return postgres.getDatabase("postgres", name, Map.of("prepareThreshold", "-1"));
  }

  @Test
  @Override
  void anotherProcessKeepsWhatItReads() {
    super.anotherProcessKeepsWhatItReads();
  }
}
