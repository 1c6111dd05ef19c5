package dev.varve.engine.operator;

import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.Schema;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What a join's streams do. Without keys every pair of rows is a candidate.
 *
 * @param collected whether all partitions of the probe side share one build side, of all of its
 *     partitions
 * @param output for each output column its position among the left columns followed by the right
 *     ones
 * @param filters what the probe side is told of the keys, once they are known
 */
record JoinSpec(
    PhysicalPlan node,
    PhysicalPlan left,
    PhysicalPlan right,
    List<JoinKey> on,
    Optional<PhysicalExpr> residual,
    JoinType type,
    boolean collected,
    List<Integer> output,
    List<JoinFilters.KeyFilter> filters) {

  static JoinSpec of(HashJoinExec join) {
    return new JoinSpec(
        join,
        join.left(),
        join.right(),
        join.on(),
        join.residual(),
        join.type(),
        join.mode() == JoinMode.COLLECT_LEFT,
        join.output(),
        join.filters());
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
        JoinFacts.outputColumns(join.left().schema(), join.right().schema(), join.type()),
        List.of());
  }

  /** The same join of other rows, some of the pairs or all without those that match none. */
  JoinSpec as(JoinType other) {
    return new JoinSpec(node, left, right, on, residual, other, collected, output, filters);
  }

  /** Whether rows have to come out in the order of the probe side. */
  boolean keepsOrder() {
    return !type.emitsLeftAtEnd() && !node.properties().equivalences().orderings().isEmpty();
  }

  /** The left columns followed by the right ones, as the residual sees them. */
  Schema combined() {
    return left.schema().concat(right.schema());
  }

  /** Streams that probe one build side. */
  int probesPerBuild() {
    return collected ? right.properties().partitioning().count() : 1;
  }

  List<PhysicalExpr> buildKeys() {
    return on.stream().map(JoinKey::left).toList();
  }

  List<PhysicalExpr> probeKeys() {
    return on.stream().map(JoinKey::right).toList();
  }

  /** The left columns that are looked at after the build side's keys are indexed. */
  BitSet keptBuildColumns() {
    BitSet kept = new BitSet();
    output.forEach(kept::set);
    residual.ifPresent(r -> Exprs.collectColumns(r, kept));
    kept.clear(left.schema().size(), Integer.MAX_VALUE);
    return kept;
  }

  /** Those, and those that keys are made of. */
  BitSet readBuildColumns() {
    BitSet read = keptBuildColumns();
    on.forEach(key -> Exprs.collectColumns(key.left(), read));
    return read;
  }
}
