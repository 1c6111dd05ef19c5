package dev.varve.engine.expr;

/**
 * The promise a function makes about its result for equal arguments; ordered from strongest to
 * weakest.
 */
public enum Volatility {
  /** Always the same result. */
  IMMUTABLE,
  /**
   * The same result within one execution of a statement ({@code now()}); bound per execution, never
   * folded into a plan.
   */
  STABLE,
  /** A new result each time ({@code random()}); never moved, duplicated, merged or folded. */
  VOLATILE;

  public Volatility weakest(Volatility other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
