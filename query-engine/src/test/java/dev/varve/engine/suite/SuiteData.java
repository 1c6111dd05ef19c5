package dev.varve.engine.suite;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** The tables of the SQL suite as Parquet files that DuckDB wrote, and a DuckDB over them. */
public final class SuiteData implements ParquetTables, AutoCloseable {
  private final int bigRows;
  private final Path folder;
  private final DuckDBConnection duckdb;
  private final List<String> tables = new ArrayList<>();

  private SuiteData(Path folder, DuckDBConnection duckdb, int bigRows) {
    this.bigRows = bigRows;
    this.folder = folder;
    this.duckdb = duckdb;
  }

  /** Makes the files in {@code folder}: TPC-H at {@code scale}, {@code bigRows} rows in t_big. */
  public static SuiteData create(Path folder, double scale, int bigRows) {
    try {
      Files.createDirectories(folder);
      DuckDBConnection connection =
          DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
      SuiteData data = new SuiteData(folder, connection, bigRows);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET threads = 1");
        statement.execute("SET preserve_insertion_order = true");
        for (String sql :
            resource("/sql/data.sql")
                .replace("${bigRows}", Integer.toString(bigRows))
                .split(";\\s*\\n")) {
          if (!sql.isBlank()) {
            statement.execute(sql);
          }
        }
        for (TpchTable<?> table : TpchTable.getTables()) {
          data.loadTpch(table, scale, statement);
        }
        data.export(statement);
      }
      return data;
    } catch (SQLException e) {
      throw new IllegalStateException("DuckDB could not make the suite's data", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String resource(String name) throws IOException {
    try (InputStream in = SuiteData.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no test resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private <E extends TpchEntity> void loadTpch(
      TpchTable<E> table, double scale, Statement statement) throws SQLException {
    StringBuilder ddl = new StringBuilder("CREATE TABLE " + table.getTableName() + " (");
    for (TpchColumn<E> column : table.getColumns()) {
      ddl.append(ddl.charAt(ddl.length() - 1) == '(' ? "" : ", ")
          .append(column.getColumnName())
          .append(
              switch (column.getType().getBase()) {
                case INTEGER -> " INTEGER";
                case IDENTIFIER -> " BIGINT";
                case DATE -> " DATE";
                case DOUBLE -> " DECIMAL(15,2)";
                case VARCHAR -> " VARCHAR";
              })
          .append(" NOT NULL");
    }
    statement.execute(ddl.append(')').toString());
    try (DuckDBAppender appender = duckdb.createAppender("main", table.getTableName())) {
      for (E row : table.createGenerator(scale, 1, 1)) {
        appender.beginRow();
        for (TpchColumn<E> column : table.getColumns()) {
          switch (column.getType().getBase()) {
            case INTEGER -> appender.append(column.getInteger(row));
            case IDENTIFIER -> appender.append(column.getIdentifier(row));
            case DATE -> appender.append(LocalDate.ofEpochDay(column.getDate(row)));
            case DOUBLE ->
                appender.append(BigDecimal.valueOf(Math.round(column.getDouble(row) * 100), 2));
            case VARCHAR -> appender.append(column.getString(row));
          }
        }
        appender.endRow();
      }
    }
  }

  private void export(Statement statement) throws SQLException {
    List<String> names = new ArrayList<>();
    try (var rows =
        statement.executeQuery("SELECT table_name FROM duckdb_tables() ORDER BY table_name")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    for (String name : names) {
      statement.execute(
          "COPY " + name + " TO '" + file(name) + "' (FORMAT parquet, ROW_GROUP_SIZE 4096)");
      view(statement, name, file(name).toString());
    }
    Path parts = folder.resolve("t_parts");
    try {
      Files.createDirectories(parts);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int partRows = bigRows / 10;
    for (int i = 0; i < 6; i++) {
      statement.execute(
          "COPY (SELECT id, k, g, v FROM t_big WHERE id >= "
              + i * partRows
              + " AND id < "
              + (i + 1) * partRows
              + " ORDER BY id) TO '"
              + parts.resolve("part-" + i + ".parquet")
              + "' (FORMAT parquet, COMPRESSION zstd)");
    }
    view(statement, "t_parts", parts + "/*.parquet");
  }

  private void view(Statement statement, String name, String pattern) throws SQLException {
    statement.execute("DROP TABLE IF EXISTS " + name);
    statement.execute("CREATE VIEW " + name + " AS SELECT * FROM read_parquet('" + pattern + "')");
    tables.add(name);
  }

  private Path file(String table) {
    return folder.resolve(table + ".parquet");
  }

  @Override
  public List<String> tables() {
    return List.copyOf(tables);
  }

  @Override
  public String pattern(String table) {
    return table.equals("t_parts")
        ? folder.resolve("t_parts") + "/*.parquet"
        : file(table).toString();
  }

  public Connection duckdb() {
    return duckdb;
  }

  @Override
  public void close() {
    try {
      duckdb.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
