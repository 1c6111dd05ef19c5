package dev.varve.engine.differential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.suite.Configuration;
import dev.varve.engine.suite.SuiteEngine;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every listed divergence: Varve says what PostgreSQL says, and DuckDB really differs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DivergencesTest {
  private PostgresArbiter postgres;
  private Connection duckdb;
  private SuiteEngine varve;

  @BeforeAll
  void start() throws SQLException {
    postgres = PostgresArbiter.start();
    duckdb = DriverManager.getConnection("jdbc:duckdb:");
    varve =
        SuiteEngine.startingIn(
            "tpch", "tiny", Configuration.DEFAULT.settings(), MemoryPools.greedy(1L << 26));
  }

  @AfterAll
  void stop() throws SQLException {
    varve.close();
    duckdb.close();
    postgres.close();
  }

  private static List<Divergence> all() {
    return Divergence.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void varveAnswersAsPostgresDoesAndDuckDbDoesNot(Divergence divergence) {
    String sql = divergence.sql();
    String right = divergence.postgres();
    // An error's class may be enough: two engines name the same mistake differently.
    assertThat(cut(text(postgres.ask(sql), true), right)).as("PostgreSQL").isEqualTo(right);
    assertThat(cut(text(Answer.of(varve.submit(sql)), true), right)).as("Varve").isEqualTo(right);
    assertThat(text(Answer.of(duckdb, sql), false)).as("DuckDB").isEqualTo(divergence.duckdb());
    assertThat(divergence.duckdb()).isNotEqualTo(divergence.postgres());
  }

  private static String cut(String answer, String right) {
    return answer.startsWith("!") && right.startsWith("!") && right.length() < answer.length()
        ? answer.substring(0, right.length())
        : answer;
  }

  private static String text(Answer answer, boolean states) {
    return switch (answer) {
      case Answer.TooLarge large -> "too large";
      case Answer.Refusal refusal -> states ? "!" + refusal.sqlState() : "!";
      case Answer.Rows rows ->
          rows.rows().stream()
              .map(row -> row.stream().map(Cells::text).collect(Collectors.joining(",")))
              .collect(Collectors.joining(";"));
    };
  }
}
