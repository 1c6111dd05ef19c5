package dev.varve.engine.logical;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.jspecify.annotations.Nullable;

/**
 * Lets sub-queries beside a GROUP BY refer to its keys. Calcite makes one variable of all that such
 * a sub-query refers to, and moves only the first of them from the row before the grouping to the
 * row after it; the others would name whatever stands in their old place.
 */
final class GroupedReferences {
  private GroupedReferences() {}

  /** The plan with every reference to a row after a grouping at the place of its key. */
  static RelNode place(RelNode plan) {
    return plan.accept(
        new Everywhere() {
          @Override
          public RelNode visit(RelNode other) {
            RelNode node = super.visit(other);
            Aggregate aggregate = node.getVariablesSet().isEmpty() ? null : grouping(node);
            return aggregate == null
                ? node
                : new Moving(node.getVariablesSet(), node.getInput(0), aggregate).move(node);
          }
        });
  }

  private static @Nullable Aggregate grouping(RelNode node) {
    if (!(node instanceof Project || node instanceof Filter)) {
      return null;
    }
    RelNode input = node.getInput(0);
    while (input instanceof Filter filter) {
      input = filter.getInput();
    }
    return input instanceof Aggregate aggregate ? aggregate : null;
  }

  /** Visits the plans of sub-queries too. */
  private abstract static class Everywhere extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode other) {
      return super.visit(other).accept(expressions());
    }

    RexShuttle expressions() {
      return new SubQueryShuttle(this);
    }
  }

  private static class SubQueryShuttle extends RexShuttle {
    private final Everywhere plans;

    SubQueryShuttle(Everywhere plans) {
      this.plans = plans;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery changed = (RexSubQuery) super.visitSubQuery(subQuery);
      RelNode plan = changed.rel.accept(plans);
      return plan == changed.rel ? changed : changed.clone(plan);
    }
  }

  private static final class Moving extends Everywhere {
    private final Set<CorrelationId> rows;
    private final RelNode grouped;
    private final Aggregate aggregate;

    Moving(Set<CorrelationId> rows, RelNode grouped, Aggregate aggregate) {
      this.rows = rows;
      this.grouped = grouped;
      this.aggregate = aggregate;
    }

    /** Only the node's own expressions: what is below it is before the grouping. */
    RelNode move(RelNode node) {
      return node.accept(expressions());
    }

    @Override
    RexShuttle expressions() {
      return new SubQueryShuttle(this) {
        @Override
        public RexNode visitFieldAccess(RexFieldAccess access) {
          return OuterReferences.isOf(access, rows)
                  && !access.getReferenceExpr().getType().equals(grouped.getRowType())
              ? key(access)
              : super.visitFieldAccess(access);
        }
      };
    }

    private RexNode key(RexFieldAccess access) {
      RelDataType row = access.getReferenceExpr().getType();
      RelNode input = aggregate.getInput();
      int column = access.getField().getIndex();
      int place = 0;
      for (int key : aggregate.getGroupSet()) {
        boolean same =
            row.equals(input.getRowType())
                ? key == column
                : input instanceof Project project
                    && project.getProjects().get(key) instanceof RexInputRef ref
                    && ref.getIndex() == column;
        if (same) {
          RexBuilder rex = grouped.getCluster().getRexBuilder();
          RexCorrelVariable variable = (RexCorrelVariable) access.getReferenceExpr();
          return rex.makeFieldAccess(rex.makeCorrel(grouped.getRowType(), variable.id), place);
        }
        place++;
      }
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "a sub-query beside GROUP BY refers to '"
              + access.getField().getName()
              + "' in a way that is not supported");
    }
  }
}
