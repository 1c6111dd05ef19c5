package dev.varve.engine.optimizer;

import dev.varve.engine.plan.AnnotatedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.LexOrdering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the sources which orders are wanted of them. A source that can prove the order arranges
 * itself for it; one that cannot may still read in about that order, for a top-k to stop sooner.
 * The sort itself stays where it is: whether it is needed is decided on facts afterwards. What the
 * source said becomes reasons of the sort.
 */
final class SortRequests {
  private SortRequests() {}

  static PhysicalPlan push(PhysicalPlan plan) {
    return PlanTransform.topDown(plan, SortRequests::request);
  }

  /** A sort under another decides nothing, unless it also decides which rows there are. */
  private static PhysicalPlan withoutUselessSort(PhysicalPlan plan) {
    PhysicalPlan current = plan;
    while (current.capability(SortNode.class).filter(s -> s.fetch().isEmpty()).isPresent()) {
      current = current.children().get(0);
    }
    return current;
  }

  private static PhysicalPlan request(PhysicalPlan plan) {
    Optional<SortNode> sort = plan.capability(SortNode.class);
    if (sort.isPresent()) {
      Answer answer =
          askForBeginning(
              ask(
                  withoutUselessSort(plan.children().get(0)),
                  sort.get().ordering(),
                  sort.get().fetch().isPresent()),
              sort.get().ordering());
      return AnnotatedPlan.of(plan.withChildren(List.of(answer.plan())), answer.reasons());
    }
    List<Optional<LexOrdering>> required = plan.requiredInputOrdering();
    List<PhysicalPlan> children = new ArrayList<>();
    for (int i = 0; i < required.size(); i++) {
      PhysicalPlan child = plan.children().get(i);
      if (required.get(i).isPresent()) {
        Answer answer = ask(child, required.get(i).get(), false);
        children.add(AnnotatedPlan.of(answer.plan(), answer.reasons()));
      } else {
        children.add(child);
      }
    }
    return children.isEmpty() ? plan : plan.withChildren(children);
  }

  /**
   * An order of the first keys alone leaves only ties to sort: as many keys as can be had, if that
   * is more than there are.
   */
  private static Answer askForBeginning(Answer whole, LexOrdering ordering) {
    PhysicalPlan child = whole.plan();
    int known = child.properties().equivalences().satisfiedPrefix(ordering);
    for (int length = ordering.keys().size() - 1; length > known; length--) {
      LexOrdering beginning = new LexOrdering(ordering.keys().subList(0, length));
      if (child.tryPushdownSort(beginning)
              instanceof SortPushdown.Exact(PhysicalPlan plan, List<String> _)
          && plan.properties().equivalences().satisfies(beginning)) {
        return new Answer(plan, whole.reasons());
      }
    }
    return whole;
  }

  private record Answer(PhysicalPlan plan, List<String> reasons) {}

  private static Answer ask(PhysicalPlan child, LexOrdering ordering, boolean steer) {
    SortPushdown pushdown = child.tryPushdownSort(ordering);
    if (child.properties().equivalences().satisfies(ordering)) {
      // It has the order as it is; asking told why.
      return new Answer(
          child,
          pushdown instanceof SortPushdown.Exact(PhysicalPlan same, List<String> reasons)
              ? reasons
              : List.of());
    }
    return switch (pushdown) {
      case SortPushdown.Exact(PhysicalPlan plan, List<String> reasons) -> {
        if (!plan.properties().equivalences().satisfies(ordering)) {
          throw new IllegalStateException(
              plan.name() + " promised the order " + ordering + " and does not declare it");
        }
        yield new Answer(plan, reasons);
      }
      case SortPushdown.Inexact(PhysicalPlan plan, List<String> reasons) ->
          new Answer(steer ? plan : child, reasons);
      case SortPushdown.Unsupported(List<String> reasons) -> new Answer(child, reasons);
    };
  }
}
