package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.operator.CooperativeExec;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.SchedulingType;

/**
 * Wraps leaves that would never give their core back.
 *
 * <pre>{@code
 * AggregateExec                               AggregateExec
 *   NumbersExec                        =>       CooperativeExec
 *                                                 NumbersExec
 * }</pre>
 *
 * Sound because the wrapper passes rows on untouched. Only leaves that do not spend a budget by
 * themselves and may give more than a batch need it: whatever is above them pulls from them.
 */
final class EnsureCooperative implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return PlanTransform.bottomUp(plan, node -> wrap(node, settings));
  }

  private static PhysicalPlan wrap(PhysicalPlan plan, Settings settings) {
    boolean oneBatch =
        plan.statistics().rowCount() instanceof Precision.Exact<Long>(Long rows)
            && rows <= settings.batchSize();
    return plan.children().isEmpty()
            && plan.properties().scheduling() == SchedulingType.NON_COOPERATIVE
            && !oneBatch
        ? new CooperativeExec(plan)
        : plan;
  }
}
