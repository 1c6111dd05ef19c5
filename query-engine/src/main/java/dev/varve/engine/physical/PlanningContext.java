package dev.varve.engine.physical;

import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.source.SourceTable;
import org.apache.calcite.plan.RelOptTable;

/**
 * What a logical plan is bound to when it becomes physical, anew at each execution: the tables'
 * snapshots, the values of parameters, and what stable functions see.
 */
public record PlanningContext(TableBinding tables, RexTranslator expressions, EvalContext eval) {

  /** The table that a name in a logical plan stands for in this statement. */
  @FunctionalInterface
  public interface TableBinding {
    SourceTable bind(RelOptTable table);
  }
}
