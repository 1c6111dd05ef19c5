package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.operator.LocalLimitExec;
import dev.varve.engine.plan.LimitNode;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.properties.EvaluationType;
import dev.varve.engine.properties.Precision;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Lets what is below a limit stop by itself.
 *
 * <pre>{@code
 * GlobalLimitExec: skip=2, fetch=5            GlobalLimitExec: skip=2, fetch=5
 *   SortExec: [k ASC]                  =>       SortExec: TopK(fetch=7), [k ASC]
 *
 * GlobalLimitExec: skip=0, fetch=5            SortExec: TopK(fetch=5), [k ASC]
 *   SortExec: [k ASC]                  =>
 *
 * CoalescePartitionsExec: fetch=5             CoalescePartitionsExec: fetch=5
 *   FilterExec: v > 3                  =>       LocalLimitExec: fetch=5
 *                                                 FilterExec: v > 3
 * }</pre>
 *
 * Sound because the first {@code skip + fetch} rows hold all that the limit gives. A limit that
 * skips stays; one that does not is dropped where a single partition stops by itself. Through a
 * node that supports it the bound goes to each child, as many rows from each of their partitions;
 * where partitions or children are drained by tasks of their own, what cannot stop by itself is
 * given a limit, so that it does not run ahead of its consumer.
 */
final class PushLimit implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return PlanTransform.topDown(plan, PushLimit::pushFrom);
  }

  private static PhysicalPlan pushFrom(PhysicalPlan plan) {
    Optional<LimitNode> limit = plan.capability(LimitNode.class);
    if (limit.isPresent()) {
      return pushLimit(plan, limit.get());
    }
    // A node that absorbed a limit, or that an exchange was put under: its children may still stop.
    OptionalLong fetch = plan.fetch();
    return fetch.isPresent() && plan.supportsLimitPushdown()
        ? pushToChildren(plan, fetch.getAsLong())
        : plan;
  }

  private static PhysicalPlan pushLimit(PhysicalPlan plan, LimitNode limit) {
    if (limit.fetch().isEmpty()) {
      return plan;
    }
    long needed = saturatedSum(limit.skip(), limit.fetch().getAsLong());
    PhysicalPlan child = plan.children().get(0);
    PhysicalPlan bounded = push(child, needed);
    boolean stopsByItself =
        bounded.properties().partitioning().count() == 1
            && bounded.fetch().isPresent()
            && bounded.fetch().getAsLong() <= needed;
    if (limit.skip() == 0 && stopsByItself) {
      return pushFrom(bounded);
    }
    return bounded == child ? plan : plan.withChildren(java.util.List.of(bounded));
  }

  /** The plan giving at least the first {@code needed} rows of each partition, and few more. */
  private static PhysicalPlan push(PhysicalPlan plan, long needed) {
    if (plan.fetch().isPresent() && plan.fetch().getAsLong() <= needed) {
      return plan;
    }
    Optional<PhysicalPlan> absorbed = plan.withFetch(needed);
    PhysicalPlan bounded = absorbed.orElse(plan);
    return bounded.supportsLimitPushdown() ? pushToChildren(bounded, needed) : bounded;
  }

  private static PhysicalPlan pushToChildren(PhysicalPlan plan, long needed) {
    boolean runsAhead =
        plan.properties().evaluation() == EvaluationType.EAGER || plan.children().size() > 1;
    return PlanTransform.children(
        plan,
        child -> {
          PhysicalPlan bounded = push(child, needed);
          return runsAhead && !stops(bounded, needed) && !isSmall(bounded, needed)
              ? new LocalLimitExec(bounded, needed)
              : bounded;
        });
  }

  /**
   * Whether each partition gives no more than {@code needed} rows, by itself or by its children.
   */
  private static boolean stops(PhysicalPlan plan, long needed) {
    if (plan.fetch().isPresent() && plan.fetch().getAsLong() <= needed) {
      return true;
    }
    return plan.supportsLimitPushdown()
        && plan.properties().evaluation() == EvaluationType.LAZY
        && !plan.children().isEmpty()
        && plan.children().stream().allMatch(child -> stops(child, needed));
  }

  private static boolean isSmall(PhysicalPlan plan, long rows) {
    return plan.statistics().rowCount() instanceof Precision.Exact<Long>(Long count)
        && count <= rows;
  }

  private static long saturatedSum(long skip, long fetch) {
    return skip > Long.MAX_VALUE - fetch ? Long.MAX_VALUE : skip + fetch;
  }
}
