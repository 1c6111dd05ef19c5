package dev.varve.engine.logical;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;

/** Removes sub-queries from expressions and correlation from the plan. */
final class SubQueries {
  private static final List<RelOptRule> MARK_TO_SEMI = List.of(new MarkToSemiOrAntiJoin());

  private SubQueries() {}

  static RelNode remove(RelNode query) {
    if (!needsUnnesting(query)) {
      return query;
    }
    RelNode plan = Unnesting.eliminate(query);
    if (needsUnnesting(plan) || PlanTree.hasCorrelation(plan)) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "a sub-query refers to the outer query in a way that is not supported");
    }
    return PlanTree.any(plan, SubQueries::isMark) ? Phases.run(plan, MARK_TO_SEMI) : plan;
  }

  private static boolean needsUnnesting(RelNode plan) {
    return PlanTree.any(plan, node -> node instanceof Correlate || PlanTree.ownsSubQuery(node));
  }

  private static boolean isMark(RelNode node) {
    return node instanceof Join join && join.getJoinType() == JoinRelType.LEFT_MARK;
  }
}
