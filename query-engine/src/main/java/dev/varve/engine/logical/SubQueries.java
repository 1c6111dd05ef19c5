package dev.varve.engine.logical;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.TopDownGeneralDecorrelator;

/**
 * Removes sub-queries from expressions. What {@link SemiJoins} leaves becomes mark joins, whose
 * column is the three-valued answer of IN or EXISTS for each row, and joins with scalar
 * sub-queries. Correlation is then removed by Neumann's top-down unnesting, or by Calcite's older
 * rules where that gives up.
 */
final class SubQueries {
  private static final List<RelOptRule> TO_MARK =
      List.of(
          CoreRules.FILTER_SUB_QUERY_TO_MARK_CORRELATE,
          CoreRules.PROJECT_SUB_QUERY_TO_MARK_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

  private static final List<RelOptRule> MARK_TO_SEMI =
      List.of(CoreRules.MARK_TO_SEMI_OR_ANTI_JOIN_RULE);

  private SubQueries() {}

  static RelNode remove(RelNode query) {
    RelNode plan = SemiJoins.introduce(query);
    if (!PlanTree.hasSubQuery(plan)) {
      return plan;
    }
    plan = Phases.run(plan, TO_MARK);
    if (PlanTree.any(plan, Correlate.class::isInstance)) {
      plan = decorrelate(plan);
    }
    if (!isPlain(plan)) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "a sub-query refers to the outer query in a way that is not supported yet");
    }
    return Phases.run(plan, MARK_TO_SEMI);
  }

  private static RelNode decorrelate(RelNode plan) {
    try {
      RelNode result =
          TopDownGeneralDecorrelator.decorrelateQuery(
              plan, AlgebraConverter.builder(plan.getCluster()));
      if (isPlain(result)) {
        return result;
      }
    } catch (RuntimeException | AssertionError e) {
      // The other algorithm has other limits.
    }
    if (PlanTree.any(plan, SubQueries::isMark)) {
      // The older rules do not keep UNKNOWN apart from FALSE.
      return plan;
    }
    try {
      return RelDecorrelator.decorrelateQuery(plan, AlgebraConverter.builder(plan.getCluster()));
    } catch (RuntimeException | AssertionError e) {
      return plan;
    }
  }

  private static boolean isMark(RelNode node) {
    return node instanceof Correlate correlate && correlate.getJoinType() == JoinRelType.LEFT_MARK;
  }

  private static boolean isPlain(RelNode plan) {
    return !PlanTree.any(plan, Correlate.class::isInstance)
        && !PlanTree.hasSubQuery(plan)
        && !PlanTree.hasCorrelation(plan);
  }
}
