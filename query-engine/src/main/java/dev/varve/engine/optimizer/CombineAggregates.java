package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.SplittableAggregate;

/**
 * Makes one phase of two that ended up on one another.
 *
 * <pre>{@code
 * AggregateExec: FINAL, [g], [sum(v)]         AggregateExec: SINGLE, [g], [sum(v)]
 *   AggregateExec: PARTIAL, [g], [sum(v)]  =>   DataSourceExec
 *     DataSourceExec
 * }</pre>
 *
 * Sound because nothing was moved in between: each group's rows are in one partition.
 */
final class CombineAggregates implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return PlanTransform.bottomUp(
        plan,
        node ->
            node.capability(SplittableAggregate.class)
                .flatMap(SplittableAggregate::combined)
                .orElse(node));
  }
}
