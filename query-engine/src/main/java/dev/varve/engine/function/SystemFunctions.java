package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.batch.Values;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.BytesBuilder;
import dev.varve.engine.kernel.Choosing;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Functions of the session, of types, and of values of any type. */
final class SystemFunctions {
  private static final String VERSION = "Varve 0.1, PostgreSQL compatible";

  private SystemFunctions() {}

  static List<FunctionDefinition> all() {
    List<FunctionDefinition> all = new ArrayList<>();
    for (String name : List.of("current_user", "session_user", "user")) {
      all.add(session(name, EvalContext::user));
    }
    for (String name : List.of("current_catalog", "current_database")) {
      all.add(session(name, EvalContext::catalog));
    }
    all.add(session("current_schema", EvalContext::schema));
    all.add(session("version", context -> VERSION));
    for (String name : List.of("pg_typeof", "typeof")) {
      all.add(typeName(name));
    }
    for (String name : List.of("gen_random_uuid", "uuid")) {
      all.add(randomUuid(name));
    }
    all.add(single());
    all.add(extreme("greatest", ComparisonOp.GT));
    all.add(extreme("least", ComparisonOp.LT));
    return all;
  }

  private static FunctionDefinition session(String name, Function<EvalContext, String> value) {
    return FunctionDefinition.named(name)
        .volatility(Volatility.STABLE)
        .nulls(NullRule.NEVER_NULL)
        .overload(
            DataType.VARCHAR,
            (arguments, rows, type, context) ->
                new ConstantColumn(
                    new LiteralExpr(value.apply(context), DataType.VARCHAR).single(), rows))
        .build();
  }

  private static FunctionDefinition typeName(String name) {
    return FunctionDefinition.named(name)
        .nulls(NullRule.NEVER_NULL)
        .overload(
            (arguments, constants) ->
                arguments.size() == 1
                    ? new Resolution(
                        arguments,
                        DataType.VARCHAR,
                        (values, type) -> new LiteralExpr(arguments.get(0).toString(), type),
                        0)
                    : null,
            name + "(any)")
        .build();
  }

  private static FunctionDefinition randomUuid(String name) {
    return FunctionDefinition.named(name)
        .volatility(Volatility.VOLATILE)
        .nulls(NullRule.NEVER_NULL)
        .overload(
            DataType.UUID,
            (arguments, rows, type, context) -> {
              BytesBuilder out = new BytesBuilder(rows, 16);
              for (int i = 0; i < rows; i++) {
                out.append(Values.uuidBytes(UUID.randomUUID()), 0, 16);
                out.endRow();
              }
              return out.build(DataType.UUID, null);
            })
        .build();
  }

  /**
   * (rows, value): the value of a scalar sub-query that has so many rows. Volatile, so that it is
   * never asked about groups that no row looks at.
   */
  private static FunctionDefinition single() {
    return FunctionDefinition.named("subquery$single")
        .volatility(Volatility.VOLATILE)
        .nulls(NullRule.ANY_NULL)
        .fallible()
        .overload(
            types -> types.get(1),
            (arguments, rows, type, context) -> {
              LongColumn counts = (LongColumn) arguments.get(0).flat();
              for (int i = 0; i < rows; i++) {
                if (!counts.isNull(i) && counts.get(i) > 1) {
                  throw new VarveException(
                      ErrorCode.CARDINALITY_VIOLATION,
                      "more than one row returned by a subquery used as an expression: "
                          + counts.get(i));
                }
              }
              return arguments.get(1);
            },
            TypeKind.BIGINT,
            FunctionDefinition.ANY)
        .build();
  }

  /** The greatest or least argument that is not null. */
  private static FunctionDefinition extreme(String name, ComparisonOp better) {
    return FunctionDefinition.named(name)
        .nulls(NullRule.ALL_NULL)
        .commonType(
            (arguments, rows, type, context) -> {
              Column best = arguments.get(0);
              for (int i = 1; i < arguments.size(); i++) {
                best = Choosing.better(best, arguments.get(i), better);
              }
              return best;
            })
        .build();
  }
}
