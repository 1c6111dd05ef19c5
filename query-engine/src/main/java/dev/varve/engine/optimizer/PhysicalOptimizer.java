package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.TraceEntry;
import java.util.ArrayList;
import java.util.List;

/** The ordered list of rules. Safe for concurrent use. */
public final class PhysicalOptimizer {
  private final List<PhysicalRule> rules;

  public PhysicalOptimizer() {
    this(List.of());
  }

  PhysicalOptimizer(List<PhysicalRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /** The plan that runs, and what each rule changed. */
  public OptimizedPlan optimize(PhysicalPlan plan, Settings settings) {
    List<TraceEntry> trace = new ArrayList<>();
    PhysicalPlan current = plan;
    for (PhysicalRule rule : rules) {
      long start = System.nanoTime();
      PhysicalPlan next = rule.apply(current, settings);
      trace.add(new TraceEntry(rule.name(), next, next != current, System.nanoTime() - start));
      current = next;
    }
    return new OptimizedPlan(current, trace);
  }
}
