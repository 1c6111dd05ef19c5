package dev.varve.engine.properties;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts of an input, told of a projection's output columns.
 *
 * <p>A column that the projection keeps, renamed or not, keeps its facts. Where a sort key itself
 * is gone, an output that is a monotone function of it takes its place; the keys after it stay only
 * behind a strictly monotone one, since rows that tie in the others may differ in the key.
 */
final class ProjectionFacts {
  private static final int MAX_ORDERINGS = 32;

  private final EquivalenceProperties input;
  private final Map<PhysicalExpr, ColumnExpr> outputOf = new LinkedHashMap<>();
  private final List<NamedExpr> projection;
  private final List<ColumnExpr> columns;

  private ProjectionFacts(EquivalenceProperties input, List<NamedExpr> projection, Schema output) {
    this.input = input;
    this.projection = projection;
    this.columns = EquivalenceProperties.columns(output);
    for (int i = 0; i < projection.size(); i++) {
      PhysicalExpr expr = projection.get(i).expr();
      if (expr.volatility() != Volatility.VOLATILE) {
        outputOf.putIfAbsent(input.normalize(expr), columns.get(i));
      }
    }
  }

  static EquivalenceProperties project(
      EquivalenceProperties input, List<NamedExpr> projection, Schema output) {
    ProjectionFacts facts = new ProjectionFacts(input, projection, output);
    EquivalenceProperties known =
        new EquivalenceProperties(
            output,
            input.classes().translate(facts::translate),
            Map.of(),
            Set.of(),
            List.of(),
            List.of());
    known = facts.addEqualOutputs(known);
    known = facts.addConstants(known);
    known = facts.addNotNull(known);
    for (LexOrdering ordering : facts.orderings()) {
      known = known.withOrdering(ordering);
    }
    return known;
  }

  /** The expression over the output columns; null if they do not hold it. */
  private @Nullable PhysicalExpr translate(PhysicalExpr expr) {
    ColumnExpr column = outputOf.get(input.normalize(expr));
    if (column != null) {
      return column;
    }
    return translateArguments(expr);
  }

  private @Nullable PhysicalExpr translateArguments(PhysicalExpr expr) {
    if (expr instanceof ColumnExpr || expr.volatility() == Volatility.VOLATILE) {
      return null;
    }
    List<PhysicalExpr> children = new ArrayList<>(expr.children().size());
    for (PhysicalExpr child : expr.children()) {
      PhysicalExpr moved = child.type().isFloating() ? translateFloating(child) : translate(child);
      if (moved == null) {
        return null;
      }
      children.add(moved);
    }
    return expr.withChildren(children);
  }

  /** Only by the very same expression: an equal one may have the other zero. */
  private @Nullable PhysicalExpr translateFloating(PhysicalExpr expr) {
    for (int i = 0; i < projection.size(); i++) {
      if (projection.get(i).expr().equals(expr) && expr.volatility() != Volatility.VOLATILE) {
        return columns.get(i);
      }
    }
    return translateArguments(expr);
  }

  /** Outputs of one expression are the same, and a computed one is what it is computed of. */
  private EquivalenceProperties addEqualOutputs(EquivalenceProperties known) {
    EquivalenceProperties more = known;
    for (int i = 0; i < projection.size(); i++) {
      PhysicalExpr expr = projection.get(i).expr();
      if (expr.volatility() == Volatility.VOLATILE || expr instanceof LiteralExpr) {
        continue;
      }
      ColumnExpr first = outputOf.get(input.normalize(expr));
      if (first != null) {
        more = more.withSame(first, columns.get(i));
      }
      PhysicalExpr computed = translateArguments(expr);
      if (computed != null) {
        more = more.withSame(columns.get(i), computed);
      }
    }
    return more;
  }

  private EquivalenceProperties addConstants(EquivalenceProperties known) {
    EquivalenceProperties more = known;
    FixedExpressions within = input.fixed(false);
    FixedExpressions across = input.fixed(true);
    for (int i = 0; i < projection.size(); i++) {
      PhysicalExpr expr = projection.get(i).expr();
      Optional<Constant.Value> value = input.constantValue(expr);
      if (value.isPresent()) {
        more = more.withConstant(columns.get(i), Constant.of(value.get().object()));
      } else if (across.isFixed(expr)) {
        more = more.withConstant(columns.get(i), Constant.across());
      } else if (within.isFixed(expr)) {
        more = more.withConstant(columns.get(i), Constant.perPartition());
      }
    }
    for (Map.Entry<PhysicalExpr, Constant> constant : input.constants().entrySet()) {
      PhysicalExpr moved = translate(constant.getKey());
      if (moved != null) {
        more = more.withConstant(moved, constant.getValue());
      }
    }
    return more;
  }

  private EquivalenceProperties addNotNull(EquivalenceProperties known) {
    EquivalenceProperties more = known;
    for (int i = 0; i < projection.size(); i++) {
      if (!input.canBeNull(projection.get(i).expr())) {
        more = more.withNotNull(columns.get(i));
      }
    }
    for (PhysicalExpr expr : input.notNull()) {
      PhysicalExpr moved = translate(expr);
      if (moved != null) {
        more = more.withNotNull(moved);
      }
    }
    return more;
  }

  private Set<LexOrdering> orderings() {
    Set<LexOrdering> found = new LinkedHashSet<>();
    for (LexOrdering ordering : input.orderings()) {
      input.normalize(ordering).ifPresent(o -> extend(List.of(), o.keys(), 0, found));
    }
    return found;
  }

  /** Adds {@code prefix} followed by what the outputs hold of the keys from {@code next} on. */
  private void extend(
      List<SortExpr> prefix, List<SortExpr> keys, int next, Set<LexOrdering> found) {
    if (found.size() >= MAX_ORDERINGS) {
      return;
    }
    if (next == keys.size()) {
      add(prefix, found);
      return;
    }
    SortExpr key = keys.get(next);
    FixedExpressions fixed = input.fixed(false);
    keys.subList(0, next).forEach(earlier -> fixed.pin(earlier.expr()));
    boolean goesOn = false;
    PhysicalExpr same = translate(key.expr());
    if (same != null) {
      // What else follows this key follows it in the output too: the classes say so.
      extend(append(prefix, new SortExpr(same, key.options())), keys, next + 1, found);
      goesOn = true;
    }
    OrderFollowing following = new OrderFollowing(input.classes(), fixed);
    for (int i = 0; i < projection.size(); i++) {
      PhysicalExpr expr = projection.get(i).expr();
      if (fixed.isFixed(expr)) {
        continue;
      }
      Optional<OrderFollowing.Direction> direction = following.of(expr, key.expr());
      if (direction.isEmpty()) {
        continue;
      }
      SortOptions options = turned(key.options(), direction.get().reversed());
      List<SortExpr> longer = append(prefix, new SortExpr(columns.get(i), options));
      if (!direction.get().strict()) {
        add(longer, found);
        goesOn = true;
      } else if (same == null) {
        extend(longer, keys, next + 1, found);
        goesOn = true;
      }
    }
    if (!goesOn) {
      add(prefix, found);
    }
  }

  private static SortOptions turned(SortOptions options, boolean reversed) {
    return reversed ? new SortOptions(!options.descending(), options.nullsFirst()) : options;
  }

  private static List<SortExpr> append(List<SortExpr> prefix, SortExpr key) {
    List<SortExpr> longer = new ArrayList<>(prefix);
    longer.add(key);
    return longer;
  }

  private static void add(List<SortExpr> keys, Set<LexOrdering> found) {
    if (!keys.isEmpty()) {
      found.add(new LexOrdering(keys));
    }
  }
}
