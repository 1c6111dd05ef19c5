package dev.varve.engine.logical;

import static dev.varve.engine.logical.AlgebraConverter.BUILDER;

import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.rules.AggregateExpandDistinctAggregatesRule;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.FilterAggregateTransposeRule;
import org.apache.calcite.rel.rules.FilterProjectTransposeRule;
import org.apache.calcite.rel.rules.ProjectMergeRule;
import org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.calcite.rel.rules.ReduceExpressionsRule;
import org.apache.calcite.rex.RexUtil;

/**
 * Calcite's rules as they are used here: built by a builder that does not merge projections by
 * itself, careful with volatile functions, and with functions that change between executions left
 * alone.
 */
final class Rules {
  /** Not where the lower projection is volatile: its column would be computed more than once. */
  static final RelOptRule MERGE_PROJECTS =
      CoreRules.PROJECT_MERGE
          .config
          .withOperandSupplier(
              top ->
                  top.operand(Project.class)
                      .oneInput(
                          bottom ->
                              bottom.operand(Project.class).predicate(Rules::isStable).anyInputs()))
          .withRelBuilderFactory(BUILDER)
          .as(ProjectMergeRule.Config.class)
          .toRule();

  static final RelOptRule FILTER_BELOW_PROJECT =
      CoreRules.FILTER_PROJECT_TRANSPOSE
          .config
          .withOperandSupplier(
              top ->
                  top.operand(Filter.class)
                      .predicate(filter -> !RexUtil.containsCorrelation(filter.getCondition()))
                      .oneInput(
                          bottom ->
                              bottom.operand(Project.class).predicate(Rules::isStable).anyInputs()))
          .withRelBuilderFactory(BUILDER)
          .as(FilterProjectTransposeRule.Config.class)
          .toRule();

  static final RelOptRule FILTER_BELOW_AGGREGATE =
      CoreRules.FILTER_AGGREGATE_TRANSPOSE
          .config
          .withOperandSupplier(
              top ->
                  top.operand(Filter.class)
                      .predicate(filter -> RexUtil.isDeterministic(filter.getCondition()))
                      .oneInput(bottom -> bottom.operand(Aggregate.class).anyInputs()))
          .withRelBuilderFactory(BUILDER)
          .as(FilterAggregateTransposeRule.Config.class)
          .toRule();

  static final RelOptRule MERGE_FILTERS = own(CoreRules.FILTER_MERGE);

  static final List<RelOptRule> REDUCE =
      List.of(
          reduce(CoreRules.FILTER_REDUCE_EXPRESSIONS, Filter.class),
          reduce(CoreRules.PROJECT_REDUCE_EXPRESSIONS, Project.class),
          joins(reduceConfig(CoreRules.JOIN_REDUCE_EXPRESSIONS)));

  static final List<RelOptRule> TIDY =
      List.of(MERGE_FILTERS, MERGE_PROJECTS, CoreRules.PROJECT_REMOVE);

  static final List<RelOptRule> PUSH_FILTERS =
      List.of(
          own(CoreRules.FILTER_INTO_JOIN),
          joins(CoreRules.JOIN_CONDITION_PUSH.config),
          FILTER_BELOW_PROJECT,
          FILTER_BELOW_AGGREGATE,
          own(CoreRules.FILTER_SET_OP_TRANSPOSE),
          MERGE_FILTERS);

  /** No rows are no groups, except where a grouping set is empty: its total has a row. */
  private static final RelOptRule PRUNE_GROUPS =
      PruneEmptyRules.RemoveEmptySingleRule.RemoveEmptySingleRuleConfig.AGGREGATE
          .withOperandFor(
              Aggregate.class,
              aggregate -> aggregate.getGroupSets().stream().noneMatch(set -> set.isEmpty()))
          .toRule();

  static final List<RelOptRule> PRUNE_EMPTY =
      List.of(
          PruneEmptyRules.FILTER_INSTANCE,
          PruneEmptyRules.PROJECT_INSTANCE,
          PruneEmptyRules.SORT_INSTANCE,
          PruneEmptyRules.SORT_FETCH_ZERO_INSTANCE,
          PRUNE_GROUPS,
          PruneEmptyRules.JOIN_LEFT_INSTANCE,
          PruneEmptyRules.JOIN_RIGHT_INSTANCE,
          PruneEmptyRules.UNION_INSTANCE);

  static final List<RelOptRule> SET_OPERATIONS =
      List.of(
          own(CoreRules.UNION_MERGE),
          own(CoreRules.UNION_TO_DISTINCT),
          own(CoreRules.INTERSECT_TO_DISTINCT),
          own(CoreRules.MINUS_TO_DISTINCT));

  static final RelOptRule DISTINCT_AGGREGATES =
      CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES
          .config
          .withRelBuilderFactory(BUILDER)
          .as(AggregateExpandDistinctAggregatesRule.Config.class)
          .toRule();

  private Rules() {}

  /** Whether every column of a projection has one value however often it is computed. */
  static boolean isStable(Project project) {
    return project.getProjects().stream().allMatch(RexUtil::isDeterministic);
  }

  static RelOptRule own(RelRule<?> rule) {
    return rule.config.withRelBuilderFactory(BUILDER).toRule();
  }

  /**
   * A rule on one join that takes UNKNOWN for FALSE in its condition: not for mark joins, which
   * tell the two apart.
   */
  static RelOptRule joins(RelRule.Config config) {
    return config
        .withRelBuilderFactory(BUILDER)
        .withOperandSupplier(
            join ->
                join.operand(Join.class)
                    .predicate(
                        node ->
                            node.getJoinType() != JoinRelType.LEFT_MARK
                                && LongConditions.isShort(node))
                    .anyInputs())
        .toRule();
  }

  private static RelOptRule reduce(
      ReduceExpressionsRule<?> rule, Class<? extends RelNode> matched) {
    return reduceConfig(rule)
        .withRelBuilderFactory(BUILDER)
        .withOperandSupplier(
            node -> node.operand(matched).predicate(LongConditions::isShort).anyInputs())
        .toRule();
  }

  private static RelRule.Config reduceConfig(ReduceExpressionsRule<?> rule) {
    return rule.config
        .as(ReduceExpressionsRule.Config.class)
        .withTreatDynamicCallsAsConstant(false);
  }
}
