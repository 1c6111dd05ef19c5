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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Joins by equal keys: a table of the left side is probed with the right side's rows. A residual
 * condition, over the columns of both sides, decides with the keys whether two rows match.
 *
 * <p>The output has the left columns, then the right ones; a semi or anti join has those of the
 * side it keeps. It follows the order of the probe side where no left rows are added at the end.
 */
public final class HashJoinExec extends PlanNode implements SwappableJoin {
  private final List<JoinKey> on;
  private final Optional<PhysicalExpr> residual;
  private final JoinType type;
  private final JoinMode mode;

  public HashJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      JoinType type,
      JoinMode mode) {
    this(left, right, List.copyOf(on), residual, type, mode, JoinFacts.schema(left, right, type));
  }

  private HashJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      JoinType type,
      JoinMode mode,
      Schema schema) {
    super(
        schema,
        List.of(left, right),
        PlanProperties.of(
            partitioning(left, right, on, type, mode, schema),
            equivalences(left, right, on, residual, type, schema)));
    if (on.isEmpty()) {
      throw new IllegalStateException("a hash join has keys");
    }
    this.on = on;
    this.residual = residual;
    this.type = type;
    this.mode = mode;
  }

  private static Partitioning partitioning(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      JoinType type,
      JoinMode mode,
      Schema schema) {
    int offset = type.keepsLeftColumns() ? left.schema().size() : 0;
    Partitioning probe = right.properties().partitioning();
    if (mode == JoinMode.COLLECT_LEFT) {
      return type.emitsLeftAtEnd()
          ? new Partitioning.Unknown(probe.count())
          : ColumnRewrite.shift(probe, offset);
    }
    Partitioning build = left.properties().partitioning();
    return switch (type) {
      case INNER, LEFT, LEFT_SEMI, LEFT_ANTI ->
          build instanceof Partitioning.Hash ? build : new Partitioning.Unknown(build.count());
      case RIGHT, RIGHT_SEMI, RIGHT_ANTI ->
          probe instanceof Partitioning.Hash
              ? ColumnRewrite.shift(probe, offset)
              : new Partitioning.Unknown(probe.count());
      case FULL -> new Partitioning.Unknown(probe.count());
    };
  }

  private static EquivalenceProperties equivalences(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      JoinType type,
      Schema schema) {
    EquivalenceProperties facts = JoinFacts.equivalences(left, right, on, type, schema);
    return type == JoinType.INNER && residual.isPresent()
        ? facts.withFilter(residual.get())
        : facts;
  }

  PhysicalPlan left() {
    return children().get(0);
  }

  PhysicalPlan right() {
    return children().get(1);
  }

  public List<JoinKey> on() {
    return on;
  }

  public Optional<PhysicalExpr> residual() {
    return residual;
  }

  public JoinType type() {
    return type;
  }

  public JoinMode mode() {
    return mode;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new HashJoinExec(replacement.get(0), replacement.get(1), on, residual, type, mode);
  }

  @Override
  public boolean canSwap() {
    return true;
  }

  @Override
  public PhysicalPlan swapped() {
    int[] mapping = JoinFacts.swappedColumns(left().schema(), right().schema());
    HashJoinExec join =
        new HashJoinExec(
            right(),
            left(),
            on.stream().map(JoinKey::swapped).toList(),
            residual.map(r -> Exprs.remap(r, mapping)),
            type.swapped(),
            mode);
    return JoinFacts.restoreColumns(join, this, type, mapping);
  }

  @Override
  public Optional<PhysicalPlan> withBuildMode(BuildMode wanted) {
    JoinMode changed =
        switch (wanted) {
          case COLLECTED -> JoinMode.COLLECT_LEFT;
          case PARTITIONED -> JoinMode.PARTITIONED;
        };
    return Optional.of(
        changed == mode ? this : new HashJoinExec(left(), right(), on, residual, type, changed));
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return switch (mode) {
      case COLLECT_LEFT ->
          DistributionRequirements.of(Distribution.SINGLE, Distribution.UNSPECIFIED);
      case PARTITIONED ->
          DistributionRequirements.coPartitioned(
              new Distribution.KeyPartitioned(on.stream().map(JoinKey::left).toList()),
              new Distribution.KeyPartitioned(on.stream().map(JoinKey::right).toList()));
    };
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
    return JoinFacts.statistics(left().statistics(), right().statistics(), on, type, schema());
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
    List<String> parts = new ArrayList<>();
    parts.add("mode=" + mode);
    parts.add("join_type=" + type);
    parts.add(on.stream().map(JoinKey::toString).collect(Collectors.joining(", ", "on=[", "]")));
    residual.ifPresent(r -> parts.add("filter=" + r));
    return String.join(", ", parts);
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new JoinStream(this, JoinSpec.of(this), partition, context);
  }
}
