package dev.varve.engine.physical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.source.SourceTable;
import dev.varve.engine.suite.Rows;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random joins of up to seven tables (inner, left, semi, anti, cross; keys with nulls and
 * duplicates; conditions across three tables) give DuckDB's rows in whatever order they are done.
 * Seeds are printed; {@code -Dvarve.fuzz.seed} replays one, {@code -Dvarve.fuzz.joins} runs longer.
 */
class JoinOrderFuzzTest {
  private static final String[] COLUMNS = {"a", "b", "c"};
  private static final int QUERIES_PER_SEED = 20;

  @Test
  void joinsInAnyOrderGiveTheRowsOfDuckDb() throws SQLException {
    Long only = Long.getLong("varve.fuzz.seed");
    if (only != null) {
      run(only);
      return;
    }
    for (long seed = 1; seed <= Integer.getInteger("varve.fuzz.joins", 5); seed++) {
      run(seed);
    }
  }

  private static void run(long seed) throws SQLException {
    Random random = new Random(seed);
    Map<String, List<@Nullable Object[]>> rows = new LinkedHashMap<>();
    Map<String, SourceTable> tables = new HashMap<>();
    for (String name : List.of("t", "u", "v")) {
      rows.put(name, rows(random, 1 + random.nextInt(9)));
      tables.put(name, table(rows.get(name)));
    }
    try (MemoryEngine optimised = MemoryEngine.optimised(tables);
        MemoryEngine plain = MemoryEngine.plain(tables)) {
      for (int i = 0; i < QUERIES_PER_SEED; i++) {
        String sql = query(random);
        List<List<String>> unordered = Rows.sorted(answer(plain, sql, seed));
        duckDb(rows, sql)
            .ifPresent(
                wanted ->
                    assertThat(unordered)
                        .as("seed %d, everything off: %s", seed, sql)
                        .isEqualTo(wanted));
        assertThat(Rows.sorted(answer(optimised, sql, seed)))
            .as("seed %d, optimised: %s\n%s", seed, sql, optimised.explain(sql))
            .isEqualTo(unordered);
      }
    }
  }

  /**
   * Empty where DuckDB itself fails ("INTERNAL Error", and after it the database is of no use any
   * more, so that each query has its own): the plan in the order of the text is the judge then.
   */
  private static Optional<List<List<String>>> duckDb(
      Map<String, List<@Nullable Object[]>> rows, String sql) throws SQLException {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:")) {
      for (Map.Entry<String, List<@Nullable Object[]>> table : rows.entrySet()) {
        create(duckdb, table.getKey(), table.getValue());
      }
      return Optional.of(Rows.sorted(Rows.of(duckdb, sql)));
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).contains("INTERNAL Error")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static List<List<String>> answer(MemoryEngine engine, String sql, long seed) {
    try {
      return engine.rows(sql);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + sql, e);
    }
  }

  private static String query(Random random) {
    int relations = 2 + random.nextInt(4);
    StringBuilder from = new StringBuilder(tableName(random) + " r0");
    List<String> where = new ArrayList<>();
    for (int i = 1; i < relations; i++) {
      String relation = tableName(random) + " r" + i;
      switch (random.nextInt(6)) {
        case 0 -> from.append(" left join ").append(relation).append(" on ").append(on(random, i));
        case 1 -> {
          from.append(" cross join ").append(relation);
          where.add(equality(random, i));
        }
        default -> from.append(" join ").append(relation).append(" on ").append(on(random, i));
      }
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      where.add(exists(random, relations, "s" + i));
    }
    if (random.nextInt(3) == 0) {
      where.add(column(random, relations) + " = " + random.nextInt(4));
    }
    if (random.nextInt(4) == 0) {
      where.add(
          "("
              + column(random, relations)
              + " + "
              + column(random, relations)
              + " > "
              + column(random, relations)
              + " or "
              + column(random, relations)
              + " is null)");
    }
    List<String> select = new ArrayList<>();
    for (int i = 0; i < relations; i++) {
      select.add("r" + i + "." + COLUMNS[random.nextInt(3)]);
    }
    return "select "
        + String.join(", ", select)
        + " from "
        + from
        + (where.isEmpty() ? "" : " where " + String.join(" and ", where));
  }

  private static String tableName(Random random) {
    return List.of("t", "u", "v").get(random.nextInt(3));
  }

  private static String column(Random random, int relations) {
    return "r" + random.nextInt(relations) + "." + COLUMNS[random.nextInt(3)];
  }

  /** Between relation {@code i} and one before it. */
  private static String equality(Random random, int i) {
    return column(random, i) + " = r" + i + "." + COLUMNS[random.nextInt(3)];
  }

  private static String on(Random random, int i) {
    String condition = equality(random, i);
    return switch (random.nextInt(4)) {
      case 0 -> condition + " and " + equality(random, i);
      case 1 -> condition + " and " + column(random, i) + " < r" + i + ".c";
      default -> condition;
    };
  }

  private static String exists(Random random, int relations, String alias) {
    return (random.nextBoolean() ? "" : "not ")
        + "exists (select 1 from "
        + tableName(random)
        + " "
        + alias
        + " where "
        + alias
        + "."
        + COLUMNS[random.nextInt(3)]
        + " = "
        + column(random, relations)
        + (random.nextInt(3) == 0 ? " and " + alias + ".b <> " + column(random, relations) : "")
        + ")";
  }

  private static List<@Nullable Object[]> rows(Random random, int count) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          new Object[] {
            (long) random.nextInt(5),
            random.nextInt(5) == 0 ? null : (long) random.nextInt(4),
            random.nextInt(7) == 0 ? null : (long) random.nextInt(6)
          });
    }
    return rows;
  }

  private static SourceTable table(List<@Nullable Object[]> rows) {
    Schema schema =
        Schema.of(
            Field.of("a", DataType.BIGINT, false),
            Field.of("b", DataType.BIGINT),
            Field.of("c", DataType.BIGINT));
    return new MemoryTable(schema, rows, List.of(), 2, false);
  }

  private static void create(Connection duckdb, String name, List<@Nullable Object[]> rows)
      throws SQLException {
    try (Statement statement = duckdb.createStatement()) {
      statement.execute("create table " + name + "(a bigint not null, b bigint, c bigint)");
      for (@Nullable Object[] row : rows) {
        statement.execute(
            "insert into " + name + " values (" + row[0] + "," + row[1] + "," + row[2] + ")");
      }
    }
  }
}
