package dev.varve.engine.properties;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a node's rows are divided over its output partitions. */
public sealed interface Partitioning {
  int count();

  /**
   * Whether rows divided like this meet {@code required}, given what is known of them: keys are
   * compared through equivalences, and constants that hold in all partitions do not count.
   */
  default PartitioningSatisfaction satisfaction(
      Distribution required, EquivalenceProperties facts) {
    return DistributionCheck.satisfaction(this, required, facts);
  }

  /** Batches dealt in turn. */
  record RoundRobinBatch(int count) implements Partitioning {}

  /**
   * Rows with equal keys are together: partition = hash(keys) mod count, with the engine's one
   * exchange hash and seed.
   */
  record Hash(List<PhysicalExpr> keys, int count) implements Partitioning {
    public Hash {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Partition i holds the rows from split point i - 1 (inclusive) up to split point i (exclusive)
   * of {@code ordering}; a split point has one value per key. With {@code distinctCuts} no key
   * straddles two partitions; only then can a range satisfy {@link Distribution.KeyPartitioned}.
   */
  record Range(LexOrdering ordering, List<List<@Nullable Object>> splitPoints, boolean distinctCuts)
      implements Partitioning {
    public Range {
      splitPoints = List.copyOf(splitPoints);
    }

    @Override
    public int count() {
      return splitPoints.size() + 1;
    }
  }

  /** Nothing is known but the number. */
  record Unknown(int count) implements Partitioning {}
}
