package dev.varve.engine.expr;

import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * The implementation of a function for one list of argument types. Stateless, safe for concurrent
 * use. Two functions are the same if they are equal; registries hand out one instance each.
 */
public interface ScalarFunction {
  String name();

  default Volatility volatility() {
    return Volatility.IMMUTABLE;
  }

  /** How the result follows argument {@code index} while the others stay the same. */
  default Monotonicity monotonicity(List<PhysicalExpr> arguments, int index) {
    return Monotonicity.NONE;
  }

  /** Whether some argument values are an error. */
  default boolean fallible() {
    return false;
  }

  /** False only if the result is never null. */
  default boolean nullable(List<PhysicalExpr> arguments) {
    return Exprs.anyNullable(arguments);
  }

  /**
   * Whether the result depends on each row's arguments alone and a null argument makes it null:
   * then it may be computed over a dictionary, and constants folded, without asking the function.
   */
  default boolean strict() {
    return true;
  }

  /**
   * {@code rows} results of {@code type}. Arguments are evaluated columns of that length, in any
   * encoding. Rows where a strict function's argument is null are never computed.
   */
  Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context);
}
