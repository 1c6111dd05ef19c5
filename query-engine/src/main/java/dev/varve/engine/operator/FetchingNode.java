package dev.varve.engine.operator;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A node that gives its input's rows, all of them or the first ones. Under a fetch no filter passes
 * it: that would change which rows are the first.
 */
abstract class FetchingNode extends PlanNode {
  private final OptionalLong fetch;

  FetchingNode(PhysicalPlan input, PlanProperties properties, OptionalLong fetch) {
    super(input.schema(), List.of(input), properties);
    this.fetch = fetch;
  }

  /** The same node over another input, with another fetch. */
  abstract PhysicalPlan with(PhysicalPlan input, OptionalLong newFetch);

  @Override
  final PhysicalPlan over(List<PhysicalPlan> replacement) {
    return with(replacement.get(0), fetch);
  }

  @Override
  public final OptionalLong fetch() {
    return fetch;
  }

  @Override
  public final Optional<PhysicalPlan> withFetch(long limit) {
    return Optional.of(with(child(), Limits.tighter(fetch, limit)));
  }

  @Override
  public final List<Boolean> benefitsFromInputPartitioning() {
    return List.of(false);
  }

  @Override
  public final CardinalityEffect cardinalityEffect() {
    return fetch.isPresent() ? CardinalityEffect.LOWER_EQUAL : CardinalityEffect.EQUAL;
  }

  @Override
  final Statistics estimate() {
    return fetch.isPresent()
        ? Limits.statistics(child().statistics(), schema(), 0, fetch, partitions())
        : child().statistics();
  }

  @Override
  public final FilterPushdown.Description gatherFiltersForPushdown(
      List<PhysicalExpr> parentFilters) {
    return fetch.isPresent()
        ? FilterPushdown.Description.NONE
        : PassThrough.filters(parentFilters, 1);
  }

  @Override
  public final FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return PassThrough.outcomes(this, parentFilters, outcomes);
  }
}
