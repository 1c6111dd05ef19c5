package dev.varve.engine.differential;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** DuckDB, set up to mean what PostgreSQL means where it has a setting for it. */
final class DuckDbViews {
  private DuckDbViews() {}

  static Connection open() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (java.sql.Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      statement.execute("SET threads = 1");
      for (String setting : Divergence.peerSettings()) {
        statement.execute(setting);
      }
    }
    return connection;
  }

  /** A view over the table's files. */
  static void create(Connection duckdb, TestTable table) throws SQLException {
    try (java.sql.Statement statement = duckdb.createStatement()) {
      statement.execute(
          "CREATE VIEW "
              + table.name()
              + " AS SELECT * FROM read_parquet('"
              + table.pattern()
              + "')");
    }
  }
}
