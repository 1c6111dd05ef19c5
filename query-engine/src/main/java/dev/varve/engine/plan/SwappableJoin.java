package dev.varve.engine.plan;

import java.util.Optional;

/**
 * The capability of a join that builds a table of its first child and probes it with the second:
 * what the choice of the build side asks and changes.
 */
public interface SwappableJoin {

  /** How the build side is shared by the partitions of the probe side. */
  enum BuildMode {
    /** The build side is collected into one partition that every probe partition uses. */
    COLLECTED,
    /** Both sides are divided by the keys; partition i is joined with partition i. */
    PARTITIONED
  }

  /** Whether the join keeps its meaning and its columns when built from the other side. */
  boolean canSwap();

  /**
   * The same rows and columns, built from the other side: join type, keys and residual are turned
   * over, and a projection restores the order of the columns. Only if {@link #canSwap}.
   */
  PhysicalPlan swapped();

  /** The same join sharing its build side in another way; empty if it cannot. */
  Optional<PhysicalPlan> withBuildMode(BuildMode mode);
}
