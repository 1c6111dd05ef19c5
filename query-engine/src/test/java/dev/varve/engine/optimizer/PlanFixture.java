package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.operator.AggregateExec;
import dev.varve.engine.operator.AggregateExpr;
import dev.varve.engine.operator.AggregateFunctions;
import dev.varve.engine.operator.AggregateMode;
import dev.varve.engine.operator.FilterExec;
import dev.varve.engine.operator.GlobalLimitExec;
import dev.varve.engine.operator.HashJoinExec;
import dev.varve.engine.operator.JoinKey;
import dev.varve.engine.operator.JoinMode;
import dev.varve.engine.operator.JoinType;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.operator.SortExec;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanPrinter;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Words to write plans with, and what becomes of them with four partitions wanted. */
final class PlanFixture {
  private PlanFixture() {}

  static final Settings SETTINGS =
      Settings.DEFAULTS
          .with(EngineSettings.TARGET_PARTITIONS, 4)
          .with(EngineSettings.COLLECT_BUILD_BYTES, 1L << 20)
          .with(EngineSettings.COLLECT_BUILD_ROWS, 128L * 1024);

  static final Schema ABC =
      Schema.of(
          Field.of("a", DataType.BIGINT, false),
          Field.of("b", DataType.BIGINT),
          Field.of("c", DataType.BIGINT));

  static FakeTable table(String name) {
    return FakeTable.of(name, ABC);
  }

  static String optimized(PhysicalPlan plan) {
    return optimized(plan, SETTINGS);
  }

  static String optimized(PhysicalPlan plan, Settings settings) {
    return PlanPrinter.text(PhysicalOptimizer.checkingEachRule().optimize(plan, settings).plan());
  }

  static ColumnExpr column(PhysicalPlan plan, String name) {
    return ColumnExpr.of(plan.schema(), plan.schema().indexOf(name));
  }

  /** {@code "a"}, {@code "a desc"}, {@code "a nulls first"}. */
  static LexOrdering order(Schema schema, String... keys) {
    return new LexOrdering(
        Arrays.stream(keys)
            .map(
                key -> {
                  String[] words = key.split(" ", -1);
                  boolean descending = key.contains(" desc");
                  boolean nullsFirst =
                      key.contains("nulls first") || (descending && !key.contains("nulls last"));
                  return new SortExpr(
                      ColumnExpr.of(schema, schema.indexOf(words[0])),
                      new SortOptions(descending, nullsFirst));
                })
            .toList());
  }

  static LexOrdering by(String... keys) {
    return order(ABC, keys);
  }

  static PhysicalPlan sort(PhysicalPlan input, String... keys) {
    return new SortExec(input, order(input.schema(), keys), OptionalLong.empty(), false);
  }

  static PhysicalPlan limit(PhysicalPlan input, long skip, long fetch) {
    return new GlobalLimitExec(input, skip, OptionalLong.of(fetch));
  }

  static PhysicalPlan filter(PhysicalPlan input, String column, ComparisonOp op, long value) {
    return new FilterExec(
        input,
        new ComparisonExpr(op, column(input, column), new LiteralExpr(value, DataType.BIGINT)));
  }

  static PhysicalPlan project(PhysicalPlan input, PhysicalExpr... expressions) {
    List<NamedExpr> columns = new ArrayList<>();
    for (PhysicalExpr expression : expressions) {
      columns.add(
          new NamedExpr(
              expression,
              expression instanceof ColumnExpr column ? column.name() : "x" + columns.size()));
    }
    return new ProjectionExec(input, columns);
  }

  static PhysicalPlan select(PhysicalPlan input, String... columns) {
    return project(
        input,
        Arrays.stream(columns).map(name -> column(input, name)).toArray(PhysicalExpr[]::new));
  }

  static PhysicalPlan sumBy(PhysicalPlan input, String value, String... groups) {
    return new AggregateExec(
        AggregateMode.SINGLE,
        Arrays.stream(groups).map(g -> new NamedExpr(column(input, g), g)).toList(),
        List.of(
            new AggregateExpr(
                AggregateFunctions.resolve("sum", List.of(DataType.BIGINT)),
                List.of(column(input, value)),
                Optional.empty(),
                "total")),
        input);
  }

  static PhysicalPlan join(
      PhysicalPlan left, PhysicalPlan right, JoinType type, String... equalColumns) {
    return new HashJoinExec(
        left,
        right,
        Arrays.stream(equalColumns)
            .map(name -> new JoinKey(column(left, name), column(right, name), false))
            .toList(),
        Optional.empty(),
        type,
        JoinMode.COLLECT_LEFT);
  }
}
