package dev.varve.engine.operator;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One aggregate of an {@link AggregateExec}. Arguments and filter are over the columns of the rows;
 * where states are merged they are not evaluated.
 */
public record AggregateExpr(
    AggregateFunction function,
    List<PhysicalExpr> arguments,
    Optional<PhysicalExpr> filter,
    String name) {
  public AggregateExpr {
    arguments = List.copyOf(arguments);
  }

  public Field resultField() {
    return Field.of(name, function.resultType(), function.resultNullable());
  }

  public List<Field> stateFields() {
    List<DataType> types = function.stateTypes();
    List<Field> fields = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      fields.add(Field.of(types.size() == 1 ? name : name + "[" + i + "]", types.get(i)));
    }
    return fields;
  }

  @Override
  public String toString() {
    String call =
        arguments.isEmpty()
            ? function.name() + "(*)"
            : arguments.stream()
                .map(PhysicalExpr::toString)
                .collect(Collectors.joining(", ", function.name() + "(", ")"));
    return filter.map(f -> call + " filter (where " + f + ")").orElse(call);
  }
}
