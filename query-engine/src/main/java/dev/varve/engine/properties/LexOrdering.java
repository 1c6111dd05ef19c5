package dev.varve.engine.properties;

import java.util.List;
import java.util.stream.Collectors;

/** A lexicographic ordering; never empty. */
public record LexOrdering(List<SortExpr> keys) {
  public LexOrdering {
    keys = List.copyOf(keys);
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("an ordering has at least one key");
    }
  }

  public static LexOrdering of(SortExpr... keys) {
    return new LexOrdering(List.of(keys));
  }

  @Override
  public String toString() {
    return keys.stream().map(SortExpr::toString).collect(Collectors.joining(", ", "[", "]"));
  }
}
