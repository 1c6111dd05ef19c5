package dev.varve.engine.properties;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LikeExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;

/** What is true of every row for which a predicate is true. */
final class FilterFacts {
  private FilterFacts() {}

  static EquivalenceProperties add(EquivalenceProperties facts, PhysicalExpr predicate) {
    EquivalenceProperties more = facts;
    for (PhysicalExpr term : Exprs.splitConjuncts(predicate)) {
      if (term.volatility() != Volatility.VOLATILE) {
        more = addTerm(more, term);
      }
    }
    return more;
  }

  private static EquivalenceProperties addTerm(EquivalenceProperties facts, PhysicalExpr term) {
    return switch (term) {
      case ComparisonExpr(ComparisonOp op, PhysicalExpr left, PhysicalExpr right) ->
          compared(facts, op, left, right);
      case IsNullExpr(PhysicalExpr child, boolean negated) ->
          negated ? facts.withNotNull(child) : facts.withNull(child);
      case ColumnExpr column when column.type().equals(DataType.BOOLEAN) ->
          facts.withConstant(column, true, true);
      case NotExpr not when not.child() instanceof ColumnExpr column ->
          facts.withConstant(column, true, false);
      case InListExpr in -> facts.withNotNull(in.children().get(0));
      case LikeExpr like -> facts.withNotNull(like.children().get(0));
      default -> facts;
    };
  }

  private static EquivalenceProperties compared(
      EquivalenceProperties facts, ComparisonOp op, PhysicalExpr left, PhysicalExpr right) {
    return switch (op) {
      case EQ -> equal(facts.withNotNull(left).withNotNull(right), left, right);
      case IS_NOT_DISTINCT -> equal(facts, left, right);
      case NE, LT, LE, GT, GE -> facts.withNotNull(left).withNotNull(right);
      case IS_DISTINCT -> facts;
    };
  }

  private static EquivalenceProperties equal(
      EquivalenceProperties facts, PhysicalExpr left, PhysicalExpr right) {
    if (isFree(right)) {
      return isFree(left) ? facts : constant(facts, left, right);
    }
    return isFree(left) ? constant(facts, right, left) : facts.withSame(left, right);
  }

  private static EquivalenceProperties constant(
      EquivalenceProperties facts, PhysicalExpr expr, PhysicalExpr value) {
    return facts.withConstant(
        expr,
        value instanceof LiteralExpr literal && literal.type().equals(expr.type())
            ? Constant.of(literal.value())
            : Constant.across());
  }

  /** Whether it has no columns, so that it is the same for all rows. */
  private static boolean isFree(PhysicalExpr expr) {
    return Exprs.columns(expr).isEmpty();
  }
}
