package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.operator.CoalescePartitionsExec;
import dev.varve.engine.operator.ConcatPartitionsExec;
import dev.varve.engine.operator.SortPreservingMergeExec;
import dev.varve.engine.plan.AnnotatedPlan;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SequencedSource;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.PartitioningSatisfaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Brings ordered partitions together without losing the order: in no order where the keys have one
 * value in all of them, one after the other where they are ascending ranges, by a merge otherwise.
 *
 * <p>Partitions that are read one after the other are cut shorter first, as far as the nodes down
 * to the source allow: a few are read ahead, and what waits for its turn is kept in memory.
 */
final class OneStream {
  /** Batches of a stretch: long enough that opening it does not count. */
  private static final long STRETCH_BATCHES = 64;

  private final Settings settings;

  OneStream(Settings settings) {
    this.settings = settings;
  }

  /** {@code plan} has the order in each of several partitions. */
  PhysicalPlan of(PhysicalPlan plan, LexOrdering ordering, OptionalLong fetch) {
    EquivalenceProperties facts = plan.properties().equivalences();
    if (facts.withoutPartitionConstants().normalize(ordering).isEmpty()) {
      PhysicalPlan merged = new CoalescePartitionsExec(plan);
      return fetch.isPresent() ? merged.withFetch(fetch.getAsLong()).orElseThrow() : merged;
    }
    if (isSequence(plan, ordering)) {
      PhysicalPlan shorter = stretched(plan);
      return AnnotatedPlan.of(
          new ConcatPartitionsExec(isSequence(shorter, ordering) ? shorter : plan, fetch),
          List.of("partitions are ascending ranges of " + ordering + ": no merge is needed"));
    }
    return new SortPreservingMergeExec(plan, ordering, fetch);
  }

  private static boolean isSequence(PhysicalPlan plan, LexOrdering ordering) {
    return plan.properties().partitioning().count() > 1
        && plan.properties().equivalences().concatenated().satisfies(ordering);
  }

  /** Over more and shorter partitions, if each node down to the source works on one by itself. */
  private PhysicalPlan stretched(PhysicalPlan plan) {
    Optional<SequencedSource> source = plan.capability(SequencedSource.class);
    if (source.isPresent()) {
      return source
          .get()
          .inStretches(STRETCH_BATCHES * settings.batchSize())
          .map(shorter -> AnnotatedPlan.of(shorter, plan.reasons()))
          .orElse(plan);
    }
    if (plan.inputDistributionRequirements().coPartitioned()) {
      return plan;
    }
    List<PhysicalPlan> children = new ArrayList<>();
    for (int i = 0; i < plan.children().size(); i++) {
      PhysicalPlan child = plan.children().get(i);
      children.add(passesPartitions(plan, i) ? stretched(child, plan, i) : child);
    }
    return plan.withChildren(children);
  }

  private PhysicalPlan stretched(PhysicalPlan child, PhysicalPlan parent, int index) {
    PhysicalPlan shorter = stretched(child);
    Distribution required = parent.inputDistributionRequirements().children().get(index);
    return shorter
                .properties()
                .partitioning()
                .satisfaction(required, shorter.properties().equivalences())
            == PartitioningSatisfaction.NOT_SATISFIED
        ? child
        : shorter;
  }

  /** A node with another child may read that one anew for each partition, as joins do from disk. */
  private static boolean passesPartitions(PhysicalPlan plan, int index) {
    return plan.children().size() == 1
        && plan.maintainsInputOrder().get(index)
        && plan.properties().partitioning().count()
            == plan.children().get(index).properties().partitioning().count()
        && !(plan.inputDistributionRequirements().children().get(index)
            instanceof Distribution.SinglePartition);
  }
}
