package dev.varve.engine.logical;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.TopDownGeneralDecorrelator;
import org.jspecify.annotations.Nullable;

/**
 * Removes sub-queries from expressions. What {@link SemiJoins} leaves becomes joins with aggregates
 * in Calcite's way, which gives three-valued answers for NOT IN and for EXISTS under OR.
 */
final class SubQueries {
  private static final List<RelOptRule> TO_CORRELATE =
      List.of(
          CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
          CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

  private SubQueries() {}

  static RelNode remove(RelNode query) {
    RelNode plan = SemiJoins.introduce(query);
    if (!PlanTree.hasSubQuery(plan)) {
      return plan;
    }
    plan = Phases.run(plan, TO_CORRELATE);
    if (!PlanTree.any(plan, Correlate.class::isInstance)) {
      return plan;
    }
    RelNode decorrelated = decorrelate(plan);
    if (decorrelated == null) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "a sub-query refers to the outer query in a way that is not supported yet");
    }
    return decorrelated;
  }

  private static @Nullable RelNode decorrelate(RelNode plan) {
    RelNode result;
    try {
      result = RelDecorrelator.decorrelateQuery(plan, AlgebraConverter.builder(plan.getCluster()));
      if (isPlain(result)) {
        return result;
      }
    } catch (RuntimeException | AssertionError e) {
      // It is known to fail on some nestings; the other algorithm has other limits.
    }
    try {
      result =
          TopDownGeneralDecorrelator.decorrelateQuery(
              plan, AlgebraConverter.builder(plan.getCluster()));
      return isPlain(result) ? result : null;
    } catch (RuntimeException | AssertionError e) {
      return null;
    }
  }

  private static boolean isPlain(RelNode plan) {
    return !PlanTree.any(
            plan,
            node ->
                node instanceof Correlate
                    || (node instanceof Join join && join.getJoinType() == JoinRelType.LEFT_MARK))
        && !PlanTree.hasSubQuery(plan)
        && !PlanTree.hasCorrelation(plan);
  }
}
