package dev.varve.engine.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.HyperGraph;
import org.apache.calcite.rel.rules.MultiJoin;

/**
 * Orders joins by estimated rows: dynamic programming over connected sub-graphs (Moerkotte and
 * Neumann's DPhyp) for a moderate number of tables, a greedy left-deep order for more or where that
 * finds no plan.
 */
final class JoinOrder {
  private static final int MAX_JOINS_FOR_DYNAMIC_PROGRAMMING = 11;

  private static final HepProgram DYNAMIC =
      program(
          List.of(Rules.own(CoreRules.JOIN_TO_HYPER_GRAPH)),
          List.of(Rules.own(CoreRules.HYPER_GRAPH_OPTIMIZE)));

  private static final HepProgram GREEDY =
      program(
          List.of(Rules.own(CoreRules.JOIN_TO_MULTI_JOIN)),
          List.of(Rules.own(CoreRules.MULTI_JOIN_OPTIMIZE)));

  private JoinOrder() {}

  private static HepProgram program(List<RelOptRule> collect, List<RelOptRule> choose) {
    HepProgramBuilder builder = HepProgram.builder().addMatchOrder(HepMatchOrder.BOTTOM_UP);
    collect.forEach(builder::addRuleInstance);
    choose.forEach(builder::addRuleInstance);
    return builder.build();
  }

  static RelNode choose(RelNode plan) {
    int joins = PlanTree.count(plan, Join.class::isInstance);
    int inner =
        PlanTree.count(
            plan, node -> node instanceof Join join && join.getJoinType() == JoinRelType.INNER);
    if (inner == 0 || joins < 2) {
      return plan;
    }
    if (joins <= MAX_JOINS_FOR_DYNAMIC_PROGRAMMING) {
      RelNode ordered = run(DYNAMIC, plan);
      if (!PlanTree.any(ordered, HyperGraph.class::isInstance)) {
        return ordered;
      }
    }
    RelNode ordered = run(GREEDY, plan);
    return PlanTree.any(ordered, MultiJoin.class::isInstance) ? plan : ordered;
  }

  private static RelNode run(HepProgram program, RelNode plan) {
    HepPlanner planner = Phases.planner(program);
    planner.setRoot(plan);
    return planner.findBestExp();
  }
}
