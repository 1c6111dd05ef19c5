package dev.varve.engine.physical;

import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.apache.calcite.rel.RelNode;

/**
 * Translates an optimized logical plan, one relational operator to one or a few nodes, with no
 * exchange and no sort but those the query asks for. Safe for concurrent use.
 */
public final class PhysicalPlanner {

  public PhysicalPlan plan(RelNode optimized, Settings settings, PlanningContext context) {
    throw new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED, "no plan for " + optimized.getRelTypeName());
  }
}
