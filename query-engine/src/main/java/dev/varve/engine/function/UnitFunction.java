package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.DateField;
import dev.varve.engine.kernel.DateTimes;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.List;
import java.util.Locale;

/** {@code FLOOR(x TO unit)} and {@code CEIL(x TO unit)} of a date or timestamp. */
public record UnitFunction(DateField unit, boolean up, TypeKind source) implements ScalarFunction {
  @Override
  public String name() {
    return (up ? "ceil_" : "floor_") + unit.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Volatility volatility() {
    return source == TypeKind.TIMESTAMPTZ ? Volatility.STABLE : Volatility.IMMUTABLE;
  }

  @Override
  public Monotonicity monotonicity(List<PhysicalExpr> arguments, int index) {
    return source == TypeKind.TIMESTAMPTZ ? Monotonicity.NONE : Monotonicity.INCREASING;
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return up
        ? DateTimes.ceiling(unit, arguments.get(0))
        : DateTimes.truncate(unit, arguments.get(0), context.zone());
  }
}
