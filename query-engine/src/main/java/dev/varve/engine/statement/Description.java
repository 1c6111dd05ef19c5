package dev.varve.engine.statement;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;

/**
 * What can be said of a statement before it runs.
 *
 * @param schema a query's columns; empty for other statements
 * @param parameters the types of a query's parameters, in order
 */
public record Description(Optional<Schema> schema, List<DataType> parameters) {
  public Description {
    parameters = List.copyOf(parameters);
  }
}
