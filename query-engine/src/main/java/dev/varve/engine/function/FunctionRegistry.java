package dev.varve.engine.function;

import java.util.List;

/** The scalar functions by name. Immutable, safe for concurrent use. */
public final class FunctionRegistry {
  public static FunctionRegistry standard() {
    return new FunctionRegistry();
  }

  /** Lower case, sorted. */
  public List<String> names() {
    return List.of();
  }
}
