package dev.varve.engine.plan;

/** A node's answer to a wish for an order. */
public sealed interface SortPushdown {
  /** The node, changed so that its output has the order. */
  record Exact(PhysicalPlan plan) implements SortPushdown {}

  /**
   * The node, changed so that rows come in roughly that order: a sort is still needed, but a top-k
   * stops sooner.
   */
  record Inexact(PhysicalPlan plan) implements SortPushdown {}

  /** The node cannot. */
  record Unsupported() implements SortPushdown {}

  SortPushdown UNSUPPORTED = new Unsupported();
}
