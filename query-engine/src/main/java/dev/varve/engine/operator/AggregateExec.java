package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SplittableAggregate;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Groups rows and aggregates each group. The output has the group columns, then the results, or in
 * mode PARTIAL the states; the modes that merge states take that as their input, their group
 * expressions being its first columns.
 *
 * <p>Where the input's order keeps the rows of each group together, groups are finished as they
 * pass, in order, and nothing is kept; otherwise they are found by hash and come in no order.
 */
public final class AggregateExec extends PlanNode implements SplittableAggregate {
  private final AggregateMode mode;
  private final List<NamedExpr> groupBy;
  private final List<AggregateExpr> aggregates;
  private final boolean clustered;

  public AggregateExec(
      AggregateMode mode,
      List<NamedExpr> groupBy,
      List<AggregateExpr> aggregates,
      PhysicalPlan input) {
    this(
        mode,
        List.copyOf(groupBy),
        List.copyOf(aggregates),
        input,
        output(mode, groupBy, aggregates),
        isClustered(groupBy, input));
  }

  private AggregateExec(
      AggregateMode mode,
      List<NamedExpr> groupBy,
      List<AggregateExpr> aggregates,
      PhysicalPlan input,
      Schema schema,
      boolean clustered) {
    super(schema, List.of(input), properties(mode, groupBy, input, schema, clustered));
    this.mode = mode;
    this.groupBy = groupBy;
    this.aggregates = aggregates;
    this.clustered = clustered;
  }

  /**
   * The schema of what {@link AggregateMode#PARTIAL} of this node's groups and aggregates gives.
   */
  Schema stateSchema() {
    return output(AggregateMode.PARTIAL, groupBy, aggregates);
  }

  private static Schema output(
      AggregateMode mode, List<NamedExpr> groupBy, List<AggregateExpr> aggregates) {
    List<Field> fields = new ArrayList<>();
    for (NamedExpr group : groupBy) {
      fields.add(Field.of(group.name(), group.expr().type(), group.expr().nullable()));
    }
    for (AggregateExpr aggregate : aggregates) {
      if (mode == AggregateMode.PARTIAL) {
        fields.addAll(aggregate.stateFields());
      } else {
        fields.add(aggregate.resultField());
      }
    }
    return new Schema(fields);
  }

  /**
   * Whether some order of the input starts with exactly the group expressions, in any sequence:
   * then equal groups are neighbours. An expression of an ordered column proves nothing here.
   */
  private static boolean isClustered(List<NamedExpr> groupBy, PhysicalPlan input) {
    if (groupBy.isEmpty()) {
      return false;
    }
    EquivalenceProperties facts = input.properties().equivalences();
    Set<PhysicalExpr> wanted = new HashSet<>();
    for (NamedExpr group : groupBy) {
      if (group.expr().volatility() == Volatility.VOLATILE) {
        return false;
      }
      if (!facts.isConstant(group.expr())) {
        wanted.add(facts.normalize(group.expr()));
      }
    }
    if (wanted.isEmpty()) {
      return false;
    }
    for (LexOrdering ordering : facts.orderings()) {
      Set<PhysicalExpr> missing = new HashSet<>(wanted);
      for (SortExpr key : ordering.keys()) {
        if (!facts.isConstant(key.expr()) && !missing.remove(facts.normalize(key.expr()))) {
          break;
        }
        if (missing.isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  private static PlanProperties properties(
      AggregateMode mode,
      List<NamedExpr> groupBy,
      PhysicalPlan input,
      Schema schema,
      boolean clustered) {
    Partitioning partitioning =
        mode == AggregateMode.PARTIAL || mode.partitioned()
            ? ColumnRewrite.project(input.properties().partitioning(), groupBy, schema)
            : new Partitioning.Unknown(1);
    EquivalenceProperties facts =
        groupBy.isEmpty()
            ? EquivalenceProperties.of(schema)
            : input.properties().equivalences().project(groupBy, schema);
    return PlanProperties.of(partitioning, clustered ? facts : facts.withoutOrderings());
  }

  public AggregateMode mode() {
    return mode;
  }

  public List<NamedExpr> groupBy() {
    return groupBy;
  }

  public List<AggregateExpr> aggregates() {
    return aggregates;
  }

  /** Whether the input's order keeps the rows of a group together. */
  boolean clustered() {
    return clustered;
  }

  @Override
  public List<PhysicalExpr> groupKeys() {
    return groupBy.stream().map(NamedExpr::expr).toList();
  }

  private boolean takesRows() {
    return mode == AggregateMode.SINGLE || mode == AggregateMode.SINGLE_PARTITIONED;
  }

  @Override
  public Optional<PhysicalPlan> inTwoPhases() {
    if (!takesRows()) {
      return Optional.empty();
    }
    AggregateExec states = new AggregateExec(AggregateMode.PARTIAL, groupBy, aggregates, child());
    List<NamedExpr> groups = new ArrayList<>();
    for (int i = 0; i < groupBy.size(); i++) {
      groups.add(new NamedExpr(ColumnExpr.of(states.schema(), i), groupBy.get(i).name()));
    }
    return Optional.of(
        new AggregateExec(
            groups.isEmpty() ? AggregateMode.FINAL : AggregateMode.FINAL_PARTITIONED,
            groups,
            aggregates,
            states));
  }

  /** The keys are computed by the exchange as well, so they must give the same value twice. */
  @Override
  public Optional<PhysicalPlan> inOnePartitionedPhase() {
    boolean repeatable =
        groupBy.stream().noneMatch(g -> g.expr().volatility() == Volatility.VOLATILE);
    return takesRows() && !groupBy.isEmpty() && repeatable
        ? Optional.of(
            new AggregateExec(AggregateMode.SINGLE_PARTITIONED, groupBy, aggregates, child()))
        : Optional.empty();
  }

  @Override
  public Optional<PhysicalPlan> combined() {
    return mode.mergesStates()
        ? child()
            .capability(AggregateExec.class)
            .filter(first -> first.mode == AggregateMode.PARTIAL)
            .map(
                first ->
                    new AggregateExec(
                        mode == AggregateMode.FINAL
                            ? AggregateMode.SINGLE
                            : AggregateMode.SINGLE_PARTITIONED,
                        first.groupBy,
                        aggregates,
                        first.child()))
        : Optional.empty();
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new AggregateExec(mode, groupBy, aggregates, replacement.get(0));
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    Distribution wanted =
        switch (mode) {
          case PARTIAL -> Distribution.UNSPECIFIED;
          case FINAL, SINGLE -> Distribution.SINGLE;
          case FINAL_PARTITIONED, SINGLE_PARTITIONED ->
              groupBy.isEmpty()
                  ? Distribution.SINGLE
                  : new Distribution.KeyPartitioned(groupBy.stream().map(NamedExpr::expr).toList());
        };
    return DistributionRequirements.of(wanted);
  }

  /** Groups of a clustered input come out in the order of the input. */
  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(clustered);
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return groupBy.isEmpty() ? CardinalityEffect.UNKNOWN : CardinalityEffect.LOWER_EQUAL;
  }

  @Override
  Statistics estimate() {
    Statistics input = child().statistics();
    List<ColumnStatistics> columns =
        new ArrayList<>(Collections.nCopies(schema().size(), ColumnStatistics.UNKNOWN));
    if (groupBy.isEmpty()) {
      long rows = mode == AggregateMode.PARTIAL ? partitions() : 1;
      return new Statistics(
          Precision.exact(rows), Precision.inexact(rows * Sizes.rowWidth(schema())), columns);
    }
    double rows = input.rowCount().known().map(Long::doubleValue).orElse(Double.MAX_VALUE);
    double groups = 1;
    for (int i = 0; i < groupBy.size(); i++) {
      double values = rows;
      if (groupBy.get(i).expr() instanceof ColumnExpr column) {
        ColumnStatistics statistics = input.columns().get(column.index()).toInexact();
        columns.set(i, statistics.withNulls());
        ColumnSpread spread = ColumnSpread.of(statistics, column.type(), rows);
        values = spread.domain() + (spread.nullFraction() > 0 ? 1 : 0);
      }
      groups *= Math.min(values, rows);
    }
    double most = Math.min(groups, rows);
    Precision<Long> count =
        most < Double.MAX_VALUE ? Precision.inexact((long) most) : Precision.absent();
    return new Statistics(
        count, Sizes.estimate(count, schema()).orElse(Precision.absent()), columns);
  }

  /** A condition on group columns alone removes whole groups, so it may go below. */
  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    if (groupBy.isEmpty()) {
      return FilterPushdown.Description.NONE;
    }
    List<Optional<PhysicalExpr>> below = new ArrayList<>();
    for (PhysicalExpr filter : parentFilters) {
      boolean groupColumnsOnly = Exprs.columns(filter).length() <= groupBy.size();
      below.add(
          groupColumnsOnly && !filter.children().isEmpty()
              ? ColumnRewrite.inline(filter, groupBy).filter(ColumnRewrite::movable)
              : Optional.empty());
    }
    return new FilterPushdown.Description(
        List.of(new FilterPushdown.ChildFilters(below, List.of())));
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return PassThrough.outcomes(this, parentFilters, outcomes);
  }

  @Override
  public String details() {
    return "mode="
        + mode
        + ", gby="
        + groupBy.stream().map(NamedExpr::toString).collect(Collectors.joining(", ", "[", "]"))
        + ", aggr="
        + aggregates.stream()
            .map(AggregateExpr::toString)
            .collect(Collectors.joining(", ", "[", "]"))
        + (clustered ? ", ordering_mode=Sorted" : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    BatchStream input = child().execute(partition, context);
    if (groupBy.isEmpty()) {
      return new GlobalAggregateStream(this, input, context);
    }
    return clustered
        ? new ClusteredAggregateStream(this, input, context)
        : new HashAggregateStream(this, input, context);
  }
}
