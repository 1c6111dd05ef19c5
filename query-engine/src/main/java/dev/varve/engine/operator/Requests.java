package dev.varve.engine.operator;

import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.LexOrdering;
import java.util.List;

/** Answers to requests for an order from nodes that pass none on. */
final class Requests {
  private Requests() {}

  static SortPushdown answerFromOwnOrder(PhysicalPlan node, LexOrdering request) {
    return node.properties().equivalences().satisfies(request)
        ? new SortPushdown.Exact(node, List.of())
        : SortPushdown.UNSUPPORTED;
  }
}
