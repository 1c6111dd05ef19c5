package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanPrinter;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.properties.Boundedness;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionCheck;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.PartitioningSatisfaction;
import dev.varve.engine.properties.PlanProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes nothing: fails where a plan does not meet what its nodes require. A wrong plan gives
 * wrong rows silently, so it must not run.
 *
 * <p>Checked for every node: the distribution of each child, children that must be divided alike,
 * the order of each child, expressions within the child's columns, facts about the node's own
 * columns only, and that nothing waits for the end of a stream that has none.
 */
final class SanityCheck implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    requireOnePartition(plan);
    PlanTransform.visit(plan, node -> check(node, plan));
    return plan;
  }

  /** What every plan must have, executable or not. */
  static void checkShape(PhysicalPlan plan) {
    PlanTransform.visit(plan, node -> checkColumns(node, plan));
  }

  private static void requireOnePartition(PhysicalPlan plan) {
    if (plan.properties().partitioning().count() != 1) {
      throw failure(plan, plan, "the plan has " + plan.properties().partitioning());
    }
  }

  private static void check(PhysicalPlan node, PhysicalPlan plan) {
    checkColumns(node, plan);
    DistributionRequirements required = node.inputDistributionRequirements();
    List<Optional<LexOrdering>> orderings = node.requiredInputOrdering();
    for (int i = 0; i < node.children().size(); i++) {
      PlanProperties child = node.children().get(i).properties();
      Distribution distribution = required.children().get(i);
      if (child.partitioning().satisfaction(distribution, child.equivalences())
          == PartitioningSatisfaction.NOT_SATISFIED) {
        throw failure(
            node, plan, "child " + i + " is " + child.partitioning() + ", not " + distribution);
      }
      Optional<LexOrdering> ordering = orderings.get(i);
      if (ordering.isPresent() && !child.equivalences().satisfies(ordering.get())) {
        throw failure(
            node,
            plan,
            "child " + i + " is not in order " + ordering.get() + ": " + child.equivalences());
      }
      if (node.capability(SortNode.class).filter(s -> s.fetch().isEmpty()).isPresent()
          && child.boundedness() == Boundedness.UNBOUNDED) {
        throw failure(node, plan, "its input never ends");
      }
    }
    if (required.coPartitioned()) {
      checkCoPartitioned(node, required, plan);
    }
  }

  private static void checkCoPartitioned(
      PhysicalPlan node, DistributionRequirements required, PhysicalPlan plan) {
    List<DistributionCheck.Input> inputs = new ArrayList<>();
    for (int i = 0; i < node.children().size(); i++) {
      PlanProperties child = node.children().get(i).properties();
      List<PhysicalExpr> keys =
          required.children().get(i) instanceof Distribution.KeyPartitioned(List<PhysicalExpr> k)
              ? k
              : List.of();
      inputs.add(new DistributionCheck.Input(child.partitioning(), keys, child.equivalences()));
      if (!DistributionCheck.areCoPartitioned(inputs.get(0), inputs.get(i))) {
        throw failure(
            node,
            plan,
            "its children are not divided alike: "
                + inputs.get(0).partitioning()
                + ", "
                + inputs.get(i).partitioning());
      }
    }
  }

  private static void checkColumns(PhysicalPlan node, PhysicalPlan plan) {
    if (!node.properties().equivalences().schema().equals(node.schema())) {
      throw failure(node, plan, "its facts are about other columns than it has");
    }
    for (LexOrdering ordering : node.properties().equivalences().orderings()) {
      requireWithin(ordering, node, node, plan);
    }
    List<Optional<LexOrdering>> required = node.requiredInputOrdering();
    int children = node.children().size();
    if (required.size() != children
        || node.inputDistributionRequirements().children().size() != children
        || node.maintainsInputOrder().size() != children
        || node.benefitsFromInputPartitioning().size() != children) {
      throw failure(node, plan, "its answers are not one for each of " + children + " children");
    }
    for (int i = 0; i < children; i++) {
      PhysicalPlan child = node.children().get(i);
      required.get(i).ifPresent(ordering -> requireWithin(ordering, child, node, plan));
    }
    if (node.statistics().columns().size() != node.schema().size()) {
      throw failure(node, plan, "its statistics are of other columns than it has");
    }
  }

  private static void requireWithin(
      LexOrdering ordering, PhysicalPlan owner, PhysicalPlan node, PhysicalPlan plan) {
    boolean within =
        ordering.keys().stream()
            .allMatch(key -> Exprs.columns(key.expr()).length() <= owner.schema().size());
    if (!within) {
      throw failure(node, plan, "the order " + ordering + " is not of " + owner.schema());
    }
  }

  private static IllegalStateException failure(
      PhysicalPlan node, PhysicalPlan plan, String problem) {
    return new IllegalStateException(
        node.name() + ": " + problem + ", in the plan\n" + PlanPrinter.text(plan));
  }
}
