package dev.varve.engine.suite;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.batch.Batch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results as canonical text, so that those of two engines can be compared. */
public final class Rows {
  private static final MathContext TWELVE_DIGITS = new MathContext(12);

  private Rows() {}

  /** All rows of a Varve query, cells in canonical text. */
  public static List<List<String>> of(QueryHandle query) {
    List<List<String>> rows = new ArrayList<>();
    int width = query.schema().size();
    for (Batch batch = query.nextBatch(); batch != null; batch = query.nextBatch()) {
      for (int row = 0; row < batch.rowCount(); row++) {
        List<String> cells = new ArrayList<>(width);
        for (int column = 0; column < width; column++) {
          cells.add(text(batch.column(column).value(row)));
        }
        rows.add(cells);
      }
    }
    return rows;
  }

  /** All rows of a JDBC query. */
  public static List<List<String>> of(Connection connection, String sql) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> cells = new ArrayList<>(width);
        for (int column = 1; column <= width; column++) {
          cells.add(text(result.getObject(column)));
        }
        rows.add(cells);
      }
    }
    return rows;
  }

  public static List<List<String>> sorted(List<List<String>> rows) {
    List<List<String>> sorted = new ArrayList<>(rows);
    Collections.sort(sorted, (a, b) -> a.toString().compareTo(b.toString()));
    return sorted;
  }

  /** One value: numbers by value, whatever their type; doubles and averages to 12 digits. */
  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "NULL";
      case Float f -> floating(f.doubleValue(), new MathContext(6));
      case Double d -> floating(d, TWELVE_DIGITS);
      case BigDecimal d -> number(d.scale() > 10 ? d.round(TWELVE_DIGITS) : d);
      case BigInteger i -> number(new BigDecimal(i));
      case Number n -> number(BigDecimal.valueOf(n.longValue()));
      case java.sql.Timestamp t -> time(t.toLocalDateTime());
      case LocalDateTime t -> time(t);
      case OffsetDateTime t -> t.toInstant().toString();
      case Instant t -> t.toString();
      case java.sql.Date d -> d.toLocalDate().toString();
      case LocalDate d -> d.toString();
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case java.sql.Blob blob -> blobText(blob);
      default -> value.toString();
    };
  }

  private static String blobText(java.sql.Blob blob) {
    try {
      return HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String time(LocalDateTime time) {
    return time.toString();
  }

  private static String number(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  private static String floating(double value, MathContext digits) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return Double.toString(value);
    }
    return number(new BigDecimal(value).round(digits));
  }
}
