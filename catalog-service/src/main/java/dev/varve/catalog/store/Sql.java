package dev.varve.catalog.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one transaction. Parameters are strings, longs, integers, byte arrays and arrays of
 * long; an array is written {@code cast(? as bigint array)} in the text, because H2 answers wrongly
 * without the cast. Confined to the transaction.
 */
public final class Sql {
  /** Rows fetched at a time, so that a million of them need no million in memory. */
  private static final int FETCH_ROWS = 10_000;

  private static final int BATCH_ROWS = 1_000;

  private final Connection connection;
  private long changed;

  Sql(Connection connection) {
    this.connection = connection;
  }

  /** Makes a value of one row. */
  @FunctionalInterface
  public interface RowReader<T extends @Nullable Object> {
    T read(ResultSet row) throws SQLException;
  }

  public <T extends @Nullable Object> List<T> list(
      String text, RowReader<T> reader, @Nullable Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      statement.setFetchSize(FETCH_ROWS);
      bind(statement, parameters);
      List<T> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(reader.read(result));
        }
      }
      return rows;
    }
  }

  /** At most one row; more are a bug. */
  public <T> Optional<T> first(String text, RowReader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    List<T> rows = list(text, reader, parameters);
    if (rows.size() > 1) {
      throw new IllegalStateException(rows.size() + " rows for: " + text);
    }
    return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
  }

  /** Rows changed so far. */
  long changed() {
    return changed;
  }

  /** Returns the number of rows changed. */
  public int update(String text, @Nullable Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement, parameters);
      int rows = statement.executeUpdate();
      changed += rows;
      return rows;
    }
  }

  /** Inserts one row and returns its generated key. */
  public long insert(String text, String keyColumn, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(text, new String[] {keyColumn})) {
      bind(statement, parameters);
      changed += statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        if (!keys.next()) {
          throw new IllegalStateException("no generated key for: " + text);
        }
        return keys.getLong(1);
      }
    }
  }

  /** Runs one statement for each list of parameters; returns the number of rows changed. */
  public long batch(String text, Iterable<@Nullable Object[]> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      long rowsChanged = 0;
      int pending = 0;
      for (@Nullable Object[] row : rows) {
        bind(statement, row);
        statement.addBatch();
        if (++pending == BATCH_ROWS) {
          rowsChanged += sum(statement.executeBatch());
          pending = 0;
        }
      }
      rowsChanged += pending == 0 ? 0 : sum(statement.executeBatch());
      changed += rowsChanged;
      return rowsChanged;
    }
  }

  private static long sum(int[] counts) {
    long sum = 0;
    for (int count : counts) {
      // A driver that rewrites batches does not know how many rows each statement changed.
      sum += count == PreparedStatement.SUCCESS_NO_INFO ? 1 : count;
    }
    return sum;
  }

  private void bind(PreparedStatement statement, @Nullable Object[] parameters)
      throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      switch (parameters[i]) {
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        case long[] longs -> statement.setArray(i + 1, array(longs));
        case Long value -> statement.setLong(i + 1, value);
        case Integer value -> statement.setInt(i + 1, value);
        case String value -> statement.setString(i + 1, value);
        case null -> statement.setObject(i + 1, null);
        case Object other ->
            throw new IllegalStateException("cannot bind a " + other.getClass().getName());
      }
    }
  }

  private Array array(long[] values) throws SQLException {
    Long[] boxed = new Long[values.length];
    for (int i = 0; i < values.length; i++) {
      boxed[i] = values[i];
    }
    return connection.createArrayOf("bigint", boxed);
  }
}
