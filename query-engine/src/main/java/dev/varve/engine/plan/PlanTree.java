package dev.varve.engine.plan;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A plan as data, for pages and tools: what a node is, what it promises, why, and what it counted
 * so far. Metrics are sorted by name.
 */
public record PlanTree(
    String name,
    String details,
    List<String> reasons,
    String partitioning,
    List<String> orderings,
    Map<String, Long> metrics,
    List<PlanTree> children) {
  public PlanTree {
    reasons = List.copyOf(reasons);
    orderings = List.copyOf(orderings);
    metrics = java.util.Collections.unmodifiableMap(new TreeMap<>(metrics));
    children = List.copyOf(children);
  }

  public static PlanTree of(PhysicalPlan plan) {
    return new PlanTree(
        plan.name(),
        plan.details(),
        plan.reasons(),
        plan.properties().partitioning().toString(),
        plan.properties().equivalences().orderings().stream().map(Object::toString).toList(),
        plan.metrics().snapshot(),
        plan.children().stream().map(PlanTree::of).toList());
  }
}
