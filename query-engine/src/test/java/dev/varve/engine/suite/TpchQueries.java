package dev.varve.engine.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The 22 queries of TPC-H and what DuckDB answers. Numbers are compared to six decimals: DuckDB
 * divides and averages decimals as doubles.
 */
public final class TpchQueries {
  private static final int COUNT = 22;
  private static final double TOLERANCE = 1e-6;

  private final List<String> queries;
  private final List<List<List<String>>> answers;

  private TpchQueries(List<String> queries, List<List<List<String>>> answers) {
    this.queries = queries;
    this.answers = answers;
  }

  /** The queries with DuckDB's answers over the tables that it has. */
  public static TpchQueries answeredBy(Connection duckdb) {
    List<String> queries = new ArrayList<>();
    List<List<List<String>>> answers = new ArrayList<>();
    try {
      for (int number = 1; number <= COUNT; number++) {
        String sql = SuiteData.resource("/tpch/q%02d.sql".formatted(number));
        queries.add(sql);
        answers.add(Rows.of(duckdb, sql));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException("DuckDB refuses a query of TPC-H", e);
    }
    return new TpchQueries(queries, answers);
  }

  /** What is different in another engine's answers, and which query it refuses. */
  public List<String> differences(Function<String, List<List<String>>> engine) {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      String name = "q" + (i + 1) + ": ";
      try {
        difference(engine.apply(queries.get(i)), answers.get(i))
            .ifPresent(d -> differences.add(name + d));
      } catch (RuntimeException e) {
        differences.add(name + e);
      }
    }
    return differences;
  }

  private static Optional<String> difference(List<List<String>> ours, List<List<String>> right) {
    if (ours.size() != right.size()) {
      return Optional.of(ours.size() + " rows instead of " + right.size());
    }
    for (int i = 0; i < ours.size(); i++) {
      for (int j = 0; j < right.get(i).size(); j++) {
        if (!same(ours.get(i).get(j), right.get(i).get(j))) {
          return Optional.of("row " + i + ": " + ours.get(i) + " instead of " + right.get(i));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean same(String ours, String right) {
    if (ours.equals(right)) {
      return true;
    }
    try {
      double a = Double.parseDouble(ours);
      double b = Double.parseDouble(right);
      return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
