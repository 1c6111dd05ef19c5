package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.AnnotatedPlan;
import dev.varve.engine.plan.MergeableJoin;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Joins by merging where both inputs come in the order of the keys without a sort.
 *
 * <pre>{@code
 * HashJoinExec: on=[a.k = b.k]                SortMergeJoinExec: on=[a.k = b.k], partitions=2
 *   DataSourceExec: a                   =>      DataSourceExec: a, order=[k ASC], groups=2
 *   DataSourceExec: b                           DataSourceExec: b, order=[k ASC], groups=2
 * }</pre>
 *
 * Sound because both sides are in one order by verified facts. Where one side can be divided into
 * ranges of the first key and the other at the same values, ranges are joined in parallel;
 * otherwise each side is read as one stream. Refuses where one side is small, since its table is
 * built in no time and probing it needs no order, and where an order would have to be made.
 */
final class MergeJoinSelection implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    if (!settings.optimizes(EngineSettings.ELIMINATE_SORTS)
        || !settings.optimizes(EngineSettings.MERGE_JOIN)) {
      return plan;
    }
    return PlanTransform.bottomUp(plan, node -> select(node, settings));
  }

  private static PhysicalPlan select(PhysicalPlan plan, Settings settings) {
    Optional<MergeableJoin> join = plan.capability(MergeableJoin.class);
    if (join.isEmpty()
        || isSmall(plan.children().get(0).statistics(), settings)
        || isSmall(plan.children().get(1).statistics(), settings)) {
      return plan;
    }
    List<PhysicalExpr> leftKeys = join.get().leftKeys();
    List<PhysicalExpr> rightKeys = join.get().rightKeys();
    Optional<OrderSearch.Found> left = OrderSearch.find(plan.children().get(0), leftKeys);
    if (left.isEmpty()) {
      return plan;
    }
    Optional<OrderSearch.Found> right =
        OrderSearch.ask(
            plan.children().get(1), rightKeys, left.get().sequence(), left.get().options());
    return right.flatMap(found -> merged(join.get(), left.get(), found, settings)).orElse(plan);
  }

  private static Optional<PhysicalPlan> merged(
      MergeableJoin join, OrderSearch.Found left, OrderSearch.Found right, Settings settings) {
    LexOrdering leftOrder = left.ordering(join.leftKeys());
    LexOrdering rightOrder = right.ordering(join.rightKeys());
    List<String> reasons = new ArrayList<>();
    reasons.add("merged: both sides are in order of " + leftOrder + " and " + rightOrder);
    if (settings.targetPartitions() > 1) {
      Optional<PhysicalPlan> divided =
          inRanges(left.plan(), leftOrder, right.plan(), rightOrder, true)
              .or(() -> inRanges(right.plan(), rightOrder, left.plan(), leftOrder, false))
              .flatMap(
                  sides ->
                      join.merging(
                          sides.left(), sides.right(), left.sequence(), left.options(), true));
      if (divided.isPresent()) {
        reasons.add("joined in parallel: both sides are cut at the same values");
        return Optional.of(AnnotatedPlan.of(divided.get(), reasons));
      }
    }
    return join.merging(left.plan(), right.plan(), left.sequence(), left.options(), false)
        .map(merged -> AnnotatedPlan.of(merged, reasons));
  }

  private record Sides(PhysicalPlan left, PhysicalPlan right) {}

  /** The second side cut where the first one is. */
  private static Optional<Sides> inRanges(
      PhysicalPlan first,
      LexOrdering firstOrder,
      PhysicalPlan second,
      LexOrdering secondOrder,
      boolean firstIsLeft) {
    return ranges(first, firstOrder)
        .flatMap(
            cut ->
                second
                    .tryPushdownRanges(secondOrder, Optional.of(range(cut)))
                    .filter(other -> keeps(other, secondOrder))
                    .map(other -> firstIsLeft ? new Sides(cut, other) : new Sides(other, cut)));
  }

  /** The plan in several ranges of the first key alone. */
  private static Optional<PhysicalPlan> ranges(PhysicalPlan plan, LexOrdering ordering) {
    return isRange(plan, ordering)
        ? Optional.of(plan)
        : plan.tryPushdownRanges(ordering, Optional.empty())
            .filter(cut -> isRange(cut, ordering) && keeps(cut, ordering));
  }

  private static boolean isRange(PhysicalPlan plan, LexOrdering ordering) {
    if (!(plan.properties().partitioning() instanceof Partitioning.Range range)
        || range.count() <= 1
        || !range.distinctCuts()
        || range.ordering().keys().size() != 1) {
      return false;
    }
    SortExpr cut = range.ordering().keys().getFirst();
    SortExpr key = ordering.keys().getFirst();
    return cut.options().equals(key.options())
        && plan.properties().equivalences().areSame(cut.expr(), key.expr());
  }

  private static Partitioning.Range range(PhysicalPlan plan) {
    return (Partitioning.Range) plan.properties().partitioning();
  }

  private static boolean keeps(PhysicalPlan plan, LexOrdering ordering) {
    return plan.properties().equivalences().satisfies(ordering);
  }

  private static boolean isSmall(Statistics side, Settings settings) {
    Optional<Long> rows = side.rowCount().known();
    return rows.isPresent() && rows.get() < settings.get(EngineSettings.MERGE_JOIN_ROWS);
  }
}
