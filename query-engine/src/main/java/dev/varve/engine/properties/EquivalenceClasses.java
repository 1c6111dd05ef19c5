package dev.varve.engine.properties;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which expressions have the same value in every row, a null being the same as a null: a partition
 * of the expressions that are known to be equal to others. Immutable and deterministic: a class is
 * represented by its first column by position, or else by its first member; classes and members
 * keep the order in which they were added.
 */
final class EquivalenceClasses {
  static final EquivalenceClasses NONE = new EquivalenceClasses(List.of());

  private final List<List<PhysicalExpr>> classes;
  private final Map<PhysicalExpr, Integer> classOf;

  private EquivalenceClasses(List<List<PhysicalExpr>> classes) {
    this.classes = List.copyOf(classes);
    this.classOf = new LinkedHashMap<>();
    for (int i = 0; i < classes.size(); i++) {
      for (PhysicalExpr member : classes.get(i)) {
        classOf.put(member, i);
      }
    }
  }

  List<List<PhysicalExpr>> classes() {
    return classes;
  }

  boolean isEmpty() {
    return classes.isEmpty();
  }

  /** The classes of both expressions become one. Volatile expressions equal nothing. */
  EquivalenceClasses with(PhysicalExpr left, PhysicalExpr right) {
    Integer leftClass = classOf.get(left);
    Integer rightClass = classOf.get(right);
    if (left.equals(right)
        || !left.type().equals(right.type())
        || left.volatility() == Volatility.VOLATILE
        || right.volatility() == Volatility.VOLATILE
        || (leftClass != null && leftClass.equals(rightClass))) {
      return this;
    }
    List<PhysicalExpr> merged = new ArrayList<>(members(left));
    merged.addAll(members(right));
    List<List<PhysicalExpr>> changed = new ArrayList<>();
    boolean placed = false;
    for (int i = 0; i < classes.size(); i++) {
      boolean part =
          (leftClass != null && leftClass == i) || (rightClass != null && rightClass == i);
      if (part && !placed) {
        changed.add(merged);
        placed = true;
      } else if (!part) {
        changed.add(classes.get(i));
      }
    }
    if (!placed) {
      changed.add(merged);
    }
    return new EquivalenceClasses(changed);
  }

  /** All that is known to be equal to {@code expr}, itself included. */
  List<PhysicalExpr> members(PhysicalExpr expr) {
    Integer index = classOf.get(expr);
    return index == null ? List.of(expr) : classes.get(index);
  }

  /**
   * The representative of the expression's class, its arguments replaced by theirs first. Arguments
   * of a floating type stay: equal ones may differ in the sign of zero, which a function can tell
   * apart.
   */
  PhysicalExpr normalize(PhysicalExpr expr) {
    if (classes.isEmpty()) {
      return expr;
    }
    PhysicalExpr found = representative(expr);
    if (found != expr || expr.children().isEmpty()) {
      return found;
    }
    List<PhysicalExpr> children = new ArrayList<>(expr.children().size());
    boolean changed = false;
    for (PhysicalExpr child : expr.children()) {
      PhysicalExpr normal = child.type().isFloating() ? child : normalize(child);
      changed |= normal != child;
      children.add(normal);
    }
    return changed ? representative(expr.withChildren(children)) : expr;
  }

  private PhysicalExpr representative(PhysicalExpr expr) {
    Integer index = classOf.get(expr);
    if (index == null) {
      return expr;
    }
    List<PhysicalExpr> members = classes.get(index);
    PhysicalExpr best = members.get(0);
    for (PhysicalExpr member : members) {
      if (member instanceof ColumnExpr column
          && !(best instanceof ColumnExpr other && other.index() <= column.index())) {
        best = member;
      }
    }
    return best;
  }

  /** Each class over other columns; members that have no translation leave. */
  EquivalenceClasses translate(Function<PhysicalExpr, @Nullable PhysicalExpr> translation) {
    EquivalenceClasses translated = NONE;
    for (List<PhysicalExpr> members : classes) {
      PhysicalExpr first = null;
      for (PhysicalExpr member : members) {
        PhysicalExpr moved = translation.apply(member);
        if (moved != null && first != null) {
          translated = translated.with(first, moved);
        }
        first = first == null ? moved : first;
      }
    }
    return translated;
  }

  @Override
  public String toString() {
    return classes.toString();
  }
}
