package dev.varve.engine.expr;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/** Questions to and rewrites of expression trees. */
public final class Exprs {
  private Exprs() {}

  /** The terms of a conjunction, nested ones flattened; TRUE has none. */
  public static List<PhysicalExpr> splitConjuncts(PhysicalExpr predicate) {
    List<PhysicalExpr> terms = new ArrayList<>();
    collectConjuncts(predicate, terms);
    return terms;
  }

  private static void collectConjuncts(PhysicalExpr predicate, List<PhysicalExpr> terms) {
    if (predicate instanceof AndExpr and) {
      and.terms().forEach(term -> collectConjuncts(term, terms));
    } else if (!isTrue(predicate)) {
      terms.add(predicate);
    }
  }

  /** The conjunction of the terms; TRUE if there are none. */
  public static PhysicalExpr conjunction(List<PhysicalExpr> terms) {
    return switch (terms.size()) {
      case 0 -> LiteralExpr.of(true);
      case 1 -> terms.get(0);
      default -> new AndExpr(terms);
    };
  }

  /** The disjunction of the terms; FALSE if there are none. */
  public static PhysicalExpr disjunction(List<PhysicalExpr> terms) {
    return switch (terms.size()) {
      case 0 -> LiteralExpr.of(false);
      case 1 -> terms.get(0);
      default -> new OrExpr(terms);
    };
  }

  public static boolean isTrue(PhysicalExpr expr) {
    return expr instanceof LiteralExpr literal && Boolean.TRUE.equals(literal.value());
  }

  /** Bottom-up rewrite; untouched subtrees stay the same instances. */
  public static PhysicalExpr transform(PhysicalExpr expr, UnaryOperator<PhysicalExpr> rewrite) {
    List<PhysicalExpr> children = expr.children();
    if (children.isEmpty()) {
      return rewrite.apply(expr);
    }
    List<PhysicalExpr> changed = new ArrayList<>(children.size());
    for (PhysicalExpr child : children) {
      changed.add(transform(child, rewrite));
    }
    return rewrite.apply(expr.withChildren(changed));
  }

  /**
   * The expression over other column positions: {@code mapping[old]} is the new one. A column that
   * is mapped to -1 must not occur.
   */
  public static PhysicalExpr remap(PhysicalExpr expr, int[] mapping) {
    return transform(
        expr,
        node -> {
          if (!(node instanceof ColumnExpr column)) {
            return node;
          }
          int target = mapping[column.index()];
          if (target < 0) {
            throw new IllegalStateException("column " + column + " is not there any more");
          }
          return target == column.index()
              ? column
              : new ColumnExpr(target, column.name(), column.type(), column.nullable());
        });
  }

  /** The expression with every column moved {@code by} positions to the right. */
  public static PhysicalExpr shift(PhysicalExpr expr, int by) {
    return by == 0
        ? expr
        : transform(
            expr,
            node ->
                node instanceof ColumnExpr column
                    ? new ColumnExpr(
                        column.index() + by, column.name(), column.type(), column.nullable())
                    : node);
  }

  /** The positions of the columns that occur. */
  public static BitSet columns(PhysicalExpr expr) {
    BitSet found = new BitSet();
    collectColumns(expr, found);
    return found;
  }

  public static void collectColumns(PhysicalExpr expr, BitSet found) {
    if (expr instanceof ColumnExpr column) {
      found.set(column.index());
    }
    for (PhysicalExpr child : expr.children()) {
      collectColumns(child, found);
    }
  }

  static boolean anyNullable(List<PhysicalExpr> exprs) {
    for (PhysicalExpr expr : exprs) {
      if (expr.nullable()) {
        return true;
      }
    }
    return false;
  }

  /** Whether both lists hold the same instances. */
  static boolean same(List<PhysicalExpr> left, List<PhysicalExpr> right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (left.get(i) != right.get(i)) {
        return false;
      }
    }
    return true;
  }
}
