package dev.varve.engine.function;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.List;

/** When a result may be null, and whether the function is called at all on null arguments. */
public enum NullRule {
  /** Null exactly where an argument is null; such rows are not computed. */
  STRICT,
  /** Null where an argument is null, and perhaps elsewhere. */
  STRICT_OR_NULL,
  /** Null only where all arguments are null. */
  ALL_NULL,
  /** Nulls are values like others; null only where some argument is null. */
  ANY_NULL,
  /** Nulls are values like others; the result never is null. */
  NEVER_NULL;

  boolean strict() {
    return this == STRICT || this == STRICT_OR_NULL;
  }

  boolean nullable(List<PhysicalExpr> arguments) {
    return nullable(
        arguments.stream().anyMatch(PhysicalExpr::nullable),
        arguments.stream().allMatch(PhysicalExpr::nullable));
  }

  boolean nullable(boolean any, boolean all) {
    return switch (this) {
      case STRICT, ANY_NULL -> any;
      case STRICT_OR_NULL -> true;
      case ALL_NULL -> all;
      case NEVER_NULL -> false;
    };
  }
}
