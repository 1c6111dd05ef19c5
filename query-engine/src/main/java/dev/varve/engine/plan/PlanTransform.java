package dev.varve.engine.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Walks over plans. What is not changed stays the same instance. */
public final class PlanTransform {
  private PlanTransform() {}

  /** Children first, then the node over them. */
  public static PhysicalPlan bottomUp(PhysicalPlan plan, UnaryOperator<PhysicalPlan> rewrite) {
    return rewrite.apply(children(plan, child -> bottomUp(child, rewrite)));
  }

  /** The node first, then the children of what became of it. */
  public static PhysicalPlan topDown(PhysicalPlan plan, UnaryOperator<PhysicalPlan> rewrite) {
    return children(rewrite.apply(plan), child -> topDown(child, rewrite));
  }

  /** The node over its children, each changed. */
  public static PhysicalPlan children(PhysicalPlan plan, UnaryOperator<PhysicalPlan> change) {
    List<PhysicalPlan> children = plan.children();
    if (children.isEmpty()) {
      return plan;
    }
    List<PhysicalPlan> changed = new ArrayList<>(children.size());
    boolean same = true;
    for (PhysicalPlan child : children) {
      PhysicalPlan next = change.apply(child);
      same &= next == child;
      changed.add(next);
    }
    return same ? plan : plan.withChildren(changed);
  }

  /** Every node, parents before their children. */
  public static void visit(PhysicalPlan plan, Consumer<PhysicalPlan> visitor) {
    visitor.accept(plan);
    plan.children().forEach(child -> visit(child, visitor));
  }
}
