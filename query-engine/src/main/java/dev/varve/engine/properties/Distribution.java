package dev.varve.engine.properties;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.List;

/** What a node requires of how a child's rows are divided. */
public sealed interface Distribution {
  record Unspecified() implements Distribution {}

  record SinglePartition() implements Distribution {}

  /** Rows with equal keys are in one partition. */
  record KeyPartitioned(List<PhysicalExpr> keys) implements Distribution {
    public KeyPartitioned {
      keys = List.copyOf(keys);
    }
  }

  Distribution UNSPECIFIED = new Unspecified();
  Distribution SINGLE = new SinglePartition();
}
