package dev.varve.engine.properties;

import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether rows that are in the order of one expression are in that of another: because the other is
 * a monotone function of it, or it a strictly monotone function of the other, all other arguments
 * being fixed. Confined to one check.
 */
final class OrderFollowing {

  /** How the other expression runs; strict: rows that tie in it tie in the first as well. */
  record Direction(boolean reversed, boolean strict) {
    static final Direction SAME = new Direction(false, true);

    private Direction then(Monotonicity step, boolean strictStep) {
      return new Direction(reversed != step.isDecreasing(), strict && strictStep);
    }
  }

  private final EquivalenceClasses classes;
  private final FixedExpressions fixed;
  private final Set<PhysicalExpr> visiting = new HashSet<>();

  OrderFollowing(EquivalenceClasses classes, FixedExpressions fixed) {
    this.classes = classes;
    this.fixed = fixed;
  }

  /** How {@code target} runs where rows are ordered by {@code base} ascending. */
  Optional<Direction> of(PhysicalExpr target, PhysicalExpr base) {
    PhysicalExpr normalBase = classes.normalize(base);
    visiting.clear();
    Optional<Direction> direct = above(classes.normalize(target), normalBase);
    return direct.isPresent() ? direct : below(target, normalBase, false, new HashSet<>());
  }

  /** {@code target} as a monotone function of {@code base}. */
  private Optional<Direction> above(PhysicalExpr target, PhysicalExpr base) {
    if (target.equals(base)) {
      return Optional.of(Direction.SAME);
    }
    if (!visiting.add(target)) {
      return Optional.empty();
    }
    Optional<Direction> best = Optional.empty();
    for (PhysicalExpr member : classes.members(target)) {
      List<PhysicalExpr> children = member.children();
      for (int i = 0; i < children.size(); i++) {
        Monotonicity step = member.monotonicity(i);
        if (step == Monotonicity.NONE || !fixed.othersAreFixed(member, i)) {
          continue;
        }
        boolean strict = fixed.isStrict(member, i);
        Optional<Direction> found =
            above(classes.normalize(children.get(i)), base).map(d -> d.then(step, strict));
        if (found.isPresent() && (best.isEmpty() || found.get().strict())) {
          best = found;
        }
      }
    }
    visiting.remove(target);
    return best;
  }

  /** {@code target} from what a strictly monotone {@code base} is computed of. */
  private Optional<Direction> below(
      PhysicalExpr target, PhysicalExpr base, boolean reversed, Set<PhysicalExpr> seen) {
    if (!seen.add(base)) {
      return Optional.empty();
    }
    for (PhysicalExpr member : classes.members(base)) {
      List<PhysicalExpr> children = member.children();
      for (int i = 0; i < children.size(); i++) {
        Monotonicity step = member.monotonicity(i);
        if (!fixed.isStrict(member, i) || !fixed.othersAreFixed(member, i)) {
          continue;
        }
        boolean turned = reversed != step.isDecreasing();
        PhysicalExpr child = classes.normalize(children.get(i));
        visiting.clear();
        Optional<Direction> found = above(classes.normalize(target), child);
        if (found.isPresent()) {
          return Optional.of(new Direction(found.get().reversed() != turned, found.get().strict()));
        }
        Optional<Direction> deeper = below(target, child, turned, seen);
        if (deeper.isPresent()) {
          return deeper;
        }
      }
    }
    return Optional.empty();
  }
}
