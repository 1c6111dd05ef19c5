package dev.varve.engine.differential;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.batch.Batch;
import dev.varve.layout.error.VarveException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an engine says to a query. */
public sealed interface Answer {
  /** A peer's answer of more rows is not looked at. */
  int MOST_ROWS = 30_000;

  /** More than {@link #MOST_ROWS} rows. */
  record TooLarge() implements Answer {}

  /** Values as the engine's Java types have them; see {@link Cells}. */
  record Rows(List<List<@Nullable Object>> rows) implements Answer {}

  /** An error, with its code if it has one. */
  record Refusal(String code, String sqlState, String message) implements Answer {}

  /** Varve's answer; closes the query. */
  static Answer of(QueryHandle handle) {
    try (QueryHandle query = handle) {
      List<List<@Nullable Object>> rows = new ArrayList<>();
      int width = query.schema().size();
      for (Batch batch = query.nextBatch(); batch != null; batch = query.nextBatch()) {
        for (int row = 0; row < batch.rowCount(); row++) {
          List<@Nullable Object> cells = new ArrayList<>(width);
          for (int column = 0; column < width; column++) {
            cells.add(batch.column(column).value(row));
          }
          rows.add(Collections.unmodifiableList(cells));
        }
      }
      return new Rows(rows);
    } catch (VarveException e) {
      return new Refusal(e.code().name(), e.code().sqlState(), e.describe() + cause(e));
    }
  }

  private static String cause(VarveException e) {
    Throwable cause = e.getCause();
    return cause == null || cause.getStackTrace().length == 0
        ? ""
        : " (" + cause + " at " + cause.getStackTrace()[0] + ")";
  }

  /** Another engine's answer. */
  static Answer of(Connection connection, String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<@Nullable Object>> rows = new ArrayList<>();
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        if (rows.size() == MOST_ROWS) {
          return new TooLarge();
        }
        List<@Nullable Object> cells = new ArrayList<>(width);
        for (int column = 1; column <= width; column++) {
          // Timestamp counts years before 1582 in another calendar.
          cells.add(
              result.getMetaData().getColumnTypeName(column).equalsIgnoreCase("timestamp")
                  ? result.getObject(column, LocalDateTime.class)
                  : result.getObject(column));
        }
        rows.add(Collections.unmodifiableList(cells));
      }
      return new Rows(rows);
    } catch (SQLException e) {
      return new Refusal(
          "SQL_ERROR", String.valueOf(e.getSQLState()), String.valueOf(e.getMessage()));
    }
  }
}
