package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.kernel.DateTimes;
import dev.varve.engine.type.DataType;
import java.util.List;

/** An interval times, or divided by, a double. */
public record IntervalScaleFunction(boolean divide) implements ScalarFunction {
  @Override
  public String name() {
    return divide ? "divide_interval" : "multiply_interval";
  }

  @Override
  public boolean fallible() {
    return true;
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return DateTimes.scaleInterval(arguments.get(0), arguments.get(1), divide);
  }
}
