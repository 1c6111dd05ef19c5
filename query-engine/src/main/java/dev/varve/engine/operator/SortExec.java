package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Sorts the rows of its one input partition, or with {@code preservePartitioning} of each. With a
 * fetch it keeps only the first rows: a top-k. It requires no order and produces one.
 */
public final class SortExec extends FetchingNode implements SortNode {
  private final LexOrdering ordering;
  private final boolean preservePartitioning;

  public SortExec(
      PhysicalPlan input, LexOrdering ordering, OptionalLong fetch, boolean preservePartitioning) {
    super(
        input,
        PlanProperties.of(
            preservePartitioning ? input.properties().partitioning() : new Partitioning.Unknown(1),
            input.properties().equivalences().withoutOrderings().withOrdering(ordering)),
        fetch);
    this.ordering = ordering;
    this.preservePartitioning = preservePartitioning;
  }

  @Override
  PhysicalPlan with(PhysicalPlan input, OptionalLong newFetch) {
    return new SortExec(input, ordering, newFetch, preservePartitioning);
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
  public DistributionRequirements inputDistributionRequirements() {
    return DistributionRequirements.of(
        preservePartitioning ? Distribution.UNSPECIFIED : Distribution.SINGLE);
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .flatMap(
            swap ->
                swap.rewrite(ordering)
                    .map(o -> new SortExec(swap.below(), o, fetch(), preservePartitioning)));
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering request) {
    return Requests.answerFromOwnOrder(this, request);
  }

  @Override
  public String details() {
    return (fetch().isPresent() ? "TopK(fetch=" + fetch().getAsLong() + "), " : "")
        + "expr="
        + ordering
        + (preservePartitioning ? ", preserve_partitioning=true" : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    BatchStream input = child().execute(partition, context);
    return fetch().isPresent()
        ? new TopKStream(this, input, fetch().getAsLong(), context)
        : new SortStream(this, input, context);
  }
}
