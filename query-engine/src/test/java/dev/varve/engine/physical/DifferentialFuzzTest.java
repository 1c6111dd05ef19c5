package dev.varve.engine.physical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random statements over random tables, ordered or not, give DuckDB's rows: optimised over several
 * partitions, and with everything off in one. Seeds are printed; {@code -Dvarve.fuzz.seed} replays
 * one, {@code -Dvarve.fuzz.tables} runs longer.
 */
class DifferentialFuzzTest {
  private static final int QUERIES_PER_TABLE = 25;

  @Test
  void randomQueriesGiveTheRowsOfDuckDb() throws SQLException {
    Long only = Long.getLong("varve.fuzz.seed");
    if (only != null) {
      run(only);
      return;
    }
    for (long seed = 1; seed <= Integer.getInteger("varve.fuzz.tables", 10); seed++) {
      run(seed);
    }
  }

  private static void run(long seed) throws SQLException {
    Random random = new Random(seed);
    List<@Nullable Object[]> t = rows(random, 5 + random.nextInt(60));
    List<@Nullable Object[]> u = rows(random, random.nextInt(40));
    Map<String, SourceTable> tables = Map.of("t", table(random, t), "u", table(random, u));
    RandomQuery queries = new RandomQuery(random);
    try (Connection duckdb = duckdb(t, u);
        MemoryEngine optimised = MemoryEngine.optimised(tables);
        MemoryEngine plain = MemoryEngine.plain(tables)) {
      for (int i = 0; i < QUERIES_PER_TABLE; i++) {
        RandomQuery.Text query = queries.next();
        List<List<String>> wanted = canonical(Rows.of(duckdb, query.sql()), query);
        assertThat(canonical(answer(optimised, query.sql(), seed), query))
            .as("seed %d, optimised: %s\n%s", seed, query.sql(), optimised.explain(query.sql()))
            .isEqualTo(wanted);
        assertThat(canonical(answer(plain, query.sql(), seed), query))
            .as("seed %d, everything off: %s", seed, query.sql())
            .isEqualTo(wanted);
      }
    }
  }

  private static List<List<String>> canonical(List<List<String>> rows, RandomQuery.Text query) {
    return query.ordered() ? rows : Rows.sorted(rows);
  }

  private static List<List<String>> answer(MemoryEngine engine, String sql, long seed) {
    try {
      return engine.rows(sql);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + sql, e);
    }
  }

  private static List<@Nullable Object[]> rows(Random random, int count) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          new Object[] {
            (long) random.nextInt(7),
            random.nextInt(5) == 0 ? null : (long) random.nextInt(5),
            random.nextInt(9) == 0 ? null : (long) random.nextInt(6),
            random.nextInt(6) == 0 ? null : "s" + random.nextInt(4)
          });
    }
    return rows;
  }

  private static SourceTable table(Random random, List<@Nullable Object[]> rows) {
    Schema schema =
        Schema.of(
            Field.of("a", DataType.BIGINT, false),
            Field.of("b", DataType.BIGINT),
            Field.of("c", DataType.BIGINT),
            Field.of("s", DataType.VARCHAR));
    List<ColumnOrder> order = new ArrayList<>();
    List<Integer> columns = new ArrayList<>(Arrays.asList(0, 1, 2, 3));
    if (random.nextBoolean()) {
      java.util.Collections.shuffle(columns, random);
    }
    for (int i = 0; i < random.nextInt(4); i++) {
      order.add(
          new ColumnOrder(
              columns.get(i), new SortOptions(random.nextInt(3) == 0, random.nextInt(3) == 0)));
    }
    return new MemoryTable(schema, rows, order, 1 + random.nextInt(4), random.nextBoolean());
  }

  private static Connection duckdb(List<@Nullable Object[]> t, List<@Nullable Object[]> u)
      throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET default_null_order = 'nulls_last_on_asc_first_on_desc'");
      statement.execute("SET integer_division = true");
      fill(statement, "t", t);
      fill(statement, "u", u);
    }
    return connection;
  }

  private static void fill(Statement statement, String name, List<@Nullable Object[]> rows)
      throws SQLException {
    statement.execute(
        "CREATE TABLE " + name + "(a BIGINT NOT NULL, b BIGINT, c BIGINT, s VARCHAR)");
    for (@Nullable Object[] row : rows) {
      List<String> values = new ArrayList<>();
      for (Object value : row) {
        values.add(value instanceof String text ? "'" + text + "'" : String.valueOf(value));
      }
      statement.execute("INSERT INTO " + name + " VALUES (" + String.join(", ", values) + ")");
    }
  }
}
