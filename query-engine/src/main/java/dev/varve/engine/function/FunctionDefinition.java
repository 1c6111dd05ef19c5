package dev.varve.engine.function;

import dev.varve.engine.expr.FunctionExpr;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A function's name and its overloads. Immutable. */
public final class FunctionDefinition {
  /** Stands for any type in a parameter list. */
  static final TypeKind ANY = TypeKind.NULL;

  private final String name;
  private final Volatility volatility;
  private final NullRule nulls;
  private final List<Overload> overloads;
  private final List<String> signatures;

  private FunctionDefinition(Builder builder) {
    this.name = builder.name;
    this.volatility = builder.volatility;
    this.nulls = builder.nulls;
    this.overloads = List.copyOf(builder.overloads);
    this.signatures = List.copyOf(builder.signatures);
  }

  /** Lower case. */
  public String name() {
    return name;
  }

  public Volatility volatility() {
    return volatility;
  }

  public NullRule nulls() {
    return nulls;
  }

  /** One text for each overload, for messages: {@code left(varchar, integer)}. */
  public List<String> signatures() {
    return signatures;
  }

  /** The nearest overload for these arguments; null if there is none. */
  public @Nullable Resolution resolve(List<DataType> arguments) {
    return resolve(arguments, Overload.Constants.NONE);
  }

  /** {@link #resolve(List)} where some arguments are constants. */
  public @Nullable Resolution resolve(List<DataType> arguments, Overload.Constants constants) {
    Resolution best = null;
    for (Overload overload : overloads) {
      Resolution candidate = overload.resolve(arguments, constants);
      if (candidate != null && (best == null || candidate.cost() < best.cost())) {
        best = candidate;
      }
    }
    return best;
  }

  static Builder named(String name) {
    return new Builder(name);
  }

  /** Collects overloads; properties that are set hold for the overloads after them. */
  static final class Builder {
    private final String name;
    private Volatility volatility = Volatility.IMMUTABLE;
    private NullRule nulls = NullRule.STRICT;
    private boolean fallible;
    private BuiltinFunction.Order order = BuiltinFunction.Order.NONE;
    private final List<Overload> overloads = new ArrayList<>();
    private final List<String> signatures = new ArrayList<>();

    private Builder(String name) {
      this.name = name;
    }

    Builder volatility(Volatility value) {
      volatility = value;
      return this;
    }

    Builder nulls(NullRule value) {
      nulls = value;
      return this;
    }

    Builder fallible() {
      fallible = true;
      return this;
    }

    Builder order(BuiltinFunction.Order value) {
      order = value;
      return this;
    }

    Builder order(Monotonicity value) {
      order = BuiltinFunction.Order.always(value);
      return this;
    }

    Builder overload(DataType result, BuiltinFunction.Body body, TypeKind... parameters) {
      return overload(types -> result, body, parameters);
    }

    Builder overload(
        Function<List<DataType>, DataType> result,
        BuiltinFunction.Body body,
        TypeKind... parameters) {
      return add(result, function(body), false, List.of(parameters));
    }

    /** The last parameter may be given any number of times, at least once. */
    Builder variadic(DataType result, BuiltinFunction.Body body, TypeKind... parameters) {
      return add(types -> result, function(body), true, List.of(parameters));
    }

    /** All arguments are converted to their common type, which is the result's too. */
    Builder commonType(BuiltinFunction.Body body) {
      Resolution.Maker maker = function(body);
      signatures.add(name + "(any, ...)");
      overloads.add(
          (arguments, constants) -> {
            DataType common = arguments.isEmpty() ? null : Conversions.common(arguments);
            if (common == null) {
              return null;
            }
            DataType type = common.kind() == TypeKind.NULL ? DataType.VARCHAR : common;
            return new Resolution(
                arguments.stream().map(argument -> type).toList(), type, maker, 0);
          });
      return this;
    }

    Builder overload(Overload overload, String signature) {
      overloads.add(overload);
      signatures.add(signature);
      return this;
    }

    private Resolution.Maker function(BuiltinFunction.Body body) {
      BuiltinFunction function =
          new BuiltinFunction(name, volatility, nulls, fallible, order, body);
      return (arguments, type) -> new FunctionExpr(function, arguments, type);
    }

    Builder add(
        Function<List<DataType>, DataType> result,
        Resolution.Maker maker,
        boolean variadic,
        List<TypeKind> parameters) {
      signatures.add(signature(parameters, variadic));
      overloads.add(
          (arguments, constants) -> {
            boolean fits =
                variadic
                    ? arguments.size() >= parameters.size()
                    : arguments.size() == parameters.size();
            if (!fits) {
              return null;
            }
            int cost = 0;
            List<DataType> converted = new ArrayList<>(arguments.size());
            for (int i = 0; i < arguments.size(); i++) {
              TypeKind parameter = parameters.get(Math.min(i, parameters.size() - 1));
              DataType argument = arguments.get(i);
              if (parameter == ANY) {
                converted.add(argument.kind() == TypeKind.NULL ? DataType.VARCHAR : argument);
                continue;
              }
              int step = Conversions.cost(argument, parameter);
              if (step < 0) {
                return null;
              }
              cost += step;
              converted.add(Conversions.converted(argument, parameter));
            }
            return new Resolution(converted, result.apply(converted), maker, cost);
          });
      return this;
    }

    private String signature(List<TypeKind> parameters, boolean variadic) {
      List<String> names = new ArrayList<>();
      for (TypeKind parameter : parameters) {
        names.add(
            parameter == ANY
                ? "any"
                : parameter == TypeKind.DECIMAL
                    ? "decimal"
                    : Conversions.simple(parameter).toString());
      }
      return name + "(" + String.join(", ", names) + (variadic ? ", ...)" : ")");
    }

    FunctionDefinition build() {
      return new FunctionDefinition(this);
    }
  }
}
