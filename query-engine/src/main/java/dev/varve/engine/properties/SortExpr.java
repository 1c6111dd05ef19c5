package dev.varve.engine.properties;

import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.ordering.SortOptions;

/** One key of an ordering. */
public record SortExpr(PhysicalExpr expr, SortOptions options) {
  @Override
  public String toString() {
    return expr + " " + options;
  }
}
