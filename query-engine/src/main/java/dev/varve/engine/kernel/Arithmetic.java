package dev.varve.engine.kernel;

import dev.varve.engine.batch.*;
import dev.varve.engine.type.DataType;

public final class Arithmetic {
  private Arithmetic() {}

  public static Column apply(ArithmeticOp op, Column left, Column right, DataType type) {
    throw new IllegalStateException("arith");
  }

  public static Column negate(Column c) {
    throw new IllegalStateException("arith");
  }
}
