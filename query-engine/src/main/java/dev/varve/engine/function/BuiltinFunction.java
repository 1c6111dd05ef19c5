package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.type.DataType;
import java.util.List;

/** A function of the engine. There is one instance for each overload, so identity is equality. */
final class BuiltinFunction implements ScalarFunction {
  private final String name;
  private final Volatility volatility;
  private final NullRule nulls;
  private final boolean fallible;
  private final Order order;
  private final Body body;

  BuiltinFunction(
      String name,
      Volatility volatility,
      NullRule nulls,
      boolean fallible,
      Order order,
      Body body) {
    this.name = name;
    this.volatility = volatility;
    this.nulls = nulls;
    this.fallible = fallible;
    this.order = order;
    this.body = body;
  }

  /** The loop over a batch. */
  @FunctionalInterface
  interface Body {
    Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context);
  }

  /** How results follow an argument. */
  @FunctionalInterface
  interface Order {
    Order NONE = (arguments, index) -> Monotonicity.NONE;

    Monotonicity of(List<PhysicalExpr> arguments, int index);

    static Order always(Monotonicity monotonicity) {
      return (arguments, index) -> index == 0 ? monotonicity : Monotonicity.NONE;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Volatility volatility() {
    return volatility;
  }

  @Override
  public Monotonicity monotonicity(List<PhysicalExpr> arguments, int index) {
    return order.of(arguments, index);
  }

  @Override
  public boolean fallible() {
    return fallible;
  }

  @Override
  public boolean nullable(List<PhysicalExpr> arguments) {
    return nulls.nullable(arguments);
  }

  @Override
  public boolean strict() {
    return nulls.strict();
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return body.evaluate(arguments, rows, type, context);
  }

  @Override
  public String toString() {
    return name;
  }
}
