package dev.varve.engine.properties;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The expressions that do not change within some group of rows: those that were pinned, what
 * strictly monotone ones pin in turn, and everything computed from them. Confined to one check.
 */
final class FixedExpressions {
  private final EquivalenceProperties facts;
  private final EquivalenceClasses classes;
  private final Set<PhysicalExpr> pinned = new LinkedHashSet<>();

  /** Guards against classes whose members are functions of one another. */
  private final Set<PhysicalExpr> visiting = new HashSet<>();

  FixedExpressions(EquivalenceProperties facts) {
    this.facts = facts;
    this.classes = facts.classes();
  }

  /**
   * From now on only rows with one value of {@code expr} are looked at. Equal results of a strictly
   * monotone function mean equal arguments, so those are pinned with it.
   */
  void pin(PhysicalExpr expr) {
    if (expr.volatility() == Volatility.VOLATILE || !pinned.add(classes.normalize(expr))) {
      return;
    }
    List<PhysicalExpr> found = new ArrayList<>();
    do {
      found.clear();
      for (PhysicalExpr known : pinned) {
        for (PhysicalExpr member : classes.members(known)) {
          List<PhysicalExpr> children = member.children();
          for (int i = 0; i < children.size(); i++) {
            if (isStrict(member, i)
                && !pinned.contains(classes.normalize(children.get(i)))
                && othersAreFixed(member, i)) {
              found.add(classes.normalize(children.get(i)));
            }
          }
        }
      }
    } while (pinned.addAll(found));
  }

  boolean isFixed(PhysicalExpr expr) {
    if (expr.volatility() == Volatility.VOLATILE) {
      return false;
    }
    PhysicalExpr normal = classes.normalize(expr);
    if (pinned.contains(normal) || isComputedFromFixed(expr)) {
      return true;
    }
    if (!visiting.add(normal)) {
      return false;
    }
    try {
      for (PhysicalExpr member : classes.members(normal)) {
        if (isComputedFromFixed(member)) {
          return true;
        }
      }
      return false;
    } finally {
      visiting.remove(normal);
    }
  }

  /**
   * Whether equal results mean equal arguments {@code index} where the others are fixed: not if one
   * of those may be null, for the result is null then, whatever the argument.
   */
  boolean isStrict(PhysicalExpr expr, int index) {
    if (!expr.monotonicity(index).isStrict()) {
      return false;
    }
    List<PhysicalExpr> children = expr.children();
    for (int i = 0; i < children.size(); i++) {
      if (i != index && facts.canBeNull(children.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether every argument but one is fixed. */
  boolean othersAreFixed(PhysicalExpr expr, int index) {
    List<PhysicalExpr> children = expr.children();
    for (int i = 0; i < children.size(); i++) {
      if (i != index && !isFixedArgument(expr, i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isComputedFromFixed(PhysicalExpr expr) {
    List<PhysicalExpr> children = expr.children();
    if (children.isEmpty()) {
      return !(expr instanceof ColumnExpr);
    }
    for (int i = 0; i < children.size(); i++) {
      if (!isFixedArgument(expr, i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A pinned floating column may still be 0.0 here and -0.0 there. Literals may not, and a monotone
   * function does not tell the two apart.
   */
  private boolean isFixedArgument(PhysicalExpr parent, int index) {
    PhysicalExpr child = parent.children().get(index);
    return isFixed(child)
        && (!child.type().isFloating()
            || (child.children().isEmpty() && !(child instanceof ColumnExpr))
            || parent.monotonicity(index) != Monotonicity.NONE);
  }
}
