package dev.varve.engine.properties;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether partitionings meet distributions, and whether two inputs are divided alike.
 *
 * <p>Rows with equal required keys are together if whatever divides them is a function of those
 * keys: {@code Hash(k)} keeps rows with equal {@code (k, j)} together (a subset), {@code Hash(k,
 * j)} splits rows with equal {@code k}.
 */
public final class DistributionCheck {
  private DistributionCheck() {}

  static PartitioningSatisfaction satisfaction(
      Partitioning actual, Distribution required, EquivalenceProperties facts) {
    return switch (required) {
      case Distribution.Unspecified unspecified -> PartitioningSatisfaction.EXACT;
      case Distribution.SinglePartition single ->
          actual.count() == 1
              ? PartitioningSatisfaction.EXACT
              : PartitioningSatisfaction.NOT_SATISFIED;
      case Distribution.KeyPartitioned(List<PhysicalExpr> keys) ->
          actual.count() == 1
              ? PartitioningSatisfaction.EXACT
              : switch (actual) {
                case Partitioning.Hash(List<PhysicalExpr> by, int count) ->
                    keysSatisfy(by, keys, facts);
                case Partitioning.Range range ->
                    range.distinctCuts()
                        ? keysSatisfy(
                            range.ordering().keys().stream().map(SortExpr::expr).toList(),
                            keys,
                            facts)
                        : PartitioningSatisfaction.NOT_SATISFIED;
                case Partitioning.RoundRobinBatch roundRobin ->
                    PartitioningSatisfaction.NOT_SATISFIED;
                case Partitioning.Unknown unknown -> PartitioningSatisfaction.NOT_SATISFIED;
              };
    };
  }

  private static PartitioningSatisfaction keysSatisfy(
      List<PhysicalExpr> by, List<PhysicalExpr> required, EquivalenceProperties facts) {
    FixedExpressions fixed = facts.fixed(true);
    Set<PhysicalExpr> actualKeys = varying(by, facts, fixed);
    Set<PhysicalExpr> requiredKeys = varying(required, facts, fixed);
    if (actualKeys.equals(requiredKeys)) {
      return PartitioningSatisfaction.EXACT;
    }
    required.forEach(fixed::pin);
    return by.stream().allMatch(fixed::isFixed)
        ? PartitioningSatisfaction.SUBSET
        : PartitioningSatisfaction.NOT_SATISFIED;
  }

  private static Set<PhysicalExpr> varying(
      List<PhysicalExpr> keys, EquivalenceProperties facts, FixedExpressions fixed) {
    return keys.stream()
        .filter(key -> !fixed.isFixed(key))
        .map(facts::normalize)
        .collect(Collectors.toSet());
  }

  /**
   * One of several inputs that must be divided alike: how it is, and by which keys it should be.
   */
  public record Input(
      Partitioning partitioning, List<PhysicalExpr> keys, EquivalenceProperties facts) {
    public Input {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Whether partition i of one input holds the keys of partition i of the other: by the same
   * function of keys that correspond pairwise, in order and type.
   */
  public static boolean areCoPartitioned(Input left, Input right) {
    if (left.partitioning().count() != right.partitioning().count()) {
      return false;
    }
    if (left.partitioning().count() == 1) {
      return true;
    }
    return switch (left.partitioning()) {
      case Partitioning.Hash(List<PhysicalExpr> leftBy, int leftCount) ->
          right.partitioning()
                  instanceof Partitioning.Hash(List<PhysicalExpr> rightBy, int rightCount)
              && correspond(left, leftBy, right, rightBy);
      case Partitioning.Range(
              LexOrdering leftBy,
              List<List<@org.jspecify.annotations.Nullable Object>> leftCuts,
              boolean leftDistinct) ->
          right.partitioning()
                  instanceof
                  Partitioning.Range(
                      LexOrdering rightBy,
                      List<List<@org.jspecify.annotations.Nullable Object>> rightCuts,
                      boolean rightDistinct)
              && leftDistinct
              && rightDistinct
              && sameCuts(leftCuts, rightCuts)
              && sameOptions(leftBy, rightBy)
              && correspond(left, exprs(leftBy), right, exprs(rightBy));
      case Partitioning.RoundRobinBatch roundRobin -> false;
      case Partitioning.Unknown unknown -> false;
    };
  }

  private static boolean correspond(
      Input left, List<PhysicalExpr> leftBy, Input right, List<PhysicalExpr> rightBy) {
    if (leftBy.size() != rightBy.size()) {
      return false;
    }
    for (int i = 0; i < leftBy.size(); i++) {
      if (!leftBy.get(i).type().equals(rightBy.get(i).type())
          || !correspond(left, leftBy.get(i), right, rightBy.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether some pair of corresponding keys is this pair. */
  private static boolean correspond(
      Input left, PhysicalExpr leftKey, Input right, PhysicalExpr rightKey) {
    for (int i = 0; i < left.keys().size(); i++) {
      if (left.facts().areSame(left.keys().get(i), leftKey)
          && right.facts().areSame(right.keys().get(i), rightKey)) {
        return true;
      }
    }
    return false;
  }

  private static List<PhysicalExpr> exprs(LexOrdering ordering) {
    List<PhysicalExpr> exprs = new ArrayList<>();
    ordering.keys().forEach(key -> exprs.add(key.expr()));
    return exprs;
  }

  private static boolean sameOptions(LexOrdering left, LexOrdering right) {
    return left.keys().stream()
        .map(SortExpr::options)
        .toList()
        .equals(right.keys().stream().map(SortExpr::options).toList());
  }

  private static boolean sameCuts(
      List<? extends List<? extends @org.jspecify.annotations.Nullable Object>> left,
      List<? extends List<? extends @org.jspecify.annotations.Nullable Object>> right) {
    return cuts(left).equals(cuts(right));
  }

  private static List<List<Constant.Value>> cuts(
      List<? extends List<? extends @org.jspecify.annotations.Nullable Object>> points) {
    List<List<Constant.Value>> values = new ArrayList<>();
    for (List<? extends @org.jspecify.annotations.Nullable Object> point : points) {
      List<Constant.Value> keys = new ArrayList<>();
      point.forEach(key -> keys.add(new Constant.Value(key)));
      values.add(keys);
    }
    return values;
  }
}
