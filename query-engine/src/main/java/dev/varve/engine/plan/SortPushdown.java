package dev.varve.engine.plan;

import java.util.List;

/** A node's answer to a wish for an order, with the reasons that EXPLAIN shows. */
public sealed interface SortPushdown {
  /**
   * The node, changed so that each of its partitions has the order.
   *
   * @param reasons what proves it: which ordering, how many verified files
   */
  record Exact(PhysicalPlan plan, List<String> reasons) implements SortPushdown {
    public Exact {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * The node, changed so that rows come in roughly that order: a sort is still needed, but a top-k
   * stops sooner.
   *
   * @param reasons what is missing for a proof: which file, which fact
   */
  record Inexact(PhysicalPlan plan, List<String> reasons) implements SortPushdown {
    public Inexact {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * The node cannot.
   *
   * @param reasons what is missing: which file, which fact; empty where nobody could expect it
   */
  record Unsupported(List<String> reasons) implements SortPushdown {
    public Unsupported {
      reasons = List.copyOf(reasons);
    }
  }

  SortPushdown UNSUPPORTED = new Unsupported(List.of());
}
