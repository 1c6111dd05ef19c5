package dev.varve.engine.operator;

import dev.varve.engine.expr.PhysicalExpr;

/**
 * One equality of a join, each side over its own input's columns and of one type. With {@code
 * nullsEqual} (IS NOT DISTINCT FROM) two nulls match.
 */
public record JoinKey(PhysicalExpr left, PhysicalExpr right, boolean nullsEqual) {
  public JoinKey {
    if (!left.type().equals(right.type())) {
      throw new IllegalArgumentException(
          "join keys of different types: "
              + left
              + " is "
              + left.type()
              + ", "
              + right
              + " is "
              + right.type());
    }
  }

  public JoinKey swapped() {
    return new JoinKey(right, left, nullsEqual);
  }

  @Override
  public String toString() {
    return left + (nullsEqual ? " <=> " : " = ") + right;
  }
}
