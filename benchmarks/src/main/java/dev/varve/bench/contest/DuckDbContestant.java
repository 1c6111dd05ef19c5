package dev.varve.bench.contest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.bench.arrow.ArrowSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.duckdb.DuckDBResultSet;
import org.duckdb.ProfilerPrintFormat;

/**
 * DuckDB in this process by JDBC, over views on files. Results are streamed, and it keeps the
 * footers of files as we do. Confined to one thread.
 */
public final class DuckDbContestant implements Contestant {
  private static final long BATCH_ROWS = 8192;

  private final DuckDBConnection connection;
  private final BufferAllocator allocator = new RootAllocator();

  public DuckDbContestant(int threads) {
    Properties properties = new Properties();
    properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    try {
      connection =
          DriverManager.getConnection("jdbc:duckdb:", properties).unwrap(DuckDBConnection.class);
    } catch (SQLException e) {
      throw new ContestFailure("DuckDB does not start", e);
    }
    execute("SET threads = " + threads);
    execute("SET TimeZone = 'UTC'");
    execute("SET parquet_metadata_cache = true");
  }

  public void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new ContestFailure("DuckDB refuses: " + sql, e);
    }
  }

  /** A name for the rows of files. */
  public void view(String name, List<String> files) {
    execute(
        files.stream()
            .map(file -> "'" + file.replace("'", "''") + "'")
            .collect(
                Collectors.joining(
                    ", ",
                    "CREATE OR REPLACE VIEW " + name + " AS SELECT * FROM read_parquet([",
                    "])")));
  }

  @Override
  public String name() {
    return "duckdb";
  }

  @Override
  public void run(String sql, ArrowSink sink) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      drain(rows, sink);
    } catch (SQLException e) {
      throw new ContestFailure("DuckDB fails: " + e.getMessage(), e);
    }
  }

  @Override
  public void lookUp(String sql, long[] parameters, ArrowSink sink) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (long parameter : parameters) {
        statement.setLong(1, parameter);
        try (ResultSet rows = statement.executeQuery()) {
          drain(rows, sink);
        }
      }
    } catch (SQLException e) {
      throw new ContestFailure("DuckDB fails: " + e.getMessage(), e);
    }
  }

  private void drain(ResultSet rows, ArrowSink sink) throws SQLException {
    Object stream = rows.unwrap(DuckDBResultSet.class).arrowExportStream(allocator, BATCH_ROWS);
    try (ArrowReader reader = (ArrowReader) stream) {
      while (reader.loadNextBatch()) {
        sink.accept(reader.getVectorSchemaRoot());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What its profiler says, which is on for this run only. */
  @Override
  public OptionalLong peakBytes(Workload work) {
    execute("SET enable_profiling = 'no_output'");
    try {
      work.run(this, ArrowSink.counting());
      JsonNode peak =
          new ObjectMapper()
              .readTree(connection.getProfilingInformation(ProfilerPrintFormat.JSON))
              .at("/system/peak_buffer_memory");
      return peak.isNumber() ? OptionalLong.of(peak.asLong()) : OptionalLong.empty();
    } catch (SQLException | JsonProcessingException e) {
      throw new ContestFailure("DuckDB's profile cannot be read", e);
    } finally {
      execute("PRAGMA disable_profiling");
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new ContestFailure("DuckDB does not close", e);
    }
    allocator.close();
  }
}
