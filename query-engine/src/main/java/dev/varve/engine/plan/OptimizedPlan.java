package dev.varve.engine.plan;

import java.util.List;

/** A plan that is ready to run and how it came to be: one entry for each rule, in their order. */
public record OptimizedPlan(PhysicalPlan plan, List<TraceEntry> trace) {
  public OptimizedPlan {
    trace = List.copyOf(trace);
  }
}
