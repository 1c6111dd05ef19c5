package dev.varve.engine.optimizer;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.ProjectionNode;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Follows orders from a node's output to its children. */
final class OrderThrough {
  private OrderThrough() {}

  /**
   * The order of child {@code index} that a wanted order of the node's output rests on; empty if
   * the node does not keep that child's order, or it cannot be told in the child's columns. A
   * child's main order stands in where the wanted one has no translation.
   */
  static Optional<LexOrdering> child(PhysicalPlan plan, int index, Optional<LexOrdering> wanted) {
    if (wanted.isEmpty() || !plan.maintainsInputOrder().get(index)) {
      return Optional.empty();
    }
    PhysicalPlan child = plan.children().get(index);
    return translate(plan, index, wanted.get())
        .filter(ordering -> child.properties().equivalences().satisfies(ordering))
        .or(() -> child.properties().outputOrdering());
  }

  private static Optional<LexOrdering> translate(
      PhysicalPlan plan, int index, LexOrdering ordering) {
    Optional<ProjectionNode> projection = plan.capability(ProjectionNode.class);
    if (projection.isPresent()) {
      return Optional.of(inlined(ordering, projection.get().expressions()));
    }
    PhysicalPlan child = plan.children().get(index);
    int width = 0;
    int offset = 0;
    for (int i = 0; i < plan.children().size(); i++) {
      offset += i < index ? plan.children().get(i).schema().size() : 0;
      width += plan.children().get(i).schema().size();
    }
    if (plan.schema().size() == width) {
      return window(ordering, offset, child);
    }
    return plan.schema().size() == child.schema().size()
        ? window(ordering, 0, child)
        : Optional.empty();
  }

  private static LexOrdering inlined(LexOrdering ordering, List<NamedExpr> expressions) {
    List<SortExpr> keys = new ArrayList<>();
    for (SortExpr key : ordering.keys()) {
      PhysicalExpr below =
          Exprs.transform(
              key.expr(),
              node ->
                  node instanceof ColumnExpr column
                      ? expressions.get(column.index()).expr()
                      : node);
      keys.add(new SortExpr(below, key.options()));
    }
    return new LexOrdering(keys);
  }

  private static Optional<LexOrdering> window(
      LexOrdering ordering, int offset, PhysicalPlan child) {
    List<SortExpr> keys = new ArrayList<>();
    for (SortExpr key : ordering.keys()) {
      boolean inside =
          Exprs.columns(key.expr()).stream()
              .allMatch(c -> c >= offset && c < offset + child.schema().size());
      if (!inside) {
        return Optional.empty();
      }
      keys.add(new SortExpr(Exprs.shift(key.expr(), -offset), key.options()));
    }
    return Optional.of(new LexOrdering(keys));
  }

  /**
   * Whether the rows are in an order that the query asked for, told by the columns or not: from a
   * sort, through nodes that only pass rows on. Such rows must not be dealt out again.
   */
  static boolean carriesSort(PhysicalPlan plan) {
    if (plan.capability(SortNode.class).isPresent()) {
      return true;
    }
    return plan.children().size() == 1
        && plan.maintainsInputOrder().get(0)
        && carriesSort(plan.children().get(0));
  }
}
