package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Merges sorted partitions into one sorted stream; rows of equal keys come by partition. */
public final class SortPreservingMergeExec extends FetchingNode {
  private final LexOrdering ordering;

  public SortPreservingMergeExec(PhysicalPlan input, LexOrdering ordering, OptionalLong fetch) {
    super(
        input,
        PlanProperties.of(
                new Partitioning.Unknown(1), input.properties().equivalences().mergedBy(ordering))
            .eager(),
        fetch);
    this.ordering = ordering;
  }

  public LexOrdering ordering() {
    return ordering;
  }

  @Override
  PhysicalPlan with(PhysicalPlan input, OptionalLong newFetch) {
    return new SortPreservingMergeExec(input, ordering, newFetch);
  }

  @Override
  public List<Optional<LexOrdering>> requiredInputOrdering() {
    return List.of(Optional.of(ordering));
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(true);
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
                    .map(o -> new SortPreservingMergeExec(swap.below(), o, fetch())));
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering request) {
    return Requests.answerFromOwnOrder(this, request);
  }

  @Override
  public String details() {
    return ordering + (fetch().isPresent() ? ", fetch=" + fetch().getAsLong() : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new MergeStream(this, child(), ordering, fetch(), context);
  }
}
