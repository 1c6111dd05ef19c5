package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Brings partitions together in one stream, in no order; every partition runs in a task. */
public final class CoalescePartitionsExec extends PlanNode {
  private final OptionalLong fetch;

  public CoalescePartitionsExec(PhysicalPlan input) {
    this(input, OptionalLong.empty());
  }

  private CoalescePartitionsExec(PhysicalPlan input, OptionalLong fetch) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(new Partitioning.Unknown(1), equivalences(input)).eager());
    this.fetch = fetch;
  }

  private static EquivalenceProperties equivalences(PhysicalPlan input) {
    EquivalenceProperties facts = input.properties().equivalences();
    return input.properties().partitioning().count() <= 1
        ? facts
        : facts.withoutPartitionConstants().withoutOrderings();
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new CoalescePartitionsExec(replacement.get(0), fetch);
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(child().properties().partitioning().count() <= 1);
  }

  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return List.of(false);
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return fetch.isPresent() ? CardinalityEffect.LOWER_EQUAL : CardinalityEffect.EQUAL;
  }

  @Override
  Statistics estimate() {
    return fetch.isPresent()
        ? Limits.statistics(child().statistics(), schema(), 0, fetch, 1)
        : child().statistics();
  }

  @Override
  public OptionalLong fetch() {
    return fetch;
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return Optional.of(new CoalescePartitionsExec(child(), Limits.tighter(fetch, limit)));
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .map(swap -> new CoalescePartitionsExec(swap.below(), fetch));
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return fetch.isPresent()
        ? FilterPushdown.Description.NONE
        : PassThrough.filters(parentFilters, 1);
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return PassThrough.outcomes(this, parentFilters, outcomes);
  }

  @Override
  public String details() {
    return fetch.isPresent() ? "fetch=" + fetch.getAsLong() : "";
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new CoalesceStream(this, child(), fetch, context);
  }
}
