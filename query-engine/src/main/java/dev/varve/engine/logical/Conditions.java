package dev.varve.engine.logical;

import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Rewrites of the conditions of filters and joins. */
final class Conditions {
  private Conditions() {}

  /**
   * {@code (a AND b) OR (a AND c)} to {@code a AND (b OR c)}: what every alternative demands, often
   * a join's key, becomes a conjunct of its own.
   */
  static RelNode pullFactors(RelNode plan) {
    return rewrite(plan, node -> RexUtil.pullFactors(plan.getCluster().getRexBuilder(), node));
  }

  /** Comparisons of a cast column with a literal to comparisons of the column itself. */
  static RelNode unwrapCasts(RelNode plan) {
    UnwrapCasts unwrap = new UnwrapCasts(plan.getCluster().getRexBuilder());
    return rewrite(plan, condition -> condition.accept(unwrap));
  }

  private static RexNode flat(RelNode plan, RexNode condition) {
    return RexUtil.flatten(plan.getCluster().getRexBuilder(), condition);
  }

  private static RelNode rewrite(RelNode plan, UnaryOperator<RexNode> change) {
    return PlanTree.rewrite(
        plan,
        node ->
            switch (node) {
              case Filter filter -> {
                RexNode condition = flat(plan, change.apply(filter.getCondition()));
                yield condition.equals(filter.getCondition())
                    ? filter
                    : filter.copy(filter.getTraitSet(), filter.getInput(), condition);
              }
              case Join join -> {
                RexNode condition = flat(plan, change.apply(join.getCondition()));
                yield condition.equals(join.getCondition())
                    ? join
                    : join.copy(
                        join.getTraitSet(),
                        condition,
                        join.getLeft(),
                        join.getRight(),
                        join.getJoinType(),
                        join.isSemiJoinDone());
              }
              default -> node;
            });
  }
}
