package dev.varve.engine.optimizer;

import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.ProjectionNode;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Moves projections below what need not see the columns they drop, folds them into one another and
 * into sources, and removes those that change nothing.
 *
 * <pre>{@code
 * ProjectionExec: [b]                         FilterExec: b > 3
 *   FilterExec: b > 3                  =>       DataSourceExec: projection=[b]
 *     DataSourceExec: projection=[a, b]
 * }</pre>
 *
 * Sound because each node decides for itself whether it gives the same rows then.
 */
final class PushProjections implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return PlanTransform.topDown(plan, PushProjections::push);
  }

  private static PhysicalPlan push(PhysicalPlan plan) {
    PhysicalPlan current = plan;
    while (true) {
      Optional<ProjectionNode> projection = current.capability(ProjectionNode.class);
      if (projection.isEmpty()) {
        return current;
      }
      PhysicalPlan child = current.children().get(0);
      if (changesNothing(projection.get().expressions(), child.schema())) {
        current = child;
        continue;
      }
      Optional<PhysicalPlan> swapped = child.trySwapWithProjection(projection.get().expressions());
      if (swapped.isEmpty()) {
        swapped = computeOverNarrowed(projection.get().expressions(), child);
      }
      if (swapped.isEmpty()) {
        return current;
      }
      requireSameColumns(current.schema(), swapped.get());
      current = swapped.get();
    }
  }

  /**
   * What computes stays, but the columns it does not look at go below: a projection over as few
   * columns as it uses, if the child can give just those.
   */
  private static Optional<PhysicalPlan> computeOverNarrowed(
      List<NamedExpr> expressions, PhysicalPlan child) {
    BitSet used = new BitSet();
    expressions.forEach(e -> Exprs.collectColumns(e.expr(), used));
    if (used.cardinality() == child.schema().size()) {
      return Optional.empty();
    }
    int[] mapping = new int[child.schema().size()];
    List<NamedExpr> narrow = new ArrayList<>();
    for (int column = used.nextSetBit(0); column >= 0; column = used.nextSetBit(column + 1)) {
      mapping[column] = narrow.size();
      ColumnExpr kept = ColumnExpr.of(child.schema(), column);
      narrow.add(new NamedExpr(kept, kept.name()));
    }
    return child
        .trySwapWithProjection(narrow)
        .map(
            narrowed ->
                new ProjectionExec(
                    narrowed,
                    expressions.stream()
                        .map(e -> new NamedExpr(Exprs.remap(e.expr(), mapping), e.name()))
                        .toList()));
  }

  private static boolean changesNothing(List<NamedExpr> expressions, Schema input) {
    if (expressions.size() != input.size()) {
      return false;
    }
    for (int i = 0; i < expressions.size(); i++) {
      if (!(expressions.get(i).expr() instanceof ColumnExpr column)
          || column.index() != i
          || !expressions.get(i).name().equals(input.field(i).name())) {
        return false;
      }
    }
    return true;
  }

  private static void requireSameColumns(Schema expected, PhysicalPlan actual) {
    List<Field> fields = actual.schema().fields();
    boolean same = fields.size() == expected.size();
    for (int i = 0; same && i < fields.size(); i++) {
      same =
          fields.get(i).name().equals(expected.field(i).name())
              && fields.get(i).type().equals(expected.type(i));
    }
    if (!same) {
      throw new IllegalStateException(
          actual.name() + " took a projection and gives " + actual.schema() + ", not " + expected);
    }
  }
}
