package dev.varve.engine.operator;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.List;

/** Conjunctions taken apart and put together. */
final class Predicates {
  private Predicates() {}

  static List<PhysicalExpr> conjuncts(PhysicalExpr predicate) {
    return List.of(predicate);
  }

  static PhysicalExpr conjunction(List<PhysicalExpr> conjuncts) {
    return conjuncts.get(0);
  }
}
