package dev.varve.engine.properties;

import dev.varve.engine.expr.PhysicalExpr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The orderings of a stream in normal form, found by their leading key: what answers whether a
 * required order holds.
 *
 * <p>A requirement is checked key by key. A key holds if it is fixed, or if some ordering, its own
 * fixed keys skipped, goes on with a key that it follows. It is then fixed for the rest, which only
 * matters among rows that tie in it; and a subsequence of ordered rows is ordered, so every
 * ordering may help with every key.
 */
final class OrderingIndex {
  private final EquivalenceProperties properties;
  private final List<LexOrdering> normal = new ArrayList<>();
  private final Map<PhysicalExpr, List<SortExpr>> leading = new HashMap<>();

  OrderingIndex(EquivalenceProperties properties) {
    this.properties = properties;
    for (LexOrdering ordering : properties.orderings()) {
      Optional<LexOrdering> form = properties.normalize(ordering);
      if (form.isPresent() && !normal.contains(form.get())) {
        normal.add(form.get());
        SortExpr first = form.get().keys().get(0);
        leading.computeIfAbsent(first.expr(), e -> new ArrayList<>()).add(first);
      }
    }
  }

  int satisfiedPrefix(LexOrdering required) {
    List<SortExpr> keys = required.keys();
    if (keys.size() == 1 && isLeading(properties.normalize(keys.get(0)))) {
      return 1;
    }
    FixedExpressions fixed = properties.fixed(false);
    for (int i = 0; i < keys.size(); i++) {
      SortExpr key = keys.get(i);
      if (fixed.isFixed(key.expr())) {
        continue;
      }
      if (!isOrdered(key, fixed)) {
        return i;
      }
      fixed.pin(key.expr());
    }
    return keys.size();
  }

  private boolean isLeading(SortExpr key) {
    return leading.getOrDefault(key.expr(), List.of()).contains(key);
  }

  private boolean isOrdered(SortExpr required, FixedExpressions fixed) {
    OrderFollowing following = new OrderFollowing(properties.classes(), fixed);
    for (LexOrdering ordering : normal) {
      for (SortExpr key : ordering.keys()) {
        if (fixed.isFixed(key.expr())) {
          continue;
        }
        Optional<OrderFollowing.Direction> direction = following.of(required.expr(), key.expr());
        if (direction.isPresent() && agrees(required, key, direction.get().reversed())) {
          return true;
        }
        break;
      }
    }
    return false;
  }

  /**
   * A monotone function maps nulls to nulls, so their position must be the same, if there are any.
   */
  private boolean agrees(SortExpr required, SortExpr known, boolean reversed) {
    return required.options().descending() == (known.options().descending() != reversed)
        && (required.options().nullsFirst() == known.options().nullsFirst()
            || !properties.canBeNull(required.expr())
            || !properties.canBeNull(known.expr()));
  }
}
