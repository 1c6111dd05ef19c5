package dev.varve.bench.tpch;

import dev.varve.bench.BadUsage;
import dev.varve.bench.contest.ContestFailure;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** One Parquet file for each table of TPC-H, made once. */
final class TpchFiles {
  private TpchFiles() {}

  /** The file of each table in {@code folder}. */
  static Map<String, String> in(Path folder) {
    Map<String, String> files = new TreeMap<>();
    for (TpchTable<?> table : TpchTable.getTables()) {
      Path file = folder.resolve(table.getTableName() + ".parquet").toAbsolutePath();
      if (!Files.isRegularFile(file)) {
        throw new BadUsage("there is no file " + file);
      }
      files.put(table.getTableName(), file.toString());
    }
    return files;
  }

  /** The files under {@code home}, which are made if they are not there. */
  static Map<String, String> cached(Path home, double scale, String writer, PrintStream out) {
    Path folder = home.resolve("bench").resolve("tpch-" + scale + "-" + writer);
    try {
      Files.createDirectories(folder);
      for (TpchTable<?> table : TpchTable.getTables()) {
        Path file = folder.resolve(table.getTableName() + ".parquet");
        if (Files.isRegularFile(file)) {
          continue;
        }
        out.println("writing " + file);
        out.flush();
        // A file has its name only when it is complete.
        Path unfinished =
            folder.resolve("." + table.getTableName() + "-" + UUID.randomUUID() + ".parquet");
        switch (writer) {
          case "duckdb" -> byDuckDb(table, scale, unfinished);
          case "varve" -> ByVarve.write(table.getTableName(), scale, unfinished);
          default -> throw new IllegalStateException("no writer " + writer);
        }
        Files.move(unfinished, file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep files in " + folder, e);
    }
    return in(folder);
  }

  private static <E extends TpchEntity> void byDuckDb(TpchTable<E> table, double scale, Path file) {
    try (DuckDBConnection connection =
            DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
        Statement statement = connection.createStatement()) {
      StringBuilder columns = new StringBuilder();
      for (TpchColumn<E> column : table.getColumns()) {
        columns
            .append(columns.isEmpty() ? "" : ", ")
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
      statement.execute("CREATE TABLE rows (" + columns + ")");
      try (DuckDBAppender appender = connection.createAppender("main", "rows")) {
        for (E row : table.createGenerator(scale, 1, 1)) {
          append(appender, table, row);
        }
      }
      statement.execute(
          "COPY rows TO '" + file.toString().replace("'", "''") + "' (FORMAT parquet)");
    } catch (SQLException e) {
      throw new ContestFailure("DuckDB cannot write " + file, e);
    }
  }

  private static <E extends TpchEntity> void append(
      DuckDBAppender appender, TpchTable<E> table, E row) throws SQLException {
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
