package dev.varve.engine.operator;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The aggregate functions by name and argument types, with PostgreSQL's result types. */
public final class AggregateFunctions {
  private static final Set<String> NAMES =
      Set.of(
          "count",
          "sum",
          "avg",
          "min",
          "max",
          "bool_and",
          "bool_or",
          "any_value",
          "single_value",
          "stddev_samp",
          "stddev_pop",
          "var_samp",
          "var_pop");

  private AggregateFunctions() {}

  /** The names, in lower case; {@code every}, {@code stddev} and {@code variance} are aliases. */
  public static Set<String> names() {
    return NAMES;
  }

  /**
   * The function of this name for arguments of these types; {@code count} without arguments counts
   * rows.
   *
   * @throws VarveException UNDEFINED_FUNCTION if there is none
   */
  public static AggregateFunction resolve(String name, List<DataType> arguments) {
    String canonical =
        switch (name.toLowerCase(Locale.ROOT)) {
          case "every" -> "bool_and";
          case "stddev" -> "stddev_samp";
          case "variance" -> "var_samp";
          case String other -> other;
        };
    if (canonical.equals("count") && arguments.size() <= 1) {
      return new BuiltinAggregate(
          BuiltinAggregate.Kind.COUNT, arguments, DataType.BIGINT, List.of(DataType.BIGINT));
    }
    if (NAMES.contains(canonical) && arguments.size() == 1) {
      BuiltinAggregate found = ofOne(canonical, arguments.get(0));
      if (found != null) {
        return found;
      }
    }
    throw new VarveException(
        ErrorCode.UNDEFINED_FUNCTION,
        "function "
            + canonical
            + arguments.stream().map(DataType::toString).collect(Collectors.joining(", ", "(", ")"))
            + " does not exist",
        null,
        NAMES.contains(canonical) ? "an explicit cast may help" : null,
        null);
  }

  private static @Nullable BuiltinAggregate ofOne(String name, DataType argument) {
    List<DataType> arguments = List.of(argument);
    return switch (name) {
      case "min" ->
          new BuiltinAggregate(BuiltinAggregate.Kind.MIN, arguments, argument, List.of(argument));
      case "max" ->
          new BuiltinAggregate(BuiltinAggregate.Kind.MAX, arguments, argument, List.of(argument));
      case "any_value" ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.ANY_VALUE, arguments, argument, List.of(argument));
      case "single_value" ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.SINGLE_VALUE,
              arguments,
              argument,
              List.of(argument, DataType.BIGINT));
      case "bool_and", "bool_or" ->
          switch (argument.kind()) {
            case BOOLEAN, NULL ->
                new BuiltinAggregate(
                    name.equals("bool_and")
                        ? BuiltinAggregate.Kind.BOOL_AND
                        : BuiltinAggregate.Kind.BOOL_OR,
                    arguments,
                    DataType.BOOLEAN,
                    List.of(DataType.BOOLEAN));
            default -> null;
          };
      case "sum" -> sum(argument, arguments);
      case "avg" -> average(argument, arguments);
      case "stddev_samp" -> deviation(BuiltinAggregate.Kind.STDDEV_SAMP, argument, arguments);
      case "stddev_pop" -> deviation(BuiltinAggregate.Kind.STDDEV_POP, argument, arguments);
      case "var_samp" -> deviation(BuiltinAggregate.Kind.VAR_SAMP, argument, arguments);
      case "var_pop" -> deviation(BuiltinAggregate.Kind.VAR_POP, argument, arguments);
      default -> null;
    };
  }

  /** Exact sums are kept in 192 bits: two columns of state, 128 bits and what overflowed them. */
  private static List<DataType> exactState(int scale) {
    return List.of(DataType.decimal(DataType.MAX_DECIMAL_PRECISION, scale), DataType.BIGINT);
  }

  private static @Nullable BuiltinAggregate sum(DataType argument, List<DataType> arguments) {
    return switch (argument.kind()) {
      case SMALLINT, INTEGER, NULL ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.SUM_EXACT, arguments, DataType.BIGINT, exactState(0));
      case BIGINT ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.SUM_EXACT,
              arguments,
              DataType.decimal(DataType.MAX_DECIMAL_PRECISION, 0),
              exactState(0));
      case INTERVAL_DAY, INTERVAL_MONTH ->
          new BuiltinAggregate(BuiltinAggregate.Kind.SUM_EXACT, arguments, argument, exactState(0));
      case DECIMAL ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.SUM_EXACT,
              arguments,
              DataType.decimal(DataType.MAX_DECIMAL_PRECISION, argument.scale()),
              exactState(argument.scale()));
      case REAL, DOUBLE ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.SUM_FLOAT,
              arguments,
              argument,
              List.of(DataType.DOUBLE, DataType.BIGINT));
      default -> null;
    };
  }

  private static @Nullable BuiltinAggregate average(DataType argument, List<DataType> arguments) {
    return switch (argument.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL, NULL ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.AVG_EXACT,
              arguments,
              argument.average(),
              List.of(
                  DataType.decimal(DataType.MAX_DECIMAL_PRECISION, argument.scale()),
                  DataType.BIGINT,
                  DataType.BIGINT));
      case REAL, DOUBLE ->
          new BuiltinAggregate(
              BuiltinAggregate.Kind.AVG_FLOAT,
              arguments,
              DataType.DOUBLE,
              List.of(DataType.DOUBLE, DataType.BIGINT));
      default -> null;
    };
  }

  private static @Nullable BuiltinAggregate deviation(
      BuiltinAggregate.Kind kind, DataType argument, List<DataType> arguments) {
    return argument.isNumeric()
        ? new BuiltinAggregate(
            kind,
            arguments,
            DataType.DOUBLE,
            List.of(DataType.BIGINT, DataType.DOUBLE, DataType.DOUBLE))
        : null;
  }
}
