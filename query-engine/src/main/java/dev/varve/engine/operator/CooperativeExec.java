package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes a stream spend the task's budget at every batch, so that a plan that never blocks still
 * gives its core back and notices that its query has ended. Rows pass untouched.
 */
public final class CooperativeExec extends PlanNode {
  public CooperativeExec(PhysicalPlan input) {
    super(input.schema(), List.of(input), input.properties().cooperative());
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new CooperativeExec(replacement.get(0));
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(true);
  }

  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return List.of(false);
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.EQUAL;
  }

  @Override
  Statistics estimate() {
    return child().statistics();
  }

  @Override
  public OptionalLong fetch() {
    return child().fetch();
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return child().withFetch(limit).map(CooperativeExec::new);
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return child().trySwapWithProjection(projection).map(CooperativeExec::new);
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return PassThrough.filters(parentFilters, 1);
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return PassThrough.outcomes(this, parentFilters, outcomes);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering request) {
    return PassThrough.sort(child(), request, CooperativeExec::new);
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new CooperativeStream(this, child().execute(partition, context), context);
  }
}
