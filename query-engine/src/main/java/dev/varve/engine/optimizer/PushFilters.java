package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Carries filters to the sources and brings back what became of them.
 *
 * <pre>{@code
 * FilterExec: k > 3 AND f(v)                  FilterExec: f(v)
 *   DataSourceExec                     =>       DataSourceExec: predicate=k > 3
 * }</pre>
 *
 * Sound because a node only lets pass what it may, and a filter stays above unless the nodes below
 * apply it exactly: the negotiation of {@link FilterPushdown}.
 */
final class PushFilters implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return push(plan, List.of()).plan();
  }

  private static FilterPushdown.Result push(PhysicalPlan plan, List<PhysicalExpr> parentFilters) {
    if (plan.children().isEmpty()) {
      return plan.handleChildPushdownResult(parentFilters, List.of());
    }
    FilterPushdown.Description description = plan.gatherFiltersForPushdown(parentFilters);
    boolean closed = description.children().isEmpty();
    List<PhysicalPlan> children = new ArrayList<>();
    List<FilterPushdown.ChildOutcome> outcomes = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < plan.children().size(); i++) {
      PhysicalPlan child = plan.children().get(i);
      FilterPushdown.ChildFilters offered =
          closed
              ? new FilterPushdown.ChildFilters(
                  Collections.nCopies(parentFilters.size(), Optional.empty()), List.of())
              : description.children().get(i);
      FilterPushdown.Result answer = push(child, flatten(offered));
      children.add(answer.plan());
      outcomes.add(outcome(offered, answer.parentFilters()));
      same &= answer.plan() == child;
    }
    PhysicalPlan over = same ? plan : plan.withChildren(children);
    return closed
        ? new FilterPushdown.Result(
            over, Collections.nCopies(parentFilters.size(), FilterPushdown.Outcome.UNSUPPORTED))
        : over.handleChildPushdownResult(parentFilters, outcomes);
  }

  private static List<PhysicalExpr> flatten(FilterPushdown.ChildFilters offered) {
    List<PhysicalExpr> all = new ArrayList<>();
    offered.parentFilters().forEach(filter -> filter.ifPresent(all::add));
    all.addAll(offered.ownFilters());
    return all;
  }

  /** The child's answers, told apart again: the parent's first, then the node's own. */
  private static FilterPushdown.ChildOutcome outcome(
      FilterPushdown.ChildFilters offered, List<FilterPushdown.Outcome> answers) {
    int next = 0;
    List<FilterPushdown.Outcome> parents = new ArrayList<>();
    for (Optional<PhysicalExpr> filter : offered.parentFilters()) {
      parents.add(filter.isPresent() ? answers.get(next++) : FilterPushdown.Outcome.UNSUPPORTED);
    }
    return new FilterPushdown.ChildOutcome(parents, answers.subList(next, answers.size()));
  }
}
