package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.plan.LimitNode;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Stops each partition after {@code fetch} rows. */
public final class LocalLimitExec extends PlanNode implements LimitNode {
  private final long fetch;

  public LocalLimitExec(PhysicalPlan input, long fetch) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(input.properties().partitioning(), input.properties().equivalences()));
    if (fetch < 0) {
      throw new IllegalStateException("fetch " + fetch);
    }
    this.fetch = fetch;
  }

  @Override
  public long skip() {
    return 0;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new LocalLimitExec(replacement.get(0), fetch);
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
    return CardinalityEffect.LOWER_EQUAL;
  }

  @Override
  Statistics estimate() {
    return Limits.statistics(
        child().statistics(), schema(), 0, OptionalLong.of(fetch), partitions());
  }

  @Override
  public OptionalLong fetch() {
    return OptionalLong.of(fetch);
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return Optional.of(new LocalLimitExec(child(), Math.min(fetch, limit)));
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .map(swap -> new LocalLimitExec(swap.below(), fetch));
  }

  @Override
  public String details() {
    return "fetch=" + fetch;
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new LimitStream(this, child().execute(partition, context), 0, fetch, context);
  }
}
