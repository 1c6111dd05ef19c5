package dev.varve.engine.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.engine.sql.Statement;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalPlannerTest {
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();
  private final TestTables tables = TestTables.tpch();
  private final LogicalPlanner planner =
      new LogicalPlanner(
          new StandardFunctions(), (rex, expressions, reduced) -> reduced.addAll(expressions));

  private LogicalPlan plan(String sql, Settings settings, @Nullable Object... parameters) {
    Statement.Query query = (Statement.Query) frontEnd.parse(sql);
    return planner.plan(query.query(), tables, Arrays.asList(parameters), settings);
  }

  private LogicalPlan plan(String sql, @Nullable Object... parameters) {
    return plan(sql, Settings.DEFAULTS, parameters);
  }

  private String text(String sql, @Nullable Object... parameters) {
    return RelOptUtil.toString(plan(sql, parameters).root()).strip();
  }

  private String failure(String sql) {
    VarveException failure = catchThrowableOfType(VarveException.class, () -> plan(sql));
    assertThat(failure).as(sql).isNotNull();
    return failure.code() + ": " + failure.describe();
  }

  static String tpch(int number) {
    String file = "/tpch/q%02d.sql".formatted(number);
    try (InputStream in = LogicalPlannerTest.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
  void plansTpch(int number) {
    LogicalPlan plan = plan(tpch(number));
    if (Boolean.getBoolean("print.plans")) {
      System.out.println("q" + number + "\n" + RelOptUtil.toString(plan.root()));
    }
    assertThat(PlanTree.hasSubQuery(plan.root())).isFalse();
    assertThat(PlanTree.hasCorrelation(plan.root())).isFalse();
    plan(tpch(number), Settings.DEFAULTS.with(EngineSettings.OPTIMIZER, false));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 8", "4, 1", "5, 5", "7, 5", "8, 7", "9, 5", "16, 2", "17, 2", "18, 3", "20, 4", "21, 5"
  })
  void joinsNoTableTwice(int number, int joins) {
    assertThat(PlanTree.count(plan(tpch(number)).root(), Join.class::isInstance)).isEqualTo(joins);
  }

  @Test
  void planningTimeIsPrinted() {
    for (int round = 0; round < 5; round++) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int number = 1; number <= 22; number++) {
        plan(tpch(number));
      }
      long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
      System.out.printf("TPC-H planning, round %d: %.1f ms a query%n", round, nanos / 22e6);
    }
  }
}
