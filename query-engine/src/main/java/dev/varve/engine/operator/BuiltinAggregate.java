package dev.varve.engine.operator;

import dev.varve.engine.kernel.agg.BooleanAccumulator;
import dev.varve.engine.kernel.agg.CountAccumulator;
import dev.varve.engine.kernel.agg.ExactSumAccumulator;
import dev.varve.engine.kernel.agg.FloatSumAccumulator;
import dev.varve.engine.kernel.agg.GroupAccumulator;
import dev.varve.engine.kernel.agg.ValueAccumulator;
import dev.varve.engine.kernel.agg.VarianceAccumulator;
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
    return switch (kind) {
      case COUNT -> new CountAccumulator();
      case SUM_EXACT -> new ExactSumAccumulator(resultType, argumentTypes.get(0).scale(), false);
      case AVG_EXACT -> new ExactSumAccumulator(resultType, argumentTypes.get(0).scale(), true);
      case SUM_FLOAT -> new FloatSumAccumulator(resultType, false);
      case AVG_FLOAT -> new FloatSumAccumulator(resultType, true);
      case MIN -> new ValueAccumulator(resultType, ValueAccumulator.Choice.LEAST);
      case MAX -> new ValueAccumulator(resultType, ValueAccumulator.Choice.GREATEST);
      case ANY_VALUE -> new ValueAccumulator(resultType, ValueAccumulator.Choice.FIRST);
      case SINGLE_VALUE -> new ValueAccumulator(resultType, ValueAccumulator.Choice.ONLY);
      case BOOL_AND -> new BooleanAccumulator(true);
      case BOOL_OR -> new BooleanAccumulator(false);
      case STDDEV_SAMP -> new VarianceAccumulator(true, true);
      case STDDEV_POP -> new VarianceAccumulator(false, true);
      case VAR_SAMP -> new VarianceAccumulator(true, false);
      case VAR_POP -> new VarianceAccumulator(false, false);
    };
  }
}
