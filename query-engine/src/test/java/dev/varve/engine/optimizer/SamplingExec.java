package dev.varve.engine.optimizer;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** An operator that no rule has ever heard of: passes on one row of every so many, in order. */
record SamplingExec(PhysicalPlan input, int every) implements PhysicalPlan {

  @Override
  public String name() {
    return "SamplingExec";
  }

  @Override
  public Schema schema() {
    return input.schema();
  }

  @Override
  public List<PhysicalPlan> children() {
    return List.of(input);
  }

  @Override
  public PhysicalPlan withChildren(List<PhysicalPlan> children) {
    return children.get(0) == input ? this : new SamplingExec(children.get(0), every);
  }

  @Override
  public PlanProperties properties() {
    return PlanProperties.of(input.properties().partitioning(), input.properties().equivalences());
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
  public Statistics statistics() {
    Statistics all = input.statistics().toInexact();
    return new Statistics(
        all.rowCount().map(n -> n / every), all.totalBytes().map(n -> n / every), all.columns());
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return Optional.of(new SamplingExec(new ProjectionExec(input, projection), every));
  }

  /** A filter below would change which rows are sampled. */
  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return new FilterPushdown.Description(
        List.of(
            new FilterPushdown.ChildFilters(
                Collections.nCopies(parentFilters.size(), Optional.empty()), List.of())));
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    return switch (input.tryPushdownSort(ordering)) {
      case SortPushdown.Exact(PhysicalPlan plan, List<String> reasons) ->
          new SortPushdown.Exact(new SamplingExec(plan, every), reasons);
      case SortPushdown.Inexact(PhysicalPlan plan, List<String> reasons) ->
          new SortPushdown.Inexact(new SamplingExec(plan, every), reasons);
      case SortPushdown.Unsupported unsupported -> unsupported;
    };
  }

  @Override
  public String details() {
    return "every=" + every;
  }

  @Override
  public MetricSet metrics() {
    return new MetricSet();
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    throw new IllegalStateException("only planned");
  }
}
