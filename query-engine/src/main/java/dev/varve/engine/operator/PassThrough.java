package dev.varve.engine.operator;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.LexOrdering;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Answers of nodes whose rows are their child's rows: what is asked of them is asked of the child.
 */
final class PassThrough {
  private PassThrough() {}

  /** Every movable filter goes to every child as it is. */
  static FilterPushdown.Description filters(List<PhysicalExpr> parentFilters, int children) {
    FilterPushdown.ChildFilters all =
        new FilterPushdown.ChildFilters(
            parentFilters.stream().map(f -> Optional.of(f).filter(ColumnRewrite::movable)).toList(),
            List.of());
    return new FilterPushdown.Description(Collections.nCopies(children, all));
  }

  /** Each filter became what the least able child made of it. */
  static FilterPushdown.Result outcomes(
      PhysicalPlan node,
      List<PhysicalExpr> parentFilters,
      List<FilterPushdown.ChildOutcome> outcomes) {
    List<FilterPushdown.Outcome> combined = new ArrayList<>(parentFilters.size());
    for (int i = 0; i < parentFilters.size(); i++) {
      FilterPushdown.Outcome worst =
          outcomes.isEmpty() ? FilterPushdown.Outcome.UNSUPPORTED : FilterPushdown.Outcome.EXACT;
      for (FilterPushdown.ChildOutcome outcome : outcomes) {
        FilterPushdown.Outcome one = outcome.parentFilters().get(i);
        worst = one.compareTo(worst) > 0 ? one : worst;
      }
      combined.add(worst);
    }
    return new FilterPushdown.Result(node, combined);
  }

  /** The child's answer, with the node put on the child as it became. */
  static SortPushdown sort(
      PhysicalPlan child, LexOrdering request, Function<PhysicalPlan, PhysicalPlan> above) {
    return switch (child.tryPushdownSort(request)) {
      case SortPushdown.Exact exact ->
          new SortPushdown.Exact(above.apply(exact.plan()), exact.reasons());
      case SortPushdown.Inexact inexact ->
          new SortPushdown.Inexact(above.apply(inexact.plan()), inexact.reasons());
      case SortPushdown.Unsupported unsupported -> unsupported;
    };
  }
}
