package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Merges sorted partitions into one sorted stream; rows of equal keys come by partition. */
public final class SortPreservingMergeExec extends PlanNode {
  private final LexOrdering ordering;
  private final OptionalLong fetch;

  public SortPreservingMergeExec(PhysicalPlan input, LexOrdering ordering, OptionalLong fetch) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(
                new Partitioning.Unknown(1), input.properties().equivalences().mergedBy(ordering))
            .eager());
    this.ordering = ordering;
    this.fetch = fetch;
  }

  public LexOrdering ordering() {
    return ordering;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new SortPreservingMergeExec(replacement.get(0), ordering, fetch);
  }

  @Override
  public List<Optional<LexOrdering>> requiredInputOrdering() {
    return List.of(Optional.of(ordering));
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
    return Optional.of(
        new SortPreservingMergeExec(child(), ordering, Limits.tighter(fetch, limit)));
  }

  /** The first rows of the merge are among the first rows of each partition. */
  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .flatMap(
            swap ->
                swap.rewrite(ordering)
                    .map(o -> new SortPreservingMergeExec(swap.below(), o, fetch)));
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
  public SortPushdown tryPushdownSort(LexOrdering request) {
    return Requests.answerFromOwnOrder(this, request);
  }

  @Override
  public String details() {
    return ordering + (fetch.isPresent() ? ", fetch=" + fetch.getAsLong() : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new MergeStream(this, child(), ordering, fetch, context);
  }
}
