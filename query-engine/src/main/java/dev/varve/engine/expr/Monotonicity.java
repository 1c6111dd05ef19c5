package dev.varve.engine.expr;

/**
 * How an expression's value follows the value of one child while the others stay constant. Nulls
 * map to nulls in all but {@link #NONE}. Only a strict one pins its child: equal results then mean
 * equal children.
 */
public enum Monotonicity {
  NONE,
  INCREASING,
  DECREASING,
  STRICTLY_INCREASING,
  STRICTLY_DECREASING;

  public boolean isStrict() {
    return this == STRICTLY_INCREASING || this == STRICTLY_DECREASING;
  }

  public boolean isDecreasing() {
    return this == DECREASING || this == STRICTLY_DECREASING;
  }
}
