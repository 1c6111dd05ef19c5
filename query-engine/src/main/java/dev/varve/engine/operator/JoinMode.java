package dev.varve.engine.operator;

/** How the build side of a hash join is divided. */
public enum JoinMode {
  /** One table, collected from a single partition, shared by every probe partition. */
  COLLECT_LEFT,
  /** Both sides divided alike by the join keys, one table for each partition. */
  PARTITIONED
}
