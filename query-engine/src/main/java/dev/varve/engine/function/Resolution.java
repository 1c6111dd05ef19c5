package dev.varve.engine.function;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * What a call means: the types its arguments are converted to, the type of its result, how to make
 * its expression from the converted arguments, and how far the conversions went.
 */
public record Resolution(List<DataType> argumentTypes, DataType type, Maker maker, int cost) {
  public Resolution {
    argumentTypes = List.copyOf(argumentTypes);
  }

  /** Makes the expression of a call from arguments of exactly the resolved types. */
  @FunctionalInterface
  public interface Maker {
    PhysicalExpr make(List<PhysicalExpr> arguments, DataType type);
  }
}
