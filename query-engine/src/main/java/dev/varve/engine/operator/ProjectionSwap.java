package dev.varve.engine.operator;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A projection of plain columns that stands on a node whose output columns are its input's: below
 * the node there are fewer columns to carry.
 */
final class ProjectionSwap {
  private final List<NamedExpr> projection;
  private final PhysicalPlan below;

  private ProjectionSwap(List<NamedExpr> projection, PhysicalPlan below) {
    this.projection = projection;
    this.below = below;
  }

  /** Empty unless the projection only drops or reorders columns, and drops some. */
  static Optional<ProjectionSwap> of(List<NamedExpr> projection, PhysicalPlan child) {
    if (projection.size() >= child.schema().size()
        || !projection.stream().allMatch(e -> e.expr() instanceof ColumnExpr)) {
      return Optional.empty();
    }
    return Optional.of(new ProjectionSwap(projection, new ProjectionExec(child, projection)));
  }

  PhysicalPlan below() {
    return below;
  }

  private Schema schema() {
    return below.schema();
  }

  /** An expression of the node over the projection's output; empty if a column was dropped. */
  Optional<PhysicalExpr> rewrite(PhysicalExpr expr) {
    return ColumnRewrite.replace(
        expr,
        column -> {
          for (int i = 0; i < projection.size(); i++) {
            if (projection.get(i).expr().equals(column)) {
              return ColumnExpr.of(schema(), i);
            }
          }
          return null;
        });
  }

  Optional<List<PhysicalExpr>> rewrite(List<PhysicalExpr> exprs) {
    List<PhysicalExpr> rewritten = new ArrayList<>(exprs.size());
    for (PhysicalExpr expr : exprs) {
      Optional<PhysicalExpr> one = rewrite(expr);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      rewritten.add(one.get());
    }
    return Optional.of(rewritten);
  }

  Optional<LexOrdering> rewrite(LexOrdering ordering) {
    return rewrite(ordering.keys().stream().map(SortExpr::expr).toList())
        .map(
            exprs -> {
              List<SortExpr> keys = new ArrayList<>(exprs.size());
              for (int i = 0; i < exprs.size(); i++) {
                keys.add(new SortExpr(exprs.get(i), ordering.keys().get(i).options()));
              }
              return new LexOrdering(keys);
            });
  }
}
