package dev.varve.engine.operator;

import dev.varve.engine.kernel.agg.GroupAccumulator;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * An aggregate function bound to the types of its arguments. Immutable, with structural equality.
 * Its state can be cut into columns, moved and merged, which is what aggregation in two phases
 * rests on.
 */
public interface AggregateFunction {
  String name();

  List<DataType> argumentTypes();

  DataType resultType();

  /** Whether a group can have no result; without rows all but counts have none. */
  boolean resultNullable();

  List<DataType> stateTypes();

  /** New, empty states. */
  GroupAccumulator accumulator();
}
