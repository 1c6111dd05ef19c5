package dev.varve.engine.logical;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.jspecify.annotations.Nullable;

/** Questions to a plan, and rewriting it from the leaves up. */
final class PlanTree {
  private PlanTree() {}

  static boolean any(RelNode plan, Predicate<RelNode> test) {
    return count(plan, test) > 0;
  }

  static int count(RelNode plan, Predicate<RelNode> test) {
    int[] count = new int[1];
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        if (test.test(node)) {
          count[0]++;
        }
        super.visit(node, ordinal, parent);
      }
    }.go(plan);
    return count[0];
  }

  static boolean hasSubQuery(RelNode plan) {
    return any(plan, PlanTree::ownsSubQuery);
  }

  static boolean ownsSubQuery(RelNode node) {
    boolean[] found = new boolean[1];
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            found[0] = true;
            return subQuery;
          }
        });
    return found[0];
  }

  static boolean hasCorrelation(RelNode plan) {
    return !RelOptUtil.getVariablesUsed(plan).isEmpty();
  }

  /** Applies a rewrite to every node, inputs first; nodes that do not change are kept. */
  static RelNode rewrite(RelNode node, UnaryOperator<RelNode> rule) {
    RelNode result = node;
    if (!node.getInputs().isEmpty()) {
      java.util.List<RelNode> inputs = new java.util.ArrayList<>();
      boolean changed = false;
      for (RelNode input : node.getInputs()) {
        RelNode rewritten = rewrite(input, rule);
        changed |= rewritten != input;
        inputs.add(rewritten);
      }
      if (changed) {
        result = node.copy(node.getTraitSet(), inputs);
      }
    }
    return rule.apply(result);
  }
}
