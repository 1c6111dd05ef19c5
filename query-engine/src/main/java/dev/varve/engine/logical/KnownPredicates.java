package dev.varve.engine.logical;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.metadata.RelMdPredicates;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * What is known of the rows of a node. Calcite refuses to know a comparison with NULL, which stands
 * in a condition until it is simplified: it is left out here, as knowing less is always right.
 */
public final class KnownPredicates extends RelMdPredicates {
  @Override
  public RelOptPredicateList getPredicates(Filter filter, RelMetadataQuery mq) {
    RexNode condition = filter.getCondition();
    RexNode kept = withoutNullComparisons(filter.getCluster().getRexBuilder(), condition);
    return super.getPredicates(
        kept == condition ? filter : filter.copy(filter.getTraitSet(), filter.getInput(), kept),
        mq);
  }

  @Override
  public RelOptPredicateList getPredicates(Join join, RelMetadataQuery mq) {
    RexNode condition = join.getCondition();
    RexNode kept = withoutNullComparisons(join.getCluster().getRexBuilder(), condition);
    return super.getPredicates(
        kept == condition
            ? join
            : join.copy(
                join.getTraitSet(),
                kept,
                join.getLeft(),
                join.getRight(),
                join.getJoinType(),
                join.isSemiJoinDone()),
        mq);
  }

  /**
   * Everything known of any input. Calcite would drop what another condition implies, and fails on
   * literals of another type than their column while it finds out.
   */
  @Override
  public RelOptPredicateList getPredicates(Intersect intersect, RelMetadataQuery mq) {
    Set<RexNode> all = new LinkedHashSet<>();
    for (RelNode input : intersect.getInputs()) {
      all.addAll(mq.getPulledUpPredicates(input).pulledUpPredicates);
    }
    return RelOptPredicateList.of(intersect.getCluster().getRexBuilder(), all);
  }

  private static RexNode withoutNullComparisons(RexBuilder builder, RexNode condition) {
    List<RexNode> all = RelOptUtil.conjunctions(condition);
    List<RexNode> kept = all.stream().filter(one -> !comparesWithNull(one)).toList();
    return kept.size() == all.size() ? condition : RexUtil.composeConjunction(builder, kept);
  }

  private static boolean comparesWithNull(RexNode condition) {
    return condition instanceof RexCall call
        && SqlKind.COMPARISON.contains(call.getKind())
        && call.getKind() != SqlKind.IS_DISTINCT_FROM
        && call.getKind() != SqlKind.IS_NOT_DISTINCT_FROM
        && call.getOperands().stream().anyMatch(KnownPredicates::mayFoldToNull);
  }

  /** NULL, or a constant expression of which only its evaluation will say whether it is NULL. */
  private static boolean mayFoldToNull(RexNode operand) {
    return RexUtil.isNullLiteral(operand, false)
        || (operand instanceof RexCall
            && operand.getType().isNullable()
            && RexUtil.isConstant(operand));
  }
}
