package dev.varve.engine.statement;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.connector.MemoryTable;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.plan.PlanPrinter;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** EXPLAIN: one text column, a row a line. */
public final class Explanations {
  public static final Schema SCHEMA = Schema.of(Field.of("plan", DataType.VARCHAR, false));

  private Explanations() {}

  static Prepared of(Statement.Explain statement, Prepared prepared) {
    return switch (prepared) {
      case Prepared.Run run ->
          statement.analyze()
              ? new Prepared.Analyze("EXPLAIN", run.plan(), SCHEMA, statement.verbose())
              : new Prepared.Answer(
                  "EXPLAIN", planned(run.plan(), statement.verbose()), Optional.empty());
      case Prepared.Analyze _, Prepared.Answer _ ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED,
              "EXPLAIN " + prepared.tag() + ": the statement has no plan",
              statement.statement().position(),
              null,
              null);
    };
  }

  private static Batch planned(OptimizedPlan plan, boolean verbose) {
    return lines(verbose ? PlanPrinter.verbose(plan, false) : PlanPrinter.text(plan.plan()));
  }

  /** The plan with its figures, after it has run. */
  public static Batch analyzed(OptimizedPlan plan, boolean verbose) {
    return lines(verbose ? PlanPrinter.verbose(plan, true) : PlanPrinter.analyzed(plan.plan()));
  }

  private static Batch lines(String text) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    text.stripTrailing().lines().forEach(line -> rows.add(List.of(line)));
    return MemoryTable.toBatch(SCHEMA, rows);
  }
}
