package dev.varve.engine.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCostImpl;
import org.apache.calcite.plan.RelOptListener;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql2rel.RelFieldTrimmer;

/**
 * The order of rewrites. Each phase runs to its fixed point; a phase stands where it stands because
 * a later one needs what it makes.
 */
final class Phases {
  /** Some predicates transfer back and forth without end. */
  private static final int MAX_TRANSFERS = 12;

  /**
   * Far above what a phase needs. Rules that undo one another would never come to an end; every
   * plan on the way is a plan of the same rows.
   */
  private static final int MAX_MATCHES = 2_000;

  /** Sub-queries are gone; join keys hidden in alternatives come out, then predicates go down. */
  private static final HepProgram SIMPLIFY = program(List.of(Rules.REDUCE, Rules.TIDY));

  private static final HepProgram PUSH =
      program(List.of(Rules.PUSH_FILTERS, Rules.TIDY, Rules.PRUNE_EMPTY));

  /** Filters for single tables that follow from alternatives over several. */
  private static final HepProgram DERIVE =
      program(
          List.of(
              List.of(
                  Rules.own(CoreRules.EXPAND_FILTER_DISJUNCTION_LOCAL),
                  Rules.joins(CoreRules.EXPAND_JOIN_DISJUNCTION_LOCAL.config))));

  /** x = y and y = 5 give x = 5. */
  private static final HepProgram TRANSFER =
      HepProgram.builder()
          .addMatchOrder(HepMatchOrder.BOTTOM_UP)
          .addMatchLimit(MAX_TRANSFERS)
          .addRuleInstance(Rules.joins(CoreRules.JOIN_PUSH_TRANSITIVE_PREDICATES.config))
          .build();

  private static final HepProgram NORMALISE =
      program(List.of(Rules.SET_OPERATIONS, List.of(Rules.DISTINCT_AGGREGATES)));

  /** Keys that are expressions become columns below the join. */
  private static final HepProgram JOIN_KEYS =
      program(List.of(List.of(Rules.own(CoreRules.JOIN_PUSH_EXPRESSIONS))));

  private static final HepProgram FINISH =
      program(
          List.of(
              Rules.TIDY,
              List.of(
                  CoreRules.SORT_REMOVE_CONSTANT_KEYS,
                  CoreRules.AGGREGATE_PROJECT_MERGE,
                  CoreRules.LIMIT_MERGE)));

  /** Trimming leaves projections that do nothing. */
  private static final HepProgram TIDY = program(List.of(Rules.TIDY));

  /** What a plan needs to be run at all: every predicate at the lowest place it can stand. */
  private static final HepProgram MINIMUM = program(List.of(Rules.PUSH_FILTERS, Rules.TIDY));

  private Phases() {}

  /** A plan of the same rows; without {@code optimize} only what is needed to run it. */
  static RelNode apply(RelNode query, boolean optimize, Runnable checkpoint) {
    checkpoint.run();
    RelNode gathered = LongConditions.gather(query);
    if (query.getCluster().getRexBuilder() instanceof InterruptibleRexBuilder rex
        && PlanTree.any(gathered, node -> !LongConditions.isShort(node))) {
      rex.markLong();
    }
    RelNode plan = SubQueries.remove(VolatileBetween.expand(gathered));
    plan = scalarsAsInner(plan);
    if (!optimize) {
      plan = run(plan, NORMALISE);
      plan = GroupingSets.expand(plan);
      plan = run(plan, MINIMUM);
      return run(plan, JOIN_KEYS);
    }
    plan = run(plan, SIMPLIFY);
    // A date beside a timestamp is a date again before ranges are merged and rows estimated.
    plan = Conditions.unwrapCasts(plan);
    plan = Conditions.pullFactors(plan);
    plan = run(plan, PUSH);
    checkpoint.run();
    boolean joins = PlanTree.any(plan, Join.class::isInstance);
    if (joins) {
      plan = withDerivedFilters(plan);
    }
    plan = run(plan, NORMALISE);
    plan = GroupingSets.expand(plan);
    plan = run(trim(plan), PUSH);
    if (joins) {
      checkpoint.run();
      RelNode ordered = JoinOrder.choose(plan);
      checkpoint.run();
      plan = ordered == plan ? plan : run(ordered, PUSH);
      plan = run(plan, JOIN_KEYS);
    }
    plan = run(plan, FINISH);
    plan = run(trim(plan), TIDY);
    return Conditions.unwrapCasts(plan);
  }

  private static RelNode withDerivedFilters(RelNode plan) {
    RelNode derived = run(run(plan, DERIVE), TRANSFER);
    return derived == plan ? plan : run(run(derived, PUSH), SIMPLIFY);
  }

  private static RelNode trim(RelNode plan) {
    return new RelFieldTrimmer(null, AlgebraConverter.builder(plan.getCluster())).trim(plan);
  }

  /**
   * A left join on TRUE with what always has one row is an inner join; scalar sub-queries become
   * such joins, and inner ones let filters pass and can be reordered.
   */
  private static RelNode scalarsAsInner(RelNode plan) {
    return PlanTree.rewrite(
        plan,
        node ->
            node instanceof Join join
                    && join.getJoinType() == JoinRelType.LEFT
                    && join.getCondition().isAlwaysTrue()
                    && join.getRight() instanceof Aggregate aggregate
                    && aggregate.getGroupSet().isEmpty()
                    && aggregate.getGroupType() == Aggregate.Group.SIMPLE
                ? inner(join)
                : node);
  }

  private static RelNode inner(Join join) {
    RelNode inner =
        LogicalJoin.create(
            join.getLeft(),
            join.getRight(),
            join.getHints(),
            join.getCondition(),
            join.getVariablesSet(),
            JoinRelType.INNER);
    // The columns of the right side lose their nullability; users of the join expect it.
    return AlgebraConverter.builder(join.getCluster())
        .push(inner)
        .convert(join.getRowType(), true)
        .build();
  }

  static RelNode run(RelNode plan, List<RelOptRule> rules) {
    return run(plan, program(List.of(rules)));
  }

  private static RelNode run(RelNode plan, HepProgram program) {
    HepPlanner planner = planner(program);
    Changes changes = new Changes();
    planner.addListener(changes);
    planner.setRoot(plan);
    RelNode result = planner.findBestExp();
    return changes.any ? result : plan;
  }

  /** Whether a rule made anything: if not, the plan stays the same object. */
  private static final class Changes implements RelOptListener {
    private boolean any;

    @Override
    public void ruleProductionSucceeded(RuleProductionEvent event) {
      any = true;
    }

    @Override
    public void relEquivalenceFound(RelEquivalenceEvent event) {}

    @Override
    public void ruleAttempted(RuleAttemptedEvent event) {}

    @Override
    public void relDiscarded(RelDiscardedEvent event) {}

    @Override
    public void relChosen(RelChosenEvent event) {}
  }

  static HepPlanner planner(HepProgram program) {
    // Equal parts stay separate objects: each is planned for itself.
    return new HepPlanner(program, null, true, null, RelOptCostImpl.FACTORY);
  }

  private static HepProgram program(List<List<RelOptRule>> rules) {
    List<RelOptRule> all = new ArrayList<>();
    rules.forEach(all::addAll);
    return HepProgram.builder().addMatchLimit(MAX_MATCHES).addRuleCollection(all).build();
  }
}
