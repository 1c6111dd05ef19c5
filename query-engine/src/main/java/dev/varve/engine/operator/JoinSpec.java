package dev.varve.engine.operator;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;

/**
 * What a join's streams do. Without keys every pair of rows is a candidate.
 *
 * @param collected whether all partitions share one build side, read from its only partition
 * @param combined the left columns followed by the right ones, as the residual sees them
 */
record JoinSpec(
    PhysicalPlan node,
    PhysicalPlan left,
    PhysicalPlan right,
    List<JoinKey> on,
    Optional<PhysicalExpr> residual,
    JoinType type,
    boolean collected,
    Schema combined) {

  static JoinSpec of(HashJoinExec join) {
    return new JoinSpec(
        join,
        join.left(),
        join.right(),
        join.on(),
        join.residual(),
        join.type(),
        join.mode() == JoinMode.COLLECT_LEFT,
        join.left().schema().concat(join.right().schema()));
  }

  static JoinSpec of(NestedLoopJoinExec join) {
    return new JoinSpec(
        join,
        join.left(),
        join.right(),
        List.of(),
        join.condition(),
        join.type(),
        true,
        join.left().schema().concat(join.right().schema()));
  }

  /** Streams that probe one build side. */
  int probesPerBuild() {
    return collected ? right.properties().partitioning().count() : 1;
  }
}
