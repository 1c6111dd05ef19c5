package dev.varve.engine.optimizer;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.SequencedSource;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds an order of a plan in which some keys lead, in whatever sequence and direction: what
 * grouping and merging need. A plan is asked for an order as a sort would; nothing is sorted for
 * it.
 */
final class OrderSearch {
  /** All sequences of so many keys are tried; of more only the given one. */
  private static final int MOST_PERMUTED = 3;

  private static final List<SortOptions> DIRECTIONS =
      List.of(
          SortOptions.ASC,
          SortOptions.DESC,
          new SortOptions(false, true),
          new SortOptions(true, false));

  private OrderSearch() {}

  /**
   * A plan in the order of the keys.
   *
   * @param sequence the numbers of the keys, in the sequence of the order
   * @param options one direction for each, in that sequence
   */
  record Found(
      PhysicalPlan plan, List<Integer> sequence, List<SortOptions> options, List<String> reasons) {

    LexOrdering ordering(List<PhysicalExpr> keys) {
      List<SortExpr> order = new ArrayList<>();
      for (int i = 0; i < sequence.size(); i++) {
        order.add(new SortExpr(keys.get(sequence.get(i)), options.get(i)));
      }
      return new LexOrdering(order);
    }
  }

  static Optional<Found> find(PhysicalPlan plan, List<PhysicalExpr> keys) {
    if (keys.isEmpty() || keys.stream().anyMatch(key -> key.volatility() == Volatility.VOLATILE)) {
      return Optional.empty();
    }
    for (List<Integer> sequence : sequences(keys.size())) {
      for (SortOptions direction : DIRECTIONS) {
        List<SortOptions> options = java.util.Collections.nCopies(keys.size(), direction);
        Optional<Found> found = ask(plan, keys, sequence, options);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** The plan in just this order. */
  static Optional<Found> ask(
      PhysicalPlan plan,
      List<PhysicalExpr> keys,
      List<Integer> sequence,
      List<SortOptions> options) {
    LexOrdering wanted = new Found(plan, sequence, options, List.of()).ordering(keys);
    EquivalenceProperties facts = plan.properties().equivalences();
    // A constant is in every order: there is nothing that a merge or a group could end at.
    if (facts.normalize(wanted).isEmpty()) {
      return Optional.empty();
    }
    if (facts.satisfies(wanted)) {
      return Optional.of(new Found(plan, sequence, options, List.of()));
    }
    return plan.tryPushdownSort(wanted)
                instanceof SortPushdown.Exact(PhysicalPlan ordered, List<String> reasons)
            && ordered.properties().equivalences().satisfies(wanted)
            && !readsBackwards(ordered)
        ? Optional.of(new Found(ordered, sequence, options, reasons))
        : Optional.empty();
  }

  /** That costs more than other sequences and directions, which are tried as well. */
  private static boolean readsBackwards(PhysicalPlan plan) {
    boolean[] found = new boolean[1];
    PlanTransform.visit(
        plan,
        node ->
            found[0] |=
                node.capability(SequencedSource.class).filter(s -> s.isReversed()).isPresent());
    return found[0];
  }

  private static List<List<Integer>> sequences(int keys) {
    List<List<Integer>> all = new ArrayList<>();
    List<Integer> given = new ArrayList<>();
    for (int k = 0; k < keys; k++) {
      given.add(k);
    }
    if (keys > MOST_PERMUTED) {
      return List.of(given);
    }
    permute(new ArrayList<>(), given, all);
    return all;
  }

  private static void permute(List<Integer> done, List<Integer> left, List<List<Integer>> all) {
    if (left.isEmpty()) {
      all.add(List.copyOf(done));
      return;
    }
    for (Integer key : left) {
      List<Integer> longer = new ArrayList<>(done);
      longer.add(key);
      List<Integer> rest = new ArrayList<>(left);
      rest.remove(key);
      permute(longer, rest, all);
    }
  }
}
