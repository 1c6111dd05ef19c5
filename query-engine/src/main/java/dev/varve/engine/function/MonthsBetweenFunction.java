package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.kernel.DateTimes;
import dev.varve.engine.type.DataType;
import java.util.List;

/** Whole months from the second timestamp to the first: {@code (a - b) YEAR TO MONTH}. */
public record MonthsBetweenFunction() implements ScalarFunction {
  @Override
  public String name() {
    return "months_between";
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return DateTimes.monthsBetween(arguments.get(0), arguments.get(1), type);
  }

  @Override
  public boolean fallible() {
    return true;
  }
}
