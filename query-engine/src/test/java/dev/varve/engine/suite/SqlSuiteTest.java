package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.memory.MemoryPools;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every statement of the topic files, in every configuration, against DuckDB over the same files.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlSuiteTest {
  private static final int LEAST_STATEMENTS = 200;

  private SuiteData large;
  private SuiteData small;
  private List<SuiteStatement> statements;
  private final Map<String, List<List<String>>> duckdbAnswers = new TreeMap<>();

  @BeforeAll
  void makeFiles(@TempDir Path folder) throws IOException {
    large = SuiteData.create(folder.resolve("large"), 0.01, 50_000);
    small = SuiteData.create(folder.resolve("small"), 0.001, 2_000);
    statements = SuiteStatement.topics(Path.of("src/test/resources/sql"));
  }

  @AfterAll
  void closeFiles() {
    large.close();
    small.close();
  }

  @Test
  void hasAtLeastTwoHundredStatements() {
    assertThat(statements.size()).isGreaterThanOrEqualTo(LEAST_STATEMENTS);
  }

  @ParameterizedTest
  @EnumSource
  void equalsDuckDb(Configuration configuration) {
    SuiteData data = configuration == Configuration.CONSTANT_HASH ? small : large;
    List<String> failures = new ArrayList<>();
    try (SuiteEngine engine =
        new SuiteEngine(data, configuration.settings(), MemoryPools.greedy(1L << 30))) {
      String only = System.getProperty("varve.suite.only", "");
      for (SuiteStatement statement : statements) {
        if (!statement.toString().contains(only)) {
          continue;
        }
        try {
          String difference = run(statement, engine, data);
          if (difference != null) {
            failures.add(statement + " " + difference + "\n  " + statement.sql());
          }
        } catch (VarveException e) {
          failures.add(
              statement + " failed: " + e.describe() + cause(e) + "\n  " + statement.sql());
        } catch (SQLException e) {
          failures.add(statement + " DuckDB: " + e.getMessage() + "\n  " + statement.sql());
        }
      }
    }
    assertThat(failures)
        .as(failures.size() + " of " + statements.size() + "\n" + String.join("\n", failures))
        .isEmpty();
  }

  private static String cause(VarveException e) {
    if (e.code() != ErrorCode.INTERNAL_ERROR || e.getCause() == null) {
      return "";
    }
    StackTraceElement[] trace = e.getCause().getStackTrace();
    return trace.length == 0 ? "" : " at " + trace[0] + (trace.length > 1 ? " < " + trace[1] : "");
  }

  private String run(SuiteStatement statement, SuiteEngine engine, SuiteData data)
      throws SQLException {
    if (statement.error().isPresent()) {
      try {
        return "should fail with "
            + statement.error().get()
            + " but gives "
            + engine.rows(statement.sql());
      } catch (VarveException e) {
        return e.code().name().equals(statement.error().get())
            ? null
            : "should fail with "
                + statement.error().get()
                + " but with "
                + e.code()
                + ": "
                + e.describe();
      }
    }
    List<List<String>> ours = engine.rows(statement.sql());
    List<List<String>> right =
        statement.expected().isPresent() ? statement.expected().get() : duckdb(statement, data);
    List<List<String>> left = statement.ordered() ? ours : Rows.sorted(ours);
    List<List<String>> wanted = statement.ordered() ? right : Rows.sorted(right);
    return left.equals(wanted) ? null : difference(left, wanted);
  }

  private List<List<String>> duckdb(SuiteStatement statement, SuiteData data) throws SQLException {
    String key = (data == small ? "small " : "large ") + statement;
    List<List<String>> known = duckdbAnswers.get(key);
    if (known == null) {
      known = Rows.of(data.duckdb(), statement.sql());
      duckdbAnswers.put(key, known);
    }
    return known;
  }

  private static String difference(List<List<String>> ours, List<List<String>> right) {
    for (int i = 0; i < Math.min(ours.size(), right.size()); i++) {
      if (!ours.get(i).equals(right.get(i))) {
        return "row "
            + i
            + ": "
            + ours.get(i)
            + " should be "
            + right.get(i)
            + " ("
            + ours.size()
            + " rows, "
            + right.size()
            + " expected)";
      }
    }
    return ours.size()
        + " rows, "
        + right.size()
        + " expected; first extra: "
        + (ours.size() > right.size() ? ours.get(right.size()) : right.get(ours.size()));
  }
}
