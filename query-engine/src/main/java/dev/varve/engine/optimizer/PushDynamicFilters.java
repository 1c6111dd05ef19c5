package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.plan.DynamicFilterMaker;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Lets what a join learns from its build side skip rows where the probe side reads them.
 *
 * <pre>{@code
 * HashJoinExec: on=[k = k]                    HashJoinExec: on=[k = k], dynamic_filters=[keys(k)]
 *   DataSourceExec: small              =>       DataSourceExec: small
 *   DataSourceExec: large                       DataSourceExec: large, dynamic=[keys(k)]
 * }</pre>
 *
 * Sound because a node offers filters only where it drops the rows that they remove, and they pass
 * the nodes between as any filter of a parent does ({@link FilterPushdown}); filters that are there
 * already do not move. Refused: where nobody takes one, the join need not make it.
 */
final class PushDynamicFilters implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return settings.optimizes(EngineSettings.DYNAMIC_FILTERS)
            && settings.optimizes(EngineSettings.JOIN_DYNAMIC_FILTERS)
        ? PlanTransform.bottomUp(plan, PushDynamicFilters::offer)
        : plan;
  }

  private static PhysicalPlan offer(PhysicalPlan plan) {
    Optional<DynamicFilterMaker> maker = plan.capability(DynamicFilterMaker.class);
    if (maker.isEmpty()) {
      return plan;
    }
    List<DynamicFilter> offered = maker.get().offeredFilters();
    if (offered.isEmpty()) {
      return plan;
    }
    FilterPushdown.Result result =
        push(plan.children().get(maker.get().filteredChild()), List.copyOf(offered));
    List<DynamicFilter> taken = new ArrayList<>();
    for (int i = 0; i < offered.size(); i++) {
      if (result.parentFilters().get(i) != FilterPushdown.Outcome.UNSUPPORTED) {
        taken.add(offered.get(i));
      }
    }
    return taken.isEmpty() ? plan : maker.get().makingFilters(result.plan(), taken);
  }

  private static FilterPushdown.Result push(PhysicalPlan plan, List<PhysicalExpr> filters) {
    if (plan.children().isEmpty()) {
      return plan.handleChildPushdownResult(filters, List.of());
    }
    FilterPushdown.Description description = plan.gatherFiltersForPushdown(filters);
    if (description.children().isEmpty()) {
      return new FilterPushdown.Result(
          plan, Collections.nCopies(filters.size(), FilterPushdown.Outcome.UNSUPPORTED));
    }
    List<PhysicalPlan> children = new ArrayList<>();
    List<FilterPushdown.ChildOutcome> outcomes = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < plan.children().size(); i++) {
      PhysicalPlan child = plan.children().get(i);
      FilterPushdown.ChildFilters offered = description.children().get(i);
      List<PhysicalExpr> passing =
          offered.parentFilters().stream().flatMap(Optional::stream).toList();
      FilterPushdown.Result answer =
          passing.isEmpty() ? new FilterPushdown.Result(child, List.of()) : push(child, passing);
      children.add(answer.plan());
      outcomes.add(outcome(offered, answer.parentFilters()));
      same &= answer.plan() == child;
    }
    PhysicalPlan over = same ? plan : plan.withChildren(children);
    return over.handleChildPushdownResult(filters, outcomes);
  }

  private static FilterPushdown.ChildOutcome outcome(
      FilterPushdown.ChildFilters offered, List<FilterPushdown.Outcome> answers) {
    int next = 0;
    List<FilterPushdown.Outcome> parents = new ArrayList<>();
    for (Optional<PhysicalExpr> filter : offered.parentFilters()) {
      parents.add(filter.isPresent() ? answers.get(next++) : FilterPushdown.Outcome.UNSUPPORTED);
    }
    return new FilterPushdown.ChildOutcome(
        parents,
        Collections.nCopies(offered.ownFilters().size(), FilterPushdown.Outcome.UNSUPPORTED));
  }
}
