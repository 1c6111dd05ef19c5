package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.plan.SwappableJoin;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;

/**
 * Joins by any condition, or none: every right row is compared with every row of the collected left
 * side. Columns and order are those of {@link HashJoinExec}.
 */
public final class NestedLoopJoinExec extends PlanNode implements SwappableJoin {
  private final Optional<PhysicalExpr> condition;
  private final JoinType type;

  public NestedLoopJoinExec(
      PhysicalPlan left, PhysicalPlan right, Optional<PhysicalExpr> condition, JoinType type) {
    this(left, right, condition, type, JoinFacts.schema(left, right, type));
  }

  private NestedLoopJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      Optional<PhysicalExpr> condition,
      JoinType type,
      Schema schema) {
    super(
        schema,
        List.of(left, right),
        PlanProperties.of(
            partitioning(left, right, type, schema),
            equivalences(left, right, condition, type, schema)));
    this.condition = condition;
    this.type = type;
  }

  private static Partitioning partitioning(
      PhysicalPlan left, PhysicalPlan right, JoinType type, Schema schema) {
    Partitioning probe = right.properties().partitioning();
    return type.emitsLeftAtEnd()
        ? new Partitioning.Unknown(probe.count())
        : ColumnRewrite.shift(probe, type.keepsLeftColumns() ? left.schema().size() : 0);
  }

  private static EquivalenceProperties equivalences(
      PhysicalPlan left,
      PhysicalPlan right,
      Optional<PhysicalExpr> condition,
      JoinType type,
      Schema schema) {
    EquivalenceProperties facts =
        JoinFacts.equivalences(left, right, List.of(), type, true, schema);
    return type == JoinType.INNER && condition.isPresent()
        ? facts.withFilter(condition.get())
        : facts;
  }

  PhysicalPlan left() {
    return children().get(0);
  }

  PhysicalPlan right() {
    return children().get(1);
  }

  public Optional<PhysicalExpr> condition() {
    return condition;
  }

  public JoinType type() {
    return type;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new NestedLoopJoinExec(replacement.get(0), replacement.get(1), condition, type);
  }

  @Override
  public boolean canSwap() {
    return true;
  }

  @Override
  public PhysicalPlan swapped() {
    int[] mapping = JoinFacts.swappedColumns(left().schema(), right().schema());
    NestedLoopJoinExec join =
        new NestedLoopJoinExec(
            right(), left(), condition.map(c -> Exprs.remap(c, mapping)), type.swapped());
    return JoinFacts.restoreColumns(join, this, type, mapping);
  }

  /** There are no keys to divide by. */
  @Override
  public Optional<PhysicalPlan> withBuildMode(BuildMode wanted) {
    return wanted == BuildMode.COLLECTED ? Optional.of(this) : Optional.empty();
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return DistributionRequirements.of(Distribution.UNSPECIFIED, Distribution.UNSPECIFIED);
  }

  /** The build side is read by as many tasks as it has partitions, but not slow for that. */
  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return List.of(false, true);
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(false, !type.emitsLeftAtEnd());
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.UNKNOWN;
  }

  @Override
  Statistics estimate() {
    return JoinEstimate.of(
        left().statistics(),
        right().statistics(),
        List.of(),
        condition.isPresent(),
        type,
        schema());
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return JoinFacts.filters(left().schema(), right().schema(), type, parentFilters);
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return JoinFacts.outcomes(this, parentFilters, outcomes);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    return JoinFacts.sort(this, type, ordering);
  }

  @Override
  public String details() {
    return "join_type=" + type + condition.map(c -> ", filter=" + c).orElse("");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new JoinStream(this, JoinSpec.of(this), partition, context);
  }
}
