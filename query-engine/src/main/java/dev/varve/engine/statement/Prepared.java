package dev.varve.engine.statement;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.type.Schema;
import java.util.Optional;

/** A statement that is ready to answer. */
public sealed interface Prepared {
  /** What the statement was: {@code SELECT}, {@code CREATE TABLE}. */
  String tag();

  Schema schema();

  /** The answer is there; the session's new state where the statement changed it. */
  record Answer(String tag, Batch rows, Optional<SessionState> session) implements Prepared {
    @Override
    public Schema schema() {
      return rows.schema();
    }
  }

  /** A plan is to be run and gives the answer. */
  record Run(String tag, OptimizedPlan plan, Schema schema) implements Prepared {}

  /** A plan is to be run to its end, and its figures are the answer. */
  record Analyze(String tag, OptimizedPlan plan, Schema schema, boolean verbose)
      implements Prepared {}
}
