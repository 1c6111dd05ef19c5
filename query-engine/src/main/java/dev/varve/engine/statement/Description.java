package dev.varve.engine.statement;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;

/**
 * What can be said of a statement before it runs.
 *
 * @param schema the columns of what it answers; empty for statements that only change something
 * @param parameters the types of its parameters, in order
 */
public record Description(Optional<Schema> schema, List<DataType> parameters) {
  public Description {
    parameters = List.copyOf(parameters);
  }

  static Description ofUpdate(List<DataType> parameters) {
    return new Description(Optional.empty(), parameters);
  }
}
