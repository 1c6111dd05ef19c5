package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Sorts the rows of its one input partition, or with {@code preservePartitioning} of each. With a
 * fetch it keeps only the first rows: a top-k. It requires no order and produces one.
 */
public final class SortExec extends PlanNode implements SortNode {
  private final LexOrdering ordering;
  private final OptionalLong fetch;
  private final boolean preservePartitioning;

  public SortExec(
      PhysicalPlan input, LexOrdering ordering, OptionalLong fetch, boolean preservePartitioning) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(
            preservePartitioning ? input.properties().partitioning() : new Partitioning.Unknown(1),
            input.properties().equivalences().withoutOrderings().withOrdering(ordering)));
    this.ordering = ordering;
    this.fetch = fetch;
    this.preservePartitioning = preservePartitioning;
  }

  @Override
  public LexOrdering ordering() {
    return ordering;
  }

  @Override
  public boolean preservePartitioning() {
    return preservePartitioning;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new SortExec(replacement.get(0), ordering, fetch, preservePartitioning);
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return DistributionRequirements.of(
        preservePartitioning ? Distribution.UNSPECIFIED : Distribution.SINGLE);
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
        ? Limits.statistics(
            child().statistics(), schema(), 0, fetch, preservePartitioning ? partitions() : 1)
        : child().statistics();
  }

  @Override
  public OptionalLong fetch() {
    return fetch;
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return Optional.of(
        new SortExec(child(), ordering, Limits.tighter(fetch, limit), preservePartitioning));
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .flatMap(
            swap ->
                swap.rewrite(ordering)
                    .map(o -> new SortExec(swap.below(), o, fetch, preservePartitioning)));
  }

  /** A top-k keeps filters above it: they would change which rows are the first. */
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
    return (fetch.isPresent() ? "TopK(fetch=" + fetch.getAsLong() + "), " : "")
        + "expr="
        + ordering
        + (preservePartitioning ? ", preserve_partitioning=true" : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    BatchStream input = child().execute(partition, context);
    return fetch.isPresent()
        ? new TopKStream(this, input, fetch.getAsLong(), context)
        : new SortStream(this, input, context);
  }
}
