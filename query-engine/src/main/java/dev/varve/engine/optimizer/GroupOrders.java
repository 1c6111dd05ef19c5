package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.AnnotatedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.SplittableAggregate;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.PartitioningSatisfaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks what is grouped to come in the order of the groups, where that needs no sort.
 *
 * <pre>{@code
 * AggregateExec: gby=[k]                      AggregateExec: gby=[k], ordering_mode=Sorted
 *   DataSourceExec: groups=2             =>     DataSourceExec: order=[k ASC], groups=2
 * }</pre>
 *
 * Sound because the rows stay the same. Groups of an ordered input are finished as they pass, so
 * that no table of them is kept; where the input can be cut into ranges between groups, the ranges
 * are worked on in parallel and nothing is left to combine. Refuses where fewer partitions would be
 * left: a table of groups on every core is faster than one ordered stream.
 */
final class GroupOrders implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return settings.optimizes(EngineSettings.ELIMINATE_SORTS)
        ? PlanTransform.bottomUp(plan, node -> request(node, settings))
        : plan;
  }

  private static PhysicalPlan request(PhysicalPlan plan, Settings settings) {
    Optional<SplittableAggregate> aggregate = plan.capability(SplittableAggregate.class);
    if (aggregate.isEmpty() || aggregate.get().groupKeys().isEmpty()) {
      return plan;
    }
    PhysicalPlan input = plan.children().get(0);
    List<PhysicalExpr> keys = aggregate.get().groupKeys();
    List<PhysicalExpr> varying = new ArrayList<>();
    for (PhysicalExpr key : keys) {
      if (!input.properties().equivalences().isConstant(key) && !varying.contains(key)) {
        varying.add(key);
      }
    }
    Optional<OrderSearch.Found> found = OrderSearch.find(input, varying);
    if (found.isEmpty()) {
      return plan;
    }
    LexOrdering ordering = found.get().ordering(varying);
    PhysicalPlan ordered = found.get().plan();
    PhysicalPlan divided =
        settings.targetPartitions() > 1 && !isTogether(ordered, varying)
            ? ordered
                .tryPushdownRanges(ordering, Optional.empty())
                .filter(cut -> isTogether(cut, varying))
                .filter(cut -> cut.properties().equivalences().satisfies(ordering))
                .orElse(ordered)
            : ordered;
    boolean fewerPartitions =
        divided.properties().partitioning().count() < input.properties().partitioning().count();
    if (divided == input || fewerPartitions) {
      return plan;
    }
    return AnnotatedPlan.of(
        plan.withChildren(List.of(divided)),
        List.of("grouped as rows pass: the input is in order of " + ordering));
  }

  /** Whether each group is in one of several partitions. */
  private static boolean isTogether(PhysicalPlan plan, List<PhysicalExpr> keys) {
    return plan.properties().partitioning().count() > 1
        && plan.properties()
                .partitioning()
                .satisfaction(
                    new Distribution.KeyPartitioned(keys), plan.properties().equivalences())
            != PartitioningSatisfaction.NOT_SATISFIED;
  }
}
