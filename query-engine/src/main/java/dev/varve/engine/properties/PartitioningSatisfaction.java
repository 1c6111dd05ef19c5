package dev.varve.engine.properties;

/**
 * Whether a partitioning meets a distribution; SUBSET: it divides by fewer of the required keys,
 * which also keeps them together.
 */
public enum PartitioningSatisfaction {
  NOT_SATISFIED,
  EXACT,
  SUBSET
}
