package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Of each group of rows with equal keys, those after {@code skip}, at most {@code fetch}, in an
 * order within the group. It requires its input in the order of the keys, then that one, with the
 * rows of a group together.
 */
public final class GroupLimitExec extends PlanNode {
  private final List<SortExpr> keys;
  private final List<SortExpr> order;
  private final long skip;
  private final OptionalLong fetch;

  /**
   * @param keys at least one; their directions do not matter
   * @param order may be empty: then any rows of a group are its first
   */
  public GroupLimitExec(
      PhysicalPlan input,
      List<SortExpr> keys,
      List<SortExpr> order,
      long skip,
      OptionalLong fetch) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(input.properties().partitioning(), input.properties().equivalences()));
    if (keys.isEmpty()) {
      throw new IllegalStateException("a group has keys");
    }
    this.keys = List.copyOf(keys);
    this.order = List.copyOf(order);
    this.skip = skip;
    this.fetch = fetch;
  }

  List<PhysicalExpr> keys() {
    return keys.stream().map(SortExpr::expr).toList();
  }

  long skip() {
    return skip;
  }

  /** The number of rows kept of a group; {@link Long#MAX_VALUE} for all. */
  long limit() {
    return fetch.orElse(Long.MAX_VALUE);
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new GroupLimitExec(replacement.get(0), keys, order, skip, fetch);
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return DistributionRequirements.of(new Distribution.KeyPartitioned(keys()));
  }

  @Override
  public List<Optional<LexOrdering>> requiredInputOrdering() {
    List<SortExpr> all = new ArrayList<>(keys);
    all.addAll(order);
    return List.of(Optional.of(new LexOrdering(all)));
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(true);
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.LOWER_EQUAL;
  }

  @Override
  Statistics estimate() {
    return child().statistics().toInexact();
  }

  @Override
  public String details() {
    return "keys="
        + keys()
        + (order.isEmpty() ? "" : ", order=" + order)
        + (skip == 0 ? "" : ", skip=" + skip)
        + (fetch.isPresent() ? ", fetch=" + fetch.getAsLong() : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new GroupLimitStream(this, child().execute(partition, context), context);
  }
}
