package dev.varve.engine.operator;

import dev.varve.engine.type.DataType;
import java.util.List;
import java.util.Locale;

/** One of the engine's own aggregates, bound to argument types. */
record BuiltinAggregate(
    Kind kind, List<DataType> argumentTypes, DataType resultType, List<DataType> stateTypes)
    implements AggregateFunction {
  BuiltinAggregate {
    argumentTypes = List.copyOf(argumentTypes);
    stateTypes = List.copyOf(stateTypes);
  }

  enum Kind {
    COUNT,
    SUM_EXACT,
    SUM_FLOAT,
    AVG_EXACT,
    AVG_FLOAT,
    MIN,
    MAX,
    BOOL_AND,
    BOOL_OR,
    ANY_VALUE,
    SINGLE_VALUE,
    STDDEV_SAMP,
    STDDEV_POP,
    VAR_SAMP,
    VAR_POP
  }

  @Override
  public String name() {
    return switch (kind) {
      case SUM_EXACT, SUM_FLOAT -> "sum";
      case AVG_EXACT, AVG_FLOAT -> "avg";
      default -> kind.name().toLowerCase(Locale.ROOT);
    };
  }

  @Override
  public boolean resultNullable() {
    return kind != Kind.COUNT;
  }

  @Override
  public GroupAccumulator accumulator() {
    throw new UnsupportedOperationException("not executable yet");
  }
}
