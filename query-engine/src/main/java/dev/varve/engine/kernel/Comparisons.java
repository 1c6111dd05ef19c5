package dev.varve.engine.kernel;

import dev.varve.engine.batch.*;

public final class Comparisons {
  private Comparisons() {}

  public static BooleanColumn compare(ComparisonOp op, Column left, Column right) {
    throw new IllegalStateException("compare");
  }
}
