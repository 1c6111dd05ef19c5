package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;

/** A function call. */
public record FunctionExpr(ScalarFunction function, List<PhysicalExpr> arguments, DataType type)
    implements PhysicalExpr {

  public FunctionExpr {
    arguments = List.copyOf(arguments);
  }

  @Override
  public boolean nullable() {
    return function.nullable(arguments);
  }

  @Override
  public List<PhysicalExpr> children() {
    return arguments;
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return Exprs.same(children, arguments) ? this : new FunctionExpr(function, children, type);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    List<Column> values = new ArrayList<>(arguments.size());
    for (PhysicalExpr argument : arguments) {
      values.add(argument.evaluate(batch, context));
    }
    return FunctionCalls.call(function, values, batch.rowCount(), type, context);
  }

  @Override
  public Volatility volatility() {
    return function.volatility().weakest(PhysicalExpr.super.volatility());
  }

  @Override
  public Monotonicity monotonicity(int index) {
    return function.monotonicity(arguments, index);
  }

  @Override
  public boolean fallible() {
    return function.fallible() || PhysicalExpr.super.fallible();
  }

  @Override
  public String toString() {
    return function.name() + "(" + Text.list(arguments) + ")";
  }
}
