package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.operator.CoalescePartitionsExec;
import dev.varve.engine.operator.RepartitionExec;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionCheck;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PartitioningSatisfaction;
import dev.varve.engine.properties.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Divides the inputs of a node as it requires: merges, hash exchanges and, only for speed,
 * round-robin ones.
 *
 * <p>Keys that are divided by fewer keys than required are together too (a subset), and that is
 * accepted where enough partitions remain; not for inputs that must be divided alike, where the
 * fewer keys would carry their skew into the join. Where one of several inputs must be moved the
 * others are moved with it, unless they already fit the largest one that stays.
 */
final class ExchangePlacement {

  /**
   * A child as it is so far.
   *
   * @param reliedUpon an order of its that something above rests on
   * @param keepsRows whether its rows must stay in their order, so must not be dealt out in turn
   * @param requiresOrder whether the node requires an order of it: merging is then left to whoever
   *     establishes that
   */
  record Input(
      PhysicalPlan plan,
      Optional<LexOrdering> reliedUpon,
      boolean keepsRows,
      boolean requiresOrder) {
    private Input with(PhysicalPlan changed) {
      return new Input(changed, reliedUpon, keepsRows, requiresOrder);
    }

    private int partitions() {
      return plan.properties().partitioning().count();
    }
  }

  private final Settings settings;
  private final boolean optimizes;
  private final int target;
  private final OneStream oneStream;

  ExchangePlacement(Settings settings) {
    this.settings = settings;
    this.optimizes = settings.get(EngineSettings.OPTIMIZER);
    this.target = settings.targetPartitions();
    this.oneStream = new OneStream(settings);
  }

  boolean requiresSinglePartition(PhysicalPlan plan, int child) {
    return plan.inputDistributionRequirements().children().get(child)
        instanceof Distribution.SinglePartition;
  }

  List<PhysicalPlan> distribute(PhysicalPlan plan, List<Input> inputs) {
    DistributionRequirements required = plan.inputDistributionRequirements();
    List<Boolean> benefits = plan.benefitsFromInputPartitioning();
    List<Input> divided = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Input input = inputs.get(i);
      divided.add(
          switch (required.children().get(i)) {
            case Distribution.SinglePartition single ->
                input.requiresOrder()
                    ? input
                    : input.with(merged(input.plan(), input.reliedUpon()));
            case Distribution.Unspecified unspecified ->
                benefits.get(i) ? input.with(dealtOut(input)) : input;
            case Distribution.KeyPartitioned(List<PhysicalExpr> keys) ->
                required.coPartitioned() ? input : byKeys(input, keys, benefits.get(i));
          });
    }
    List<Input> aligned = required.coPartitioned() ? alike(divided, required, benefits) : divided;
    return aligned.stream().map(Input::plan).toList();
  }

  /** One partition; in order, if the plan is. */
  PhysicalPlan merged(PhysicalPlan plan, Optional<LexOrdering> ordering) {
    if (plan.properties().partitioning().count() <= 1) {
      return plan;
    }
    return ordering.isPresent() && plan.properties().equivalences().satisfies(ordering.get())
        ? oneStream.of(plan, ordering.get(), OptionalLong.empty())
        : new CoalescePartitionsExec(plan);
  }

  /** Batches in turn, if that at least doubles the partitions and there is more than a batch. */
  private PhysicalPlan dealtOut(Input input) {
    return gainsPartitions(input) && !input.keepsRows()
        ? new RepartitionExec(input.plan(), new Partitioning.RoundRobinBatch(target), false)
        : input.plan();
  }

  private boolean gainsPartitions(Input input) {
    return optimizes && input.partitions() * 2 <= target && isMoreThanOneBatch(input.plan());
  }

  private boolean isMoreThanOneBatch(PhysicalPlan plan) {
    return plan.statistics().rowCount().known().map(n -> n > settings.batchSize()).orElse(true);
  }

  private Input byKeys(Input input, List<PhysicalExpr> keys, boolean benefits) {
    PartitioningSatisfaction satisfaction = satisfaction(input, keys);
    boolean satisfied =
        satisfaction == PartitioningSatisfaction.EXACT
            || (satisfaction == PartitioningSatisfaction.SUBSET
                && (isRange(input) || input.partitions() >= Math.min(target, subsetThreshold())));
    boolean widens = benefits && input.partitions() == 1 && gainsPartitions(input);
    return satisfied && !widens ? input : hashed(input, keys, target);
  }

  /** Ranges are of about one size, and an exchange would cost their order. */
  private static boolean isRange(Input input) {
    return input.plan().properties().partitioning() instanceof Partitioning.Range;
  }

  private int subsetThreshold() {
    return settings.get(EngineSettings.SUBSET_PARTITIONS);
  }

  private static PartitioningSatisfaction satisfaction(Input input, List<PhysicalExpr> keys) {
    return input
        .plan()
        .properties()
        .partitioning()
        .satisfaction(
            new Distribution.KeyPartitioned(keys), input.plan().properties().equivalences());
  }

  private List<Input> alike(
      List<Input> inputs, DistributionRequirements required, List<Boolean> benefits) {
    List<List<PhysicalExpr>> keys = new ArrayList<>();
    boolean single = true;
    boolean widens = false;
    for (int i = 0; i < inputs.size(); i++) {
      if (!(required.children().get(i)
          instanceof Distribution.KeyPartitioned(List<PhysicalExpr> required1))) {
        throw new IllegalStateException(
            "only inputs with keys can be divided alike, not " + required.children().get(i));
      }
      keys.add(required1);
      single &= inputs.get(i).partitions() == 1;
      widens |= benefits.get(i) && gainsPartitions(inputs.get(i));
    }
    if ((single && !widens) || areRangesAlike(inputs, keys)) {
      return inputs;
    }
    int reference = reference(inputs, keys);
    List<Input> aligned = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      aligned.add(
          reference < 0
              ? hashed(inputs.get(i), keys.get(i), target)
              : i == reference
                  ? inputs.get(i)
                  : like(inputs.get(reference), keys.get(reference), inputs.get(i), keys.get(i)));
    }
    return aligned;
  }

  /**
   * Ranges that are cut at the same values, of some of the keys too: they are of about one size, so
   * that fewer keys do not make them skewed.
   */
  private static boolean areRangesAlike(List<Input> inputs, List<List<PhysicalExpr>> keys) {
    for (int i = 0; i < inputs.size(); i++) {
      if (!isRange(inputs.get(i))
          || satisfaction(inputs.get(i), keys.get(i)) == PartitioningSatisfaction.NOT_SATISFIED
          || !areAlike(inputs.get(0), keys.get(0), inputs.get(i), keys.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The largest input that is divided by exactly its keys, and that the others are divided like or
   * can be; -1 if there is none.
   */
  private static int reference(List<Input> inputs, List<List<PhysicalExpr>> keys) {
    int best = -1;
    for (int i = 0; i < inputs.size(); i++) {
      Input candidate = inputs.get(i);
      if (candidate.partitions() > 1
          && satisfaction(candidate, keys.get(i)) == PartitioningSatisfaction.EXACT
          && othersCanFollow(inputs, keys, i)
          && (best < 0 || size(candidate.plan()) > size(inputs.get(best).plan()))) {
        best = i;
      }
    }
    return best;
  }

  private static boolean othersCanFollow(
      List<Input> inputs, List<List<PhysicalExpr>> keys, int reference) {
    boolean reproducible =
        correspondingKeys(inputs.get(reference), keys.get(reference), keys.get(reference))
            .isPresent();
    for (int i = 0; i < inputs.size(); i++) {
      if (i != reference
          && !reproducible
          && !areAlike(inputs.get(reference), keys.get(reference), inputs.get(i), keys.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static long size(PhysicalPlan plan) {
    Statistics statistics = plan.statistics();
    return statistics.totalBytes().known().or(() -> statistics.rowCount().known()).orElse(0L);
  }

  private static boolean areAlike(
      Input left, List<PhysicalExpr> leftKeys, Input right, List<PhysicalExpr> rightKeys) {
    return DistributionCheck.areCoPartitioned(side(left, leftKeys), side(right, rightKeys));
  }

  private static DistributionCheck.Input side(Input input, List<PhysicalExpr> keys) {
    return new DistributionCheck.Input(
        input.plan().properties().partitioning(), keys, input.plan().properties().equivalences());
  }

  private Input like(
      Input reference,
      List<PhysicalExpr> referenceKeys,
      Input input,
      List<PhysicalExpr> inputKeys) {
    if (areAlike(reference, referenceKeys, input, inputKeys)) {
      return input;
    }
    List<PhysicalExpr> keys = correspondingKeys(reference, referenceKeys, inputKeys).orElseThrow();
    return hashed(input, keys, reference.partitions());
  }

  /** Another input's keys, in the order in which the reference's are hashed. */
  private static Optional<List<PhysicalExpr>> correspondingKeys(
      Input reference, List<PhysicalExpr> referenceKeys, List<PhysicalExpr> inputKeys) {
    if (!(reference.plan().properties().partitioning()
        instanceof Partitioning.Hash(List<PhysicalExpr> by, int count))) {
      return Optional.empty();
    }
    List<PhysicalExpr> keys = new ArrayList<>();
    for (PhysicalExpr hashed : by) {
      int found = -1;
      for (int i = 0; i < referenceKeys.size() && found < 0; i++) {
        boolean same =
            reference.plan().properties().equivalences().areSame(referenceKeys.get(i), hashed);
        found = same ? i : -1;
      }
      if (found < 0) {
        return Optional.empty();
      }
      keys.add(inputKeys.get(found));
    }
    return Optional.of(keys);
  }

  /** By hash of the keys; an order that is relied upon is kept by merging. */
  private static Input hashed(Input input, List<PhysicalExpr> keys, int partitions) {
    boolean keepsOrder =
        input.partitions() > 1
            && input
                .reliedUpon()
                .flatMap(wanted -> input.plan().properties().outputOrdering())
                .isPresent();
    return input.with(
        new RepartitionExec(input.plan(), new Partitioning.Hash(keys, partitions), keepsOrder));
  }
}
