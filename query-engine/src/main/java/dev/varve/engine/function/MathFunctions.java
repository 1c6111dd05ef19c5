package dev.varve.engine.function;

import static dev.varve.engine.type.TypeKind.BIGINT;
import static dev.varve.engine.type.TypeKind.DECIMAL;
import static dev.varve.engine.type.TypeKind.DOUBLE;
import static dev.varve.engine.type.TypeKind.INTEGER;
import static dev.varve.engine.type.TypeKind.REAL;
import static dev.varve.engine.type.TypeKind.SMALLINT;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.expr.ArithmeticExpr;
import dev.varve.engine.expr.FunctionExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.kernel.MathKernels;
import dev.varve.engine.kernel.Rounding;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleUnaryOperator;

/** Functions of numbers. */
final class MathFunctions {
  private MathFunctions() {}

  static List<FunctionDefinition> all() {
    List<FunctionDefinition> all = new ArrayList<>();
    all.add(abs());
    all.add(sign());
    all.add(rounding("round", Rounding.HALF_AWAY, true));
    all.add(rounding("trunc", Rounding.TRUNCATE, true));
    all.add(rounding("floor", Rounding.FLOOR, false));
    all.add(rounding("ceil", Rounding.CEILING, false));
    all.add(rounding("ceiling", Rounding.CEILING, false));
    all.add(mod());
    all.add(increasing("sqrt", MathKernels::sqrt));
    all.add(increasing("cbrt", Math::cbrt));
    all.add(increasing("exp", MathKernels::exp));
    all.add(increasing("ln", MathKernels::ln));
    all.add(increasing("log10", MathKernels::log10));
    all.add(log());
    all.add(power("power"));
    all.add(power("pow"));
    all.add(increasing("radians", Math::toRadians));
    all.add(increasing("degrees", Math::toDegrees));
    all.add(of("sin", MathKernels::sin));
    all.add(of("cos", MathKernels::cos));
    all.add(of("tan", MathKernels::tan));
    all.add(of("asin", MathKernels::asin));
    all.add(of("acos", MathKernels::acos));
    all.add(increasing("atan", Math::atan));
    all.add(atan2());
    all.add(pi());
    all.add(random());
    all.add(
        FunctionDefinition.named("gcd")
            .fallible()
            .overload(
                DataType.BIGINT,
                (arguments, rows, type, context) ->
                    MathKernels.gcd(arguments.get(0), arguments.get(1)),
                BIGINT,
                BIGINT)
            .build());
    all.add(
        FunctionDefinition.named("isnan")
            .overload(
                DataType.BOOLEAN,
                (arguments, rows, type, context) -> MathKernels.isNaN(arguments.get(0)),
                DOUBLE)
            .build());
    return all;
  }

  private static FunctionDefinition abs() {
    BuiltinFunction.Body body =
        (arguments, rows, type, context) -> MathKernels.abs(arguments.get(0));
    return FunctionDefinition.named("abs")
        .fallible()
        .overload(List::getFirst, body, SMALLINT)
        .overload(List::getFirst, body, INTEGER)
        .overload(List::getFirst, body, BIGINT)
        .overload(List::getFirst, body, DECIMAL)
        .overload(List::getFirst, body, REAL)
        .overload(List::getFirst, body, DOUBLE)
        .build();
  }

  private static FunctionDefinition sign() {
    return FunctionDefinition.named("sign")
        .order(Monotonicity.INCREASING)
        .overload(
            DataType.decimal(1, 0),
            (arguments, rows, type, context) -> MathKernels.decimalSign(arguments.get(0), type),
            DECIMAL)
        .order(BuiltinFunction.Order.NONE)
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) -> doubles(arguments.get(0), Math::signum),
            DOUBLE)
        .build();
  }

  /**
   * To integers, or with a second argument to digits after the point (before it if negative).
   * Decimals round half away from zero, floating values half to even.
   */
  private static FunctionDefinition rounding(String name, Rounding rounding, boolean digits) {
    BuiltinFunction.Body whole =
        (arguments, rows, type, context) -> rounding.decimal(arguments.get(0), 0, type);
    FunctionDefinition.Builder builder =
        FunctionDefinition.named(name)
            .order(Monotonicity.INCREASING)
            .overload(
                DataType.DOUBLE,
                (arguments, rows, type, context) -> doubles(arguments.get(0), rounding::apply),
                DOUBLE)
            .fallible()
            .overload(types -> DataType.decimal(types.getFirst().precision(), 0), whole, DECIMAL);
    if (digits) {
      BuiltinFunction function = roundTo(name, rounding);
      Resolution.Maker maker = (values, type) -> new FunctionExpr(function, values, type);
      builder.overload(
          (arguments, constants) -> {
            // As in PostgreSQL there is no round(double, n): it would promise decimals it lacks.
            if (arguments.size() != 2 || arguments.get(0).isFloating()) {
              return null;
            }
            int first = Conversions.cost(arguments.get(0), DECIMAL);
            int second = Conversions.cost(arguments.get(1), INTEGER);
            if (first < 0 || second < 0) {
              return null;
            }
            DataType from = Conversions.converted(arguments.get(0), DECIMAL);
            DataType result =
                constants.value(1) instanceof Number n
                    ? rounded(from, Math.clamp(n.longValue(), 0, from.scale()))
                    : widened(from);
            return new Resolution(List.of(from, DataType.INTEGER), result, maker, first + second);
          },
          name + "(decimal, integer)");
    }
    return builder.build();
  }

  /** The type of a decimal rounded to {@code digits}: a carry may add one digit. */
  private static DataType rounded(DataType type, int digits) {
    int whole = type.precision() - type.scale() + (type.scale() > digits ? 1 : 0);
    int precision = Math.min(DataType.MAX_DECIMAL_PRECISION, Math.max(1, whole + digits));
    return DataType.decimal(precision, Math.min(digits, precision));
  }

  private static DataType widened(DataType type) {
    int precision = Math.min(DataType.MAX_DECIMAL_PRECISION, type.precision() + 1);
    return DataType.decimal(precision, type.scale());
  }

  private static BuiltinFunction roundTo(String name, Rounding rounding) {
    return new BuiltinFunction(
        name,
        Volatility.IMMUTABLE,
        NullRule.STRICT,
        true,
        (arguments, index) ->
            index == 0 && arguments.get(1) instanceof LiteralExpr
                ? Monotonicity.INCREASING
                : Monotonicity.NONE,
        (arguments, rows, type, context) ->
            rounding.decimalTo(arguments.get(0), arguments.get(1), type));
  }

  private static FunctionDefinition mod() {
    Resolution.Maker maker =
        (arguments, type) ->
            new ArithmeticExpr(ArithmeticOp.MODULO, arguments.get(0), arguments.get(1), type);
    return FunctionDefinition.named("mod")
        .add(List::getFirst, maker, false, List.of(SMALLINT, SMALLINT))
        .add(List::getFirst, maker, false, List.of(INTEGER, INTEGER))
        .add(List::getFirst, maker, false, List.of(BIGINT, BIGINT))
        .add(
            types -> {
              DataType common = Conversions.common(types);
              return common == null ? types.getFirst() : common;
            },
            maker,
            false,
            List.of(DECIMAL, DECIMAL))
        .build();
  }

  private static FunctionDefinition log() {
    return FunctionDefinition.named("log")
        .fallible()
        .order(Monotonicity.INCREASING)
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) -> doubles(arguments.get(0), MathKernels::log10),
            DOUBLE)
        .order(BuiltinFunction.Order.NONE)
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) ->
                MathKernels.binary(arguments.get(0), arguments.get(1), MathKernels::log),
            DOUBLE,
            DOUBLE)
        .build();
  }

  private static FunctionDefinition power(String name) {
    return FunctionDefinition.named(name)
        .fallible()
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) ->
                MathKernels.binary(arguments.get(0), arguments.get(1), MathKernels::power),
            DOUBLE,
            DOUBLE)
        .build();
  }

  private static FunctionDefinition atan2() {
    return FunctionDefinition.named("atan2")
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) ->
                MathKernels.binary(arguments.get(0), arguments.get(1), Math::atan2),
            DOUBLE,
            DOUBLE)
        .build();
  }

  private static FunctionDefinition pi() {
    return FunctionDefinition.named("pi")
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) ->
                new LiteralExpr(Math.PI, DataType.DOUBLE).single().take(new int[rows], rows))
        .build();
  }

  private static FunctionDefinition random() {
    return FunctionDefinition.named("random")
        .volatility(Volatility.VOLATILE)
        .nulls(NullRule.NEVER_NULL)
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) -> {
              ThreadLocalRandom random = ThreadLocalRandom.current();
              double[] values = new double[rows];
              for (int i = 0; i < rows; i++) {
                values[i] = random.nextDouble();
              }
              return new DoubleColumn(DataType.DOUBLE, values, null);
            })
        .build();
  }

  private static FunctionDefinition increasing(String name, DoubleUnaryOperator operator) {
    return FunctionDefinition.named(name)
        .fallible()
        .order(Monotonicity.INCREASING)
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) -> doubles(arguments.get(0), operator),
            DOUBLE)
        .build();
  }

  private static FunctionDefinition of(String name, DoubleUnaryOperator operator) {
    return FunctionDefinition.named(name)
        .fallible()
        .overload(
            DataType.DOUBLE,
            (arguments, rows, type, context) -> doubles(arguments.get(0), operator),
            DOUBLE)
        .build();
  }

  private static Column doubles(Column column, DoubleUnaryOperator operator) {
    return MathKernels.unary(column, operator);
  }
}
