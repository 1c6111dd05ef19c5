package dev.varve.engine.plan;

import java.util.Optional;

/**
 * The capability of a leaf whose partitions, read one after the other, are in order: it can be cut
 * into more and shorter ones. Whoever reads them in sequence, a few at a time, keeps all cores busy
 * with little in memory.
 */
public interface SequencedSource {
  /**
   * The same rows in the same sequence, in partitions of about {@code rows} rows; empty if that
   * gives no more partitions than there are.
   */
  Optional<PhysicalPlan> inStretches(long rows);

  /** Whether it reads from the end to the beginning, which costs more than the other way. */
  boolean isReversed();
}
