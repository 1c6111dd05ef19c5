package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.memory.MemoryPools;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random nested IN, NOT IN, EXISTS, ANY, ALL and scalar sub-queries over a few rows with nulls,
 * against DuckDB. {@code -Dvarve.fuzz.seed=n} replays a run.
 */
class SubQueryFuzzTest {
  private static final int QUERIES = 150;
  private static final String TABLES =
      """
      WITH x(a, b) AS (VALUES (1, 1), (1, 2), (2, NULL), (3, 3), (NULL, 1), (NULL, NULL)),
      y(a, b) AS (VALUES (1, 1), (2, 2), (2, NULL), (4, 1), (NULL, 3)),
      z(a, b) AS (VALUES (1, 2), (3, 3), (5, NULL))
      """;

  private final long seed = Long.getLong("varve.fuzz.seed", 20_261_130L);
  private final Random random = new Random(seed);
  private int aliases;

  @Test
  void equalsDuckDb(@TempDir Path folder) {
    List<String> failures = new ArrayList<>();
    int refused = 0;
    try (SuiteData data = SuiteData.create(folder, 0.001, 100);
        SuiteEngine engine =
            new SuiteEngine(data, Configuration.DEFAULT.settings(), MemoryPools.greedy(1L << 28))) {
      for (int i = 0; i < QUERIES; i++) {
        aliases = 0;
        String sql = TABLES + "SELECT o.a, o.b FROM x o WHERE " + predicate(List.of("o"), 2);
        List<List<String>> right;
        try {
          right = Rows.sorted(Rows.of(data.duckdb(), sql));
        } catch (SQLException e) {
          continue;
        }
        try {
          List<List<String>> ours = Rows.sorted(engine.rows(sql));
          if (!ours.equals(right)) {
            failures.add(
                ours + " instead of " + right + ":\n" + sql + "\n" + engine.rows("EXPLAIN " + sql));
          }
        } catch (VarveException e) {
          if (e.code() == ErrorCode.FEATURE_NOT_SUPPORTED) {
            refused++;
            System.out.println("refused: " + sql.substring(TABLES.length()));
          } else {
            failures.add(e.code() + " " + e.describe() + ":\n" + sql);
          }
        }
      }
    }
    System.out.printf(
        "sub-query fuzz: seed %d, %d of %d refused, %d wrong%n",
        seed, refused, QUERIES, failures.size());
    assertThat(failures).as("seed " + seed).isEmpty();
    assertThat(refused).isLessThan(QUERIES / 5);
  }

  private String predicate(List<String> scopes, int depth) {
    return switch (random.nextInt(depth > 0 ? 10 : 3)) {
      case 0 -> column(scopes) + comparison() + (1 + random.nextInt(4));
      case 1 -> column(scopes) + comparison() + column(scopes);
      case 2 -> column(scopes) + " IS " + (random.nextBoolean() ? "" : "NOT ") + "NULL";
      case 3 -> "(" + predicate(scopes, depth - 1) + " AND " + predicate(scopes, depth - 1) + ")";
      case 4 -> "(" + predicate(scopes, depth - 1) + " OR " + predicate(scopes, depth - 1) + ")";
      case 5 -> "NOT (" + predicate(scopes, depth - 1) + ")";
      case 6 -> column(scopes) + not() + "IN (" + query(scopes, depth - 1, "%s") + ")";
      case 7 -> not() + "EXISTS (" + query(scopes, depth - 1, "%s") + ")";
      case 8 ->
          column(scopes)
              + comparison()
              + "("
              + query(scopes, depth - 1, random.nextBoolean() ? "max(%s)" : "count(%s)")
              + ")";
      default ->
          column(scopes)
              + comparison()
              + (random.nextBoolean() ? "ANY (" : "ALL (")
              + query(scopes, depth - 1, "%s")
              + ")";
    };
  }

  private String query(List<String> scopes, int depth, String select) {
    String alias = "q" + aliases++;
    List<String> inner = new ArrayList<>(scopes);
    inner.add(alias);
    String table = List.of("x", "y", "z").get(random.nextInt(3));
    String correlation =
        random.nextInt(3) == 0
            ? ""
            : alias
                + "."
                + letter()
                + (random.nextInt(4) == 0 ? comparison() : " = ")
                + column(scopes)
                + " AND ";
    return "SELECT "
        + select.formatted(alias + "." + letter())
        + " FROM "
        + table
        + " "
        + alias
        + " WHERE "
        + correlation
        + predicate(inner, depth);
  }

  private String column(List<String> scopes) {
    // Mostly the innermost table, as people write it.
    int index = random.nextInt(3) == 0 ? random.nextInt(scopes.size()) : scopes.size() - 1;
    return scopes.get(index) + "." + letter();
  }

  private String letter() {
    return random.nextBoolean() ? "a" : "b";
  }

  private String comparison() {
    return List.of(" = ", " <> ", " < ", " >= ").get(random.nextInt(4));
  }

  private String not() {
    return random.nextBoolean() ? " " : " NOT ";
  }
}
