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

/**
 * Passes on its partitions one after the other, in their sequence, while the next ones are read
 * ahead: where partitions are ascending ranges this is their merge, without a comparison. What is
 * read ahead is reserved; without room for it only the partition whose turn it is goes on.
 */
public final class ConcatPartitionsExec extends FetchingNode {
  public ConcatPartitionsExec(PhysicalPlan input, OptionalLong fetch) {
    super(
        input,
        PlanProperties.of(
                new Partitioning.Unknown(1),
                input.properties().partitioning().count() <= 1
                    ? input.properties().equivalences()
                    : input.properties().equivalences().concatenated())
            .eager(),
        fetch);
  }

  @Override
  PhysicalPlan with(PhysicalPlan input, OptionalLong newFetch) {
    return new ConcatPartitionsExec(input, newFetch);
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(true);
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .map(swap -> new ConcatPartitionsExec(swap.below(), fetch()));
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering request) {
    return Requests.answerFromOwnOrder(this, request);
  }

  @Override
  public String details() {
    return "partitions="
        + child().properties().partitioning().count()
        + (fetch().isPresent() ? ", fetch=" + fetch().getAsLong() : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new ConcatStream(this, child(), fetch(), context);
  }
}
