package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;

/**
 * Moves rows between partitions: batches in turn, or rows by the hash of their keys. With {@code
 * preserveOrder} every output partition merges what it gets from the input partitions by their
 * order.
 */
public final class RepartitionExec extends PlanNode {
  private final Partitioning target;
  private final boolean preserveOrder;

  public RepartitionExec(PhysicalPlan input, Partitioning target, boolean preserveOrder) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(target, equivalences(input, preserveOrder)).eager());
    if (!(target instanceof Partitioning.Hash)
        && !(target instanceof Partitioning.RoundRobinBatch)) {
      throw new IllegalStateException("rows are not divided by " + target);
    }
    if (preserveOrder && input.properties().outputOrdering().isEmpty()) {
      throw new IllegalStateException("there is no order to preserve in " + input.name());
    }
    this.target = target;
    this.preserveOrder = preserveOrder;
  }

  private static EquivalenceProperties equivalences(PhysicalPlan input, boolean preserveOrder) {
    EquivalenceProperties facts = input.properties().equivalences();
    if (input.properties().partitioning().count() <= 1) {
      return facts.withoutOrderingsAcross();
    }
    return preserveOrder
        ? facts.mergedBy(facts.outputOrdering().orElseThrow())
        : facts.withoutPartitionConstants().withoutOrderings();
  }

  public Partitioning target() {
    return target;
  }

  public boolean preserveOrder() {
    return preserveOrder;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    PhysicalPlan input = replacement.get(0);
    return new RepartitionExec(
        input, target, preserveOrder && input.properties().outputOrdering().isPresent());
  }

  /** One input partition is dealt out in its order. */
  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(preserveOrder || child().properties().partitioning().count() <= 1);
  }

  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return List.of(target instanceof Partitioning.Hash);
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
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .flatMap(
            swap -> {
              if (preserveOrder && swap.below().properties().outputOrdering().isEmpty()) {
                return Optional.empty();
              }
              if (target instanceof Partitioning.Hash(List<PhysicalExpr> keys, int count)) {
                return swap.rewrite(keys)
                    .map(
                        k ->
                            new RepartitionExec(
                                swap.below(), new Partitioning.Hash(k, count), preserveOrder));
              }
              return Optional.of(new RepartitionExec(swap.below(), target, preserveOrder));
            });
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
    return maintainsInputOrder().get(0)
        ? PassThrough.sort(child(), request, c -> withChildren(List.of(c)))
        : SortPushdown.UNSUPPORTED;
  }

  @Override
  public Optional<PhysicalPlan> withPreserveOrder(boolean preserve) {
    if (preserve == preserveOrder) {
      return Optional.of(this);
    }
    if (preserve && child().properties().outputOrdering().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new RepartitionExec(child(), target, preserve));
  }

  @Override
  public String details() {
    String how =
        switch (target) {
          case Partitioning.Hash(List<PhysicalExpr> keys, int count) ->
              "Hash(" + keys + ", " + count + ")";
          case Partitioning.RoundRobinBatch(int count) -> "RoundRobinBatch(" + count + ")";
          case Partitioning.Range range -> range.toString();
          case Partitioning.Unknown unknown -> unknown.toString();
        };
    return "partitioning="
        + how
        + ", input_partitions="
        + child().properties().partitioning().count()
        + (preserveOrder ? ", preserve_order=true" : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    Exchange exchange =
        context
            .query()
            .shared(this, Exchange.class, () -> new Exchange(this, child(), context.query()));
    return exchange.open(partition, context);
  }
}
