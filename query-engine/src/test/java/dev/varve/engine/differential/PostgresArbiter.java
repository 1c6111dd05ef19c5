package dev.varve.engine.differential;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgreSQL, which says who is right where Varve and DuckDB differ. */
public final class PostgresArbiter implements AutoCloseable {
  private final EmbeddedPostgres server;
  private final Connection connection;

  private PostgresArbiter(EmbeddedPostgres server, Connection connection) {
    this.server = server;
    this.connection = connection;
  }

  public static PostgresArbiter start() {
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.builder().setLocaleConfig("locale", "C.UTF-8").start();
      Connection connection = server.getPostgresDatabase().getConnection();
      try (java.sql.Statement statement = connection.createStatement()) {
        statement.execute("SET TIME ZONE 'UTC'");
      }
      return new PostgresArbiter(server, connection);
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL does not answer", e);
    }
  }

  Answer ask(String sql) {
    return Answer.of(connection, sql);
  }

  /** Its verdict over these tables, in words. */
  String judge(List<TestTable> tables, Statement statement, Answer varve, Answer duckdb) {
    try {
      load(tables);
    } catch (SQLException e) {
      return "cannot hold the tables: " + e.getMessage();
    }
    Answer right = ask(statement.sql());
    if (right instanceof Answer.Refusal r) {
      return "refuses: " + r.message().lines().findFirst().orElse("");
    }
    boolean ours = Differential.difference(varve, right, statement).isEmpty();
    Optional<String> theirs = Differential.difference(duckdb, right, statement);
    return ours
        ? "agrees with Varve"
        : theirs.isEmpty() ? "agrees with DuckDB" : "differs from both: DuckDB has " + theirs.get();
  }

  private void load(List<TestTable> tables) throws SQLException {
    try (java.sql.Statement statement = connection.createStatement()) {
      for (TestTable table : tables) {
        statement.execute("DROP TABLE IF EXISTS " + table.name());
        statement.execute(
            "CREATE TABLE " + table.name() + " (" + name(TableFiles.ddl(table.columns())) + ")");
        for (int from = 0; from < table.rows().size(); from += 500) {
          statement.execute(insert(table, from, Math.min(table.rows().size(), from + 500)));
        }
      }
    }
  }

  /** The name that PostgreSQL has for bytes. */
  private static String name(String types) {
    return types.replace("varbinary", "bytea");
  }

  private static String insert(TestTable table, int from, int to) {
    List<String> rows = new ArrayList<>();
    for (List<@Nullable Object> row : table.rows().subList(from, to)) {
      List<String> values = new ArrayList<>();
      for (int c = 0; c < row.size(); c++) {
        values.add(
            row.get(c) instanceof byte[] bytes
                ? "'\\x" + HexFormat.of().formatHex(bytes) + "'::bytea"
                : name(SqlValues.literal(table.columns().get(c).type(), row.get(c))));
      }
      rows.add(values.stream().collect(Collectors.joining(", ", "(", ")")));
    }
    return "INSERT INTO " + table.name() + " VALUES " + String.join(", ", rows);
  }

  @Override
  public void close() {
    try (server) {
      connection.close();
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("PostgreSQL does not stop", e);
    }
  }
}
