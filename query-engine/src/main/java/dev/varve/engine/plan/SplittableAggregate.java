package dev.varve.engine.plan;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.List;
import java.util.Optional;

/** The capability of an aggregation that can be done in one phase or in two. */
public interface SplittableAggregate {
  /** What the groups are made of, over the child's columns; empty: all rows are one group. */
  List<PhysicalExpr> groupKeys();

  /**
   * States within each partition of the child, then results from the states: of groups divided over
   * partitions if there are keys, in one partition if not. Empty if this is not an aggregation of
   * rows in one phase.
   */
  Optional<PhysicalPlan> inTwoPhases();

  /**
   * Results from rows divided over partitions by the keys. Empty if there are no keys, or this is
   * not an aggregation of rows in one phase.
   */
  Optional<PhysicalPlan> inOnePartitionedPhase();

  /** One phase where this is the second directly on its first: nothing was moved in between. */
  Optional<PhysicalPlan> combined();
}
