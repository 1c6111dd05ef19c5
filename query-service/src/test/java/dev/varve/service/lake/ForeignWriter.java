package dev.varve.service.lake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;

/** Another engine: DuckDB writes the files, Iceberg's own library commits them. */
final class ForeignWriter implements AutoCloseable {
  private final Connection duckDb;

  ForeignWriter() {
    try {
      duckDb = DriverManager.getConnection("jdbc:duckdb:");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A file of a query's rows, in row groups of so many rows, not yet in the table. */
  DataFile write(Table table, String query, int rowGroupRows, boolean claimsOrder) {
    try (Statement statement = duckDb.createStatement()) {
      Path path = Path.of(table.location().replaceFirst("^file:(//)?", ""));
      Path data = path.resolve("data");
      Files.createDirectories(data);
      Path file = data.resolve("foreign-" + UUID.randomUUID() + ".parquet");
      statement.execute("SET preserve_insertion_order = true");
      statement.execute("SET threads = 1");
      long rows =
          statement.executeUpdate(
              "COPY ("
                  + query
                  + ") TO '"
                  + file
                  + "' (FORMAT parquet, ROW_GROUP_SIZE "
                  + rowGroupRows
                  + ")");
      return DataFiles.builder(table.spec())
          .withPath(file.toString())
          .withFormat("parquet")
          .withFileSizeInBytes(Files.size(file))
          .withRecordCount(rows)
          .withSortOrder(claimsOrder ? table.sortOrder() : SortOrder.unsorted())
          .build();
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same, and the file is in the table; its path. */
  String append(Table table, String query, boolean claimsOrder) {
    DataFile file = write(table, query, 2048, claimsOrder);
    table.newAppend().appendFile(file).commit();
    return file.location();
  }

  @Override
  public void close() {
    try {
      duckDb.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
