package dev.varve.engine.operator;

/** Which part of an aggregation a node does. */
public enum AggregateMode {
  /** Rows to states, for each partition by itself. */
  PARTIAL,
  /** States to results, in one partition. */
  FINAL,
  /** States to results, each partition having its own groups. */
  FINAL_PARTITIONED,
  /** Rows to results, in one partition. */
  SINGLE,
  /** Rows to results, each partition having its own groups. */
  SINGLE_PARTITIONED;

  /** Whether the input is states rather than rows. */
  public boolean mergesStates() {
    return this == FINAL || this == FINAL_PARTITIONED;
  }

  /** Whether each partition has its own groups. */
  public boolean partitioned() {
    return this == FINAL_PARTITIONED || this == SINGLE_PARTITIONED;
  }
}
