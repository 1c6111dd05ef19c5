package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.plan.LimitNode;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Leaves out the first {@code skip} rows and stops after {@code fetch} more. */
public final class GlobalLimitExec extends PlanNode implements LimitNode {
  private final long skip;
  private final OptionalLong fetch;

  public GlobalLimitExec(PhysicalPlan input, long skip, OptionalLong fetch) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(input.properties().partitioning(), input.properties().equivalences()));
    if (skip < 0 || (fetch.isPresent() && fetch.getAsLong() < 0)) {
      throw new IllegalStateException("skip " + skip + ", fetch " + fetch);
    }
    this.skip = skip;
    this.fetch = fetch;
  }

  @Override
  public long skip() {
    return skip;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new GlobalLimitExec(replacement.get(0), skip, fetch);
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return DistributionRequirements.of(Distribution.SINGLE);
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
    return Limits.statistics(child().statistics(), schema(), skip, fetch, 1);
  }

  @Override
  public OptionalLong fetch() {
    return fetch;
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return Optional.of(new GlobalLimitExec(child(), skip, Limits.tighter(fetch, limit)));
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .map(swap -> new GlobalLimitExec(swap.below(), skip, fetch));
  }

  @Override
  public String details() {
    return "skip=" + skip + ", fetch=" + (fetch.isPresent() ? fetch.getAsLong() : "none");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new LimitStream(
        this, child().execute(partition, context), skip, fetch.orElse(Long.MAX_VALUE), context);
  }
}
