package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.PhysicalPlan;

/**
 * One rewrite of the physical plan that keeps its result. Stateless; the same instance back means
 * that it does not apply.
 */
public interface PhysicalRule {

  /** As EXPLAIN VERBOSE shows it. */
  default String name() {
    return getClass().getSimpleName();
  }

  PhysicalPlan apply(PhysicalPlan plan, Settings settings);
}
