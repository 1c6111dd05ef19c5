package dev.varve.engine.testing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DuckDB in this process: the peer that our answers are compared with. */
public final class DuckDbPeer implements AutoCloseable {
  private final Connection connection;

  public DuckDbPeer() {
    try {
      connection = DriverManager.getConnection("jdbc:duckdb:");
      execute("SET TimeZone='UTC'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Rows of texts as {@link #text} gives them. */
  public List<List<String>> query(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<String>> rows = new ArrayList<>();
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(text(result.getObject(i)));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** Ours in the same form. */
  public static List<List<String>> texts(List<? extends List<? extends @Nullable Object>> rows) {
    List<List<String>> texts = new ArrayList<>();
    for (List<? extends @Nullable Object> row : rows) {
      List<String> text = new ArrayList<>();
      for (Object value : row) {
        text.add(text(value));
      }
      texts.add(text);
    }
    return texts;
  }

  /** One text for a value, whichever of the two engines' Java types it has. */
  public static String text(@Nullable Object value) {
    try {
      return switch (value) {
        case null -> "NULL";
        case Float f -> Float.toString(f);
        case Double d -> d == d.floatValue() ? Float.toString(d.floatValue()) : Double.toString(d);
        case BigDecimal d -> d.toPlainString();
        case BigInteger i -> i.toString();
        case Timestamp t -> t.toLocalDateTime().toString();
        case LocalDateTime t -> t.toString();
        case OffsetDateTime t -> t.toInstant().toString();
        case Instant t -> t.toString();
        case byte[] bytes -> HexFormat.of().formatHex(bytes);
        case Blob blob -> HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
        default -> value.toString();
      };
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
