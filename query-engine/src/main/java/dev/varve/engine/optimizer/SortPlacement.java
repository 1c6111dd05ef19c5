package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.operator.CoalescePartitionsExec;
import dev.varve.engine.operator.GlobalLimitExec;
import dev.varve.engine.operator.LocalLimitExec;
import dev.varve.engine.operator.PartialSortExec;
import dev.varve.engine.operator.SortExec;
import dev.varve.engine.operator.SortPreservingMergeExec;
import dev.varve.engine.plan.AnnotatedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Puts plans in order: by nothing where the order is known, by sorting ties alone where that of the
 * first keys is, by a sort of each partition under a merge where there are several, by one sort
 * otherwise. Each choice leaves its reasons at the node that stands for it.
 */
final class SortPlacement {
  private final boolean eliminates;
  private final boolean parallel;
  private final OneStream oneStream;

  SortPlacement(Settings settings) {
    this.eliminates = settings.optimizes(EngineSettings.ELIMINATE_SORTS);
    this.parallel = settings.get(EngineSettings.OPTIMIZER);
    this.oneStream = new OneStream(settings);
  }

  /** The order, if the plan is known to have it and that may be used. */
  Optional<LexOrdering> reliedUpon(PhysicalPlan plan, LexOrdering ordering) {
    return eliminates && plan.properties().equivalences().satisfies(ordering)
        ? Optional.of(ordering)
        : Optional.empty();
  }

  /** What becomes of a sort over {@code child}; {@code asked} is its node, with its reasons. */
  PhysicalPlan sorted(PhysicalPlan child, SortNode sort, PhysicalPlan asked) {
    LexOrdering ordering = sort.ordering();
    boolean merge = !sort.preservePartitioning();
    if (reliedUpon(child, ordering).isPresent()) {
      List<String> reasons = new ArrayList<>();
      List<String> proofs = proofs(asked, child, ordering);
      proofs.forEach(proof -> reasons.add("sort " + ordering + " removed: " + proof));
      return AnnotatedPlan.of(inOrder(child, ordering, sort.fetch(), merge), reasons);
    }
    List<String> reasons = new ArrayList<>();
    asked.reasons().forEach(reason -> reasons.add("sort needed: " + reason));
    int prefix = eliminates ? child.properties().equivalences().satisfiedPrefix(ordering) : 0;
    if (prefix > 0) {
      LexOrdering known = new LexOrdering(ordering.keys().subList(0, prefix));
      if (child.properties().equivalences().normalize(known).isPresent()) {
        reasons.add("partial sort: the input is in order of " + known + " only");
        return inPartialSort(child, sort, prefix, reasons);
      }
    }
    return inSort(child, ordering, sort.fetch(), merge, reasons);
  }

  /** The plan in the order that a node requires of it. */
  PhysicalPlan ordered(PhysicalPlan child, LexOrdering ordering, boolean singlePartition) {
    if (child.properties().equivalences().satisfies(ordering)) {
      return inOrder(child, ordering, OptionalLong.empty(), singlePartition);
    }
    return inSort(child, ordering, OptionalLong.empty(), singlePartition, List.of());
  }

  private static List<String> proofs(PhysicalPlan asked, PhysicalPlan child, LexOrdering ordering) {
    if (!asked.reasons().isEmpty()) {
      return asked.reasons();
    }
    EquivalenceProperties facts = child.properties().equivalences();
    if (facts.normalize(ordering).isEmpty()) {
      return List.of("its keys are constant");
    }
    return List.of(
        facts.orderings().stream()
            .map(LexOrdering::toString)
            .distinct()
            .reduce((a, b) -> a + " and " + b)
            .map(known -> "the input is in order of " + known)
            .orElse("the input is in that order"));
  }

  private PhysicalPlan inOrder(
      PhysicalPlan child, LexOrdering ordering, OptionalLong fetch, boolean merge) {
    if (!merge || partitions(child) <= 1) {
      return limited(child, fetch);
    }
    return oneStream.of(limitedEach(child, fetch), ordering, fetch);
  }

  private PhysicalPlan inSort(
      PhysicalPlan child,
      LexOrdering ordering,
      OptionalLong fetch,
      boolean merge,
      List<String> reasons) {
    if (partitions(child) <= 1) {
      return AnnotatedPlan.of(new SortExec(child, ordering, fetch, !merge), reasons);
    }
    if (merge && !parallel) {
      return AnnotatedPlan.of(
          new SortExec(new CoalescePartitionsExec(child), ordering, fetch, false), reasons);
    }
    PhysicalPlan each = AnnotatedPlan.of(new SortExec(child, ordering, fetch, true), reasons);
    return merge ? new SortPreservingMergeExec(each, ordering, fetch) : each;
  }

  private PhysicalPlan inPartialSort(
      PhysicalPlan child, SortNode sort, int prefix, List<String> reasons) {
    boolean merge = !sort.preservePartitioning();
    boolean several = partitions(child) > 1;
    PhysicalPlan each =
        AnnotatedPlan.of(
            new PartialSortExec(child, sort.ordering(), prefix, sort.fetch(), several || !merge),
            reasons);
    return several && merge ? oneStream.of(each, sort.ordering(), sort.fetch()) : each;
  }

  /** The first rows of each partition are enough for the first rows of their merge. */
  private static PhysicalPlan limitedEach(PhysicalPlan child, OptionalLong fetch) {
    return fetch.isPresent() ? child.withFetch(fetch.getAsLong()).orElse(child) : child;
  }

  private static PhysicalPlan limited(PhysicalPlan child, OptionalLong fetch) {
    if (fetch.isEmpty()
        || (child.fetch().isPresent() && child.fetch().getAsLong() <= fetch.getAsLong())) {
      return child;
    }
    Optional<PhysicalPlan> absorbed =
        child
            .withFetch(fetch.getAsLong())
            .filter(c -> c.fetch().isPresent() && c.fetch().getAsLong() <= fetch.getAsLong());
    if (absorbed.isPresent()) {
      return absorbed.get();
    }
    return partitions(child) <= 1
        ? new GlobalLimitExec(child, 0, fetch)
        : new LocalLimitExec(child, fetch.getAsLong());
  }

  private static int partitions(PhysicalPlan plan) {
    return plan.properties().partitioning().count();
  }
}
