package dev.varve.engine.source;

import dev.varve.engine.config.Settings;
import java.util.List;

/**
 * What the planner wants of a table: the columns, by position in its schema, in the order wanted.
 */
public record ScanRequest(List<Integer> projection, Settings settings) {
  public ScanRequest {
    projection = List.copyOf(projection);
  }

  public int[] projectionArray() {
    return projection.stream().mapToInt(Integer::intValue).toArray();
  }
}
