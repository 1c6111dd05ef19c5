package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.DateTimes;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.List;

/** A date, time or timestamp plus (minus) an interval. */
public record IntervalFunction(boolean plus, TypeKind source, TypeKind interval)
    implements ScalarFunction {
  @Override
  public String name() {
    return plus ? "add_interval" : "subtract_interval";
  }

  /** Months are counted in the session's time zone. */
  @Override
  public Volatility volatility() {
    return source == TypeKind.TIMESTAMPTZ && interval == TypeKind.INTERVAL_MONTH
        ? Volatility.STABLE
        : Volatility.IMMUTABLE;
  }

  @Override
  public Monotonicity monotonicity(List<PhysicalExpr> arguments, int index) {
    if (index != 0 || source == TypeKind.TIME || !(arguments.get(1) instanceof LiteralExpr)) {
      return Monotonicity.NONE;
    }
    if (interval == TypeKind.INTERVAL_DAY) {
      return Monotonicity.STRICTLY_INCREASING;
    }
    // The last days of a month meet in a shorter one. A timestamp on such days does not even keep
    // its order: the 30th at noon and the 31st at dawn both become the 28th.
    boolean midnights =
        source == TypeKind.DATE
            || (arguments.getFirst() instanceof CastExpr cast
                && cast.child().type().kind() == TypeKind.DATE);
    return midnights ? Monotonicity.INCREASING : Monotonicity.NONE;
  }

  @Override
  public boolean fallible() {
    return true;
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return DateTimes.addInterval(
        arguments.get(0), arguments.get(1), plus ? 1 : -1, type, context.zone());
  }
}
