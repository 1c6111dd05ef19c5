package dev.varve.engine.plan;

/**
 * What one rule made of a plan: the plan after it, whether that is another plan than before, and
 * how long it took.
 */
public record TraceEntry(String rule, PhysicalPlan after, boolean changed, long nanos) {}
