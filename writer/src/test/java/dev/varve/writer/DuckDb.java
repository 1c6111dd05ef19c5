package dev.varve.writer;

import dev.varve.engine.type.Schema;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks DuckDB, which had no part in writing the files. */
final class DuckDb {
  private DuckDb() {}

  /** Samples as texts that are equal exactly if the values are. */
  static List<List<@Nullable Object>> rows(String sql, Schema schema) throws SQLException {
    StringBuilder columns = new StringBuilder();
    for (int c = 0; c < schema.size(); c++) {
      String name = schema.field(c).name();
      columns
          .append(c == 0 ? "" : ", ")
          .append(
              switch (schema.type(c).kind()) {
                case VARBINARY -> "hex(" + name + ")";
                case TIME, TIMESTAMP, TIMESTAMPTZ -> "epoch_us(" + name + ")";
                case UUID -> "CAST(" + name + " AS VARCHAR)";
                default -> name;
              });
    }
    return raw("SELECT " + columns + " FROM (" + sql + ")");
  }

  static List<List<@Nullable Object>> raw(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int width = result.getMetaData().getColumnCount();
      List<List<@Nullable Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int c = 1; c <= width; c++) {
          row.add(text(result.getObject(c)));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  static List<List<@Nullable Object>> normal(List<List<@Nullable Object>> rows) {
    return rows.stream()
        .map(
            row -> {
              List<@Nullable Object> texts = new ArrayList<>();
              row.forEach(value -> texts.add(text(value)));
              return texts;
            })
        .toList();
  }

  private static @Nullable String text(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case byte[] bytes -> HexFormat.of().withUpperCase().formatHex(bytes);
      case BigDecimal decimal -> decimal.toPlainString();
      case java.time.LocalTime time -> Long.toString(time.toNanoOfDay() / 1000);
      case java.time.LocalDateTime time ->
          Long.toString(
              dev.varve.engine.batch.Values.toMicros(time.toInstant(java.time.ZoneOffset.UTC)));
      case java.time.Instant time -> Long.toString(dev.varve.engine.batch.Values.toMicros(time));
      default -> value.toString();
    };
  }
}
