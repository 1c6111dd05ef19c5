package dev.varve.engine.plan;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.List;
import java.util.Optional;

/**
 * The two halves of the negotiation by which filters move towards the data.
 *
 * <p>Down: {@link PhysicalPlan#gatherFiltersForPushdown} asks a node which of its parent's filters
 * may go to which child (rewritten to the child's columns), together with filters of its own. Up:
 * each filter comes back {@link Outcome#EXACT} (the child applies it to every row), {@link
 * Outcome#INEXACT} (the child uses it to skip, but rows that fail may come) or {@link
 * Outcome#UNSUPPORTED}; the node answers which must stay above, and what it becomes.
 */
public final class FilterPushdown {
  private FilterPushdown() {}

  public enum Outcome {
    EXACT,
    INEXACT,
    UNSUPPORTED
  }

  /**
   * For one child: the parent's filters in the child's columns (empty where one cannot pass), and
   * the node's own.
   */
  public record ChildFilters(
      List<Optional<PhysicalExpr>> parentFilters, List<PhysicalExpr> ownFilters) {
    public ChildFilters {
      parentFilters = List.copyOf(parentFilters);
      ownFilters = List.copyOf(ownFilters);
    }
  }

  /** One entry per child; an empty list: nothing passes this node. */
  public record Description(List<ChildFilters> children) {
    public Description {
      children = List.copyOf(children);
    }

    public static final Description NONE = new Description(List.of());
  }

  /** What a child made of the filters offered to it, in the order of {@link ChildFilters}. */
  public record ChildOutcome(List<Outcome> parentFilters, List<Outcome> ownFilters) {
    public ChildOutcome {
      parentFilters = List.copyOf(parentFilters);
      ownFilters = List.copyOf(ownFilters);
    }
  }

  /** The node after the negotiation, and what became of each of its parent's filters. */
  public record Result(PhysicalPlan plan, List<Outcome> parentFilters) {
    public Result {
      parentFilters = List.copyOf(parentFilters);
    }
  }
}
