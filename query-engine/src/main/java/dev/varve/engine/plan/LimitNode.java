package dev.varve.engine.plan;

import java.util.OptionalLong;

/** The capability of a node that does nothing but cut each partition of its child to some rows. */
public interface LimitNode {
  /** Rows left out at the beginning. */
  long skip();

  /** Rows given after those; all if empty. */
  OptionalLong fetch();
}
