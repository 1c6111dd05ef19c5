package dev.varve.engine.logical;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.jspecify.annotations.Nullable;

/** How a sub-query refers to the columns of rows around it. */
final class OuterReferences {
  private OuterReferences() {}

  /** The columns of the outer rows that a plan uses, by their position in such a row. */
  static Map<Integer, RexFieldAccess> in(RelNode plan, Set<CorrelationId> rows) {
    Map<Integer, RexFieldAccess> found = new TreeMap<>();
    if (rows.isEmpty()) {
      return found;
    }
    RexShuttle collector = collector(rows, found);
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        node.accept(collector);
        super.visit(node, ordinal, parent);
      }
    }.go(plan);
    return found;
  }

  static boolean any(RelNode plan, Set<CorrelationId> rows) {
    return !in(plan, rows).isEmpty();
  }

  static boolean any(RexNode expression, Set<CorrelationId> rows) {
    Map<Integer, RexFieldAccess> found = new TreeMap<>();
    expression.accept(collector(rows, found));
    return !found.isEmpty();
  }

  /** Whether an expression refers to any row around its own plan. */
  static boolean anyAtAll(RexNode expression) {
    boolean[] found = new boolean[1];
    expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCorrelVariable(RexCorrelVariable variable) {
            found[0] = true;
            return variable;
          }
        });
    return found[0];
  }

  private static RexShuttle collector(Set<CorrelationId> rows, Map<Integer, RexFieldAccess> found) {
    return new RexShuttle() {
      @Override
      public RexNode visitFieldAccess(RexFieldAccess access) {
        if (isOf(access, rows)) {
          found.put(access.getField().getIndex(), access);
          return access;
        }
        return super.visitFieldAccess(access);
      }

      @Override
      public RexNode visitSubQuery(RexSubQuery subQuery) {
        found.putAll(in(subQuery.rel, rows));
        return super.visitSubQuery(subQuery);
      }
    };
  }

  /** The same expression with each reference to the outer rows replaced. */
  static RexNode bind(
      RexNode expression, Set<CorrelationId> rows, Function<RexFieldAccess, RexNode> value) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            return isOf(access, rows) ? value.apply(access) : super.visitFieldAccess(access);
          }
        });
  }

  static boolean isOf(RexNode node, Set<CorrelationId> rows) {
    return node instanceof RexFieldAccess access
        && access.getReferenceExpr() instanceof RexCorrelVariable variable
        && rows.contains(variable.id);
  }
}
