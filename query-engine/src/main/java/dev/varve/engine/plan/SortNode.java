package dev.varve.engine.plan;

import dev.varve.engine.properties.LexOrdering;
import java.util.OptionalLong;

/** The capability of a node that does nothing but put its one child's rows in order. */
public interface SortNode {
  LexOrdering ordering();

  /** Only the first rows in that order, if present. */
  OptionalLong fetch();

  /** Whether each partition is sorted by itself; otherwise the child has one. */
  boolean preservePartitioning();
}
