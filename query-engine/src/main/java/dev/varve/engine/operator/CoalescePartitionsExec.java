package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Brings partitions together in one stream, in no order; every partition runs in a task. */
public final class CoalescePartitionsExec extends FetchingNode {
  public CoalescePartitionsExec(PhysicalPlan input) {
    this(input, OptionalLong.empty());
  }

  private CoalescePartitionsExec(PhysicalPlan input, OptionalLong fetch) {
    super(
        input, PlanProperties.of(new Partitioning.Unknown(1), equivalences(input)).eager(), fetch);
  }

  private static EquivalenceProperties equivalences(PhysicalPlan input) {
    EquivalenceProperties facts = input.properties().equivalences();
    return input.properties().partitioning().count() <= 1
        ? facts
        : facts.withoutPartitionConstants().withoutOrderings();
  }

  @Override
  PhysicalPlan with(PhysicalPlan input, OptionalLong newFetch) {
    return new CoalescePartitionsExec(input, newFetch);
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(child().properties().partitioning().count() <= 1);
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .map(swap -> new CoalescePartitionsExec(swap.below(), fetch()));
  }

  @Override
  public String details() {
    return fetch().isPresent() ? "fetch=" + fetch().getAsLong() : "";
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new CoalesceStream(this, child(), fetch(), context);
  }
}
