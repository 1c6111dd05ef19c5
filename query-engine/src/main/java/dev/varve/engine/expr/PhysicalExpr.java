package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * An expression bound to column positions. Immutable, with structural {@code equals}; {@code
 * toString} is its text in EXPLAIN ({@code l_quantity@4 < 24}). Evaluation dispatches once per
 * batch and loops in kernels. Safe for concurrent use.
 */
public interface PhysicalExpr {

  DataType type();

  /** False only if the result is never null for rows of the input schema. */
  boolean nullable();

  List<PhysicalExpr> children();

  /** The same expression over other children; {@code this} if they are the same instances. */
  PhysicalExpr withChildren(List<PhysicalExpr> children);

  /**
   * One value for each row of the batch, of {@link #type()}; may be dictionary or constant encoded.
   */
  Column evaluate(Batch batch, EvalContext context);

  /** Of the whole subtree. */
  default Volatility volatility() {
    Volatility weakest = Volatility.IMMUTABLE;
    for (PhysicalExpr child : children()) {
      weakest = weakest.weakest(child.volatility());
    }
    return weakest;
  }

  /** How the result follows child {@code index}. */
  default Monotonicity monotonicity(int index) {
    return Monotonicity.NONE;
  }

  /**
   * Whether evaluating it can fail for some value (overflow, division by zero, casts): such must
   * not be moved before guards.
   */
  default boolean fallible() {
    for (PhysicalExpr child : children()) {
      if (child.fallible()) {
        return true;
      }
    }
    return false;
  }
}
