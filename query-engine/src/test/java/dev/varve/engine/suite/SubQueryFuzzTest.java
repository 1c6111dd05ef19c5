package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.memory.MemoryPools;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random nested IN, NOT IN, EXISTS, ANY, ALL and scalar sub-queries over a few rows with nulls, in
 * conditions, under OR, in the select list, over joins, unions, groups and limits, against DuckDB.
 * {@code -Dvarve.fuzz.seed=n} replays a run, {@code -Dvarve.fuzz.queries=n} makes it longer.
 */
class SubQueryFuzzTest {
  private static final int QUERIES = Integer.getInteger("varve.fuzz.queries", 250);
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
    try (SuiteData data = SuiteData.create(folder, 0.001, 100);
        SuiteEngine engine =
            new SuiteEngine(data, Configuration.DEFAULT.settings(), MemoryPools.greedy(1L << 28))) {
      for (int i = 0; i < QUERIES; i++) {
        aliases = 0;
        String sql = TABLES + statement();
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
          failures.add(e.code() + " " + e.describe() + ":\n" + sql);
        }
      }
    }
    // Refused ones are failures too: every form that is made here is to be answered.
    System.out.printf(
        "sub-query fuzz: seed %d, %d queries, %d failed%n", seed, QUERIES, failures.size());
    assertThat(failures).as("seed " + seed).isEmpty();
  }

  private String statement() {
    List<String> outer = List.of("o");
    return switch (random.nextInt(10)) {
      case 0 -> "SELECT o.a, " + scalar(outer, 1) + " AS s FROM x o";
      case 1 -> "SELECT o.a, o.b, " + quantified(outer, 1) + " AS s FROM x o";
      case 2 ->
          "SELECT o.a, l.c FROM x o, LATERAL ("
              + query(outer, 1, random.nextBoolean() ? "max(%s) AS c" : "%s AS c")
              + ") l";
      case 3 ->
          "SELECT o.b, count(*) FROM x o GROUP BY o.b HAVING count(*) >= "
              + "(SELECT count(*) FROM y h WHERE h.b = o.b)";
      case 4 ->
          "SELECT o.a, p.b FROM x o LEFT JOIN y p ON o.a = p.a AND "
              + quantified(List.of(random.nextBoolean() ? "o" : "p"), 1);
      default -> "SELECT o.a, o.b FROM x o WHERE " + predicate(outer, 2);
    };
  }

  private String quantified(List<String> scopes, int depth) {
    return switch (random.nextInt(3)) {
      case 0 -> "(" + column(scopes) + not() + "IN (" + query(scopes, depth, "%s") + "))";
      case 1 -> "(" + not() + "EXISTS (" + query(scopes, depth, "%s") + "))";
      default -> "(" + column(scopes) + comparison() + "ANY (" + query(scopes, depth, "%s") + "))";
    };
  }

  private String scalar(List<String> scopes, int depth) {
    // Of scalars without an aggregate inside other sub-queries DuckDB takes "no row" for FALSE.
    return switch (random.nextInt(5)) {
      case 0 -> "(" + query(scopes, depth, "count(%s) + 1") + ")";
      case 1 -> "(" + query(scopes, depth, "coalesce(sum(%s), 0)") + ")";
      case 2 -> "(" + query(scopes, depth, "max(%s)") + " HAVING count(*) > 1)";
      case 3 ->
          scopes.size() == 1
              ? "(" + query(scopes, depth, "%s") + " ORDER BY 1 LIMIT 1)"
              : "(" + query(scopes, depth, "min(%s)") + ")";
      default -> "(SELECT " + column(scopes) + " + 1)";
    };
  }

  private String predicate(List<String> scopes, int depth) {
    return switch (random.nextInt(depth > 0 ? 13 : 3)) {
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
      case 9 -> column(scopes) + comparison() + scalar(scopes, depth - 1);
      case 10 ->
          not()
              + "EXISTS ("
              + query(scopes, depth - 1, "max(%s)")
              + (random.nextBoolean() ? " HAVING count(*) > 1" : "")
              + ")";
      case 11 ->
          column(scopes)
              + not()
              + "IN ("
              + query(scopes, depth - 1, "%s")
              + (random.nextBoolean() ? " UNION ALL " : " UNION ")
              + query(scopes, depth - 1, "%s")
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
        + (random.nextInt(6) == 0
            ? "z j" + alias + " JOIN " + table + " " + alias + " ON j" + alias + ".a = " + alias
                + ".a"
            : table + " " + alias)
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
