package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.kernel.TextLengths;
import dev.varve.engine.type.DataType;
import java.util.List;

/** A text on its way into a column declared VARCHAR(n): one that is longer is an error. */
public record TextLengthFunction(int most, String column) implements ScalarFunction {
  @Override
  public String name() {
    return "at_most_" + most + "_characters";
  }

  @Override
  public boolean fallible() {
    return true;
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return TextLengths.check(arguments.get(0), most, column);
  }
}
