package dev.varve.service.client;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Some rows of a query's result.
 *
 * @param columns null until they are known
 * @param rows arrays of values
 * @param nextToken of the next page, -1 after the last
 */
public record ResultPage(
    String state,
    @Nullable String statement,
    @Nullable List<ResultColumn> columns,
    List<JsonNode> rows,
    JsonNode progress,
    long nextToken) {

  /** A column by name and type, as the service writes the type. */
  public record ResultColumn(String name, String type) {
    public boolean isNumber() {
      return switch (type) {
        case "smallint", "integer", "bigint", "real", "double precision" -> true;
        default -> type.startsWith("decimal");
      };
    }

    public boolean isTimestamp() {
      return type.startsWith("timestamp");
    }
  }
}
