package dev.varve.engine.logical;

import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.rules.MarkToSemiOrAntiJoinRule;
import org.apache.calcite.sql.SqlKind;

/**
 * Makes an anti join only where a mark is never unknown. Calcite's rule asks whether the condition
 * is surely NULL for a NULL, which of a function it does not know says nothing; the type says
 * whether it can be NULL.
 */
final class MarkToSemiOrAntiJoin extends MarkToSemiOrAntiJoinRule {
  MarkToSemiOrAntiJoin() {
    super(Config.DEFAULT);
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    Filter filter = call.rel(1);
    Join join = call.rel(2);
    boolean negated =
        RelOptUtil.conjunctions(filter.getCondition()).stream()
            .anyMatch(one -> one.getKind() == SqlKind.NOT);
    if (!negated || !join.getCondition().getType().isNullable()) {
      super.onMatch(call);
    }
  }
}
