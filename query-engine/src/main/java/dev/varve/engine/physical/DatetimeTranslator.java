package dev.varve.engine.physical;

import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.FunctionExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.IntervalFunction;
import dev.varve.engine.function.IntervalScaleFunction;
import dev.varve.engine.function.MonthsBetweenFunction;
import dev.varve.engine.function.Resolution;
import dev.varve.engine.function.RoundTimeFunction;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;

/** Arithmetic of dates, times and intervals. */
final class DatetimeTranslator {
  private static final int MICROS_DIGITS = 6;

  private DatetimeTranslator() {}

  static PhysicalExpr addInterval(
      PhysicalExpr value, PhysicalExpr interval, DataType type, boolean plus) {
    PhysicalExpr same = Literals.cast(value, type);
    return new FunctionExpr(
        new IntervalFunction(plus, type.kind(), interval.type().kind()),
        List.of(same, interval),
        type);
  }

  /** The time from {@code right} to {@code left}. */
  static PhysicalExpr difference(
      PhysicalExpr left, PhysicalExpr right, DataType type, RexCall call) {
    if (type.kind() == TypeKind.INTERVAL_MONTH) {
      return new FunctionExpr(
          new MonthsBetweenFunction(),
          List.of(
              Literals.cast(left, DataType.TIMESTAMP), Literals.cast(right, DataType.TIMESTAMP)),
          type);
    }
    boolean dates = left.type().kind() == TypeKind.DATE && right.type().kind() == TypeKind.DATE;
    PhysicalExpr a = dates ? Literals.cast(left, DataType.TIMESTAMP) : left;
    PhysicalExpr b = dates ? Literals.cast(right, DataType.TIMESTAMP) : right;
    Resolution resolution =
        FunctionRegistry.standard().resolve("timestamp$difference", List.of(a.type(), b.type()));
    if (resolution == null) {
      throw RexTranslator.unsupported(call);
    }
    List<DataType> types = resolution.argumentTypes();
    return resolution
        .maker()
        .make(
            List.of(CastExpr.to(a, types.get(0)), CastExpr.to(b, types.get(1))), resolution.type());
  }

  /** A cast to TIME(n) or TIMESTAMP(n) rounds to n digits of a second. */
  static PhysicalExpr limitFraction(PhysicalExpr value, RelDataType type) {
    boolean timed =
        switch (value.type().kind()) {
          case TIME, TIMESTAMP, TIMESTAMPTZ -> true;
          default -> false;
        };
    int digits = type.getPrecision();
    if (!timed || digits < 0 || digits >= MICROS_DIGITS) {
      return value;
    }
    PhysicalExpr rounded =
        new FunctionExpr(new RoundTimeFunction(digits), List.of(value), value.type());
    return value instanceof LiteralExpr ? Literals.folded(rounded) : rounded;
  }

  /** An interval times a number, in either order, or divided by one. */
  static PhysicalExpr scale(PhysicalExpr left, PhysicalExpr right, DataType type, boolean divide) {
    boolean intervalFirst = RexTranslator.isInterval(left.type());
    PhysicalExpr interval = intervalFirst ? left : right;
    PhysicalExpr factor = intervalFirst ? right : left;
    return new FunctionExpr(
        new IntervalScaleFunction(divide),
        List.of(interval, Literals.cast(factor, DataType.DOUBLE)),
        type);
  }
}
