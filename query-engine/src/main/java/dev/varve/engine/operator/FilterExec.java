package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.FilterEstimate;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps the rows for which a predicate is true. */
public final class FilterExec extends PlanNode {
  private final PhysicalExpr predicate;
  private final int selectivityPercent;

  public FilterExec(PhysicalPlan input, PhysicalExpr predicate) {
    this(input, predicate, EngineSettings.DEFAULT_FILTER_SELECTIVITY.defaultValue());
  }

  /** {@code selectivityPercent} is the guess where statistics do not tell how many rows pass. */
  public FilterExec(PhysicalPlan input, PhysicalExpr predicate, int selectivityPercent) {
    super(
        input.schema(),
        List.of(input),
        PlanProperties.of(
            input.properties().partitioning(),
            input.properties().equivalences().withFilter(predicate)));
    if (predicate.type().kind() != TypeKind.BOOLEAN && predicate.type().kind() != TypeKind.NULL) {
      throw new IllegalStateException("a filter is boolean, not " + predicate.type());
    }
    this.predicate = predicate;
    this.selectivityPercent = selectivityPercent;
  }

  public PhysicalExpr predicate() {
    return predicate;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new FilterExec(replacement.get(0), predicate, selectivityPercent);
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
    return FilterEstimate.of(
        Exprs.splitConjuncts(predicate), schema(), child().statistics(), selectivityPercent);
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return ProjectionSwap.of(projection, child())
        .flatMap(
            swap ->
                swap.rewrite(predicate)
                    .map(p -> new FilterExec(swap.below(), p, selectivityPercent)));
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    List<Optional<PhysicalExpr>> parents =
        parentFilters.stream().map(f -> Optional.of(f).filter(ColumnRewrite::movable)).toList();
    return new FilterPushdown.Description(
        List.of(new FilterPushdown.ChildFilters(parents, Exprs.splitConjuncts(predicate))));
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    if (outcomes.isEmpty()) {
      return PassThrough.outcomes(this, parentFilters, outcomes);
    }
    List<PhysicalExpr> own = Exprs.splitConjuncts(predicate);
    List<FilterPushdown.Outcome> answers = outcomes.get(0).ownFilters();
    List<PhysicalExpr> kept = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      if (answers.get(i) != FilterPushdown.Outcome.EXACT) {
        kept.add(own.get(i));
      }
    }
    PhysicalPlan node =
        kept.size() == own.size()
            ? this
            : kept.isEmpty()
                ? child()
                : new FilterExec(child(), Exprs.conjunction(kept), selectivityPercent);
    return PassThrough.outcomes(node, parentFilters, outcomes);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    return PassThrough.sort(child(), ordering, c -> withChildren(List.of(c)));
  }

  @Override
  public Optional<PhysicalPlan> tryPushdownRanges(
      LexOrdering ordering, Optional<Partitioning.Range> like) {
    return child().tryPushdownRanges(ordering, like).map(c -> withChildren(List.of(c)));
  }

  @Override
  public String details() {
    return predicate.toString();
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new FilterStream(this, child().execute(partition, context), context);
  }
}
