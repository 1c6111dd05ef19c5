package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.kernel.DateTimes;
import dev.varve.engine.type.DataType;
import java.util.List;

/** A time or timestamp rounded to {@code digits} of a second: what TIMESTAMP(n) keeps. */
public record RoundTimeFunction(int digits) implements ScalarFunction {
  @Override
  public String name() {
    return "round_to_" + digits + "_digits";
  }

  @Override
  public Monotonicity monotonicity(List<PhysicalExpr> arguments, int index) {
    return Monotonicity.INCREASING;
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return DateTimes.roundSeconds(arguments.get(0), digits);
  }
}
