package dev.varve.engine.plan;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.ordering.SortOptions;
import java.util.List;
import java.util.Optional;

/**
 * The capability of a join by equal keys that can be done by walking over both inputs in the order
 * of the keys.
 */
public interface MergeableJoin {
  /** The keys of child 0. */
  List<PhysicalExpr> leftKeys();

  /** The keys of child 1, one for each of the left. */
  List<PhysicalExpr> rightKeys();

  /**
   * The same join over inputs that are in order.
   *
   * @param sequence in which sequence the keys are ordered, by their numbers
   * @param options their directions, in that sequence
   * @param partitioned whether partition i of one side holds the keys of partition i of the other
   */
  Optional<PhysicalPlan> merging(
      PhysicalPlan left,
      PhysicalPlan right,
      List<Integer> sequence,
      List<SortOptions> options,
      boolean partitioned);
}
