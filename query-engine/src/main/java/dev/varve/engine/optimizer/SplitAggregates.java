package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.SplittableAggregate;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PartitioningSatisfaction;
import dev.varve.engine.properties.Statistics;
import java.util.List;
import java.util.Optional;

/**
 * Aggregates in two phases, or in one over rows that are divided by the groups.
 *
 * <pre>{@code
 * AggregateExec: SINGLE, [g], [sum(v)]        AggregateExec: FINAL_PARTITIONED, [g], [sum(v)]
 *   DataSourceExec                     =>       AggregateExec: PARTIAL, [g], [sum(v)]
 *                                                 DataSourceExec
 * }</pre>
 *
 * Sound because states can be merged in any grouping. Two phases pay where the first makes rows
 * fewer; where statistics say that there are nearly as many groups as rows it would only hash them
 * twice, so the rows themselves are divided. So they are where the input has each group in one
 * partition already. An input of one batch stays as it is, and so does one in the order of the
 * groups: they are finished as they pass, and leave in order.
 */
final class SplitAggregates implements PhysicalRule {
  /** Groups per row from which a first phase does not pay. */
  private static final double NEARLY_UNIQUE = 0.5;

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return PlanTransform.bottomUp(plan, node -> split(node, settings));
  }

  private static PhysicalPlan split(PhysicalPlan plan, Settings settings) {
    Optional<SplittableAggregate> aggregate = plan.capability(SplittableAggregate.class);
    if (aggregate.isEmpty() || settings.targetPartitions() == 1) {
      return plan;
    }
    PhysicalPlan input = plan.children().get(0);
    Statistics statistics = input.statistics();
    Optional<Long> rows = statistics.rowCount().known();
    boolean oneBatch = rows.isPresent() && rows.get() <= settings.batchSize();
    boolean streams =
        input.properties().partitioning().count() == 1 && plan.maintainsInputOrder().get(0);
    if (oneBatch || streams) {
      return plan;
    }
    boolean together = isTogether(input, aggregate.get().groupKeys());
    boolean nearlyUnique =
        rows.isPresent()
            && groups(aggregate.get().groupKeys(), statistics)
                .filter(groups -> groups >= rows.get() * NEARLY_UNIQUE)
                .isPresent();
    Optional<PhysicalPlan> one =
        together || nearlyUnique ? aggregate.get().inOnePartitionedPhase() : Optional.empty();
    return one.or(aggregate.get()::inTwoPhases).orElse(plan);
  }

  /**
   * Whether each group is in one of several partitions: by just its keys, or as a range of some of
   * them, which are of about one size.
   */
  private static boolean isTogether(PhysicalPlan input, List<PhysicalExpr> keys) {
    Partitioning partitioning = input.properties().partitioning();
    PartitioningSatisfaction satisfaction =
        partitioning.satisfaction(
            new Distribution.KeyPartitioned(keys), input.properties().equivalences());
    return partitioning.count() > 1
        && (satisfaction == PartitioningSatisfaction.EXACT
            || (satisfaction == PartitioningSatisfaction.SUBSET
                && partitioning instanceof Partitioning.Range));
  }

  /** A lower estimate of the number of groups: that of the key with most values. */
  private static Optional<Long> groups(List<PhysicalExpr> keys, Statistics statistics) {
    Optional<Long> most = Optional.empty();
    for (PhysicalExpr key : keys) {
      if (key instanceof ColumnExpr column) {
        Optional<Long> distinct = statistics.columns().get(column.index()).distinctCount().known();
        if (distinct.isPresent() && (most.isEmpty() || distinct.get() > most.get())) {
          most = distinct;
        }
      }
    }
    return most;
  }
}
