package dev.varve.engine.properties;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts of two inputs side by side. Rows without a match are extended by nulls: of that side
 * only the equality of its columns survives (all of them are null together); a computed expression
 * need not be null where its columns are, and nothing stays constant or free of nulls.
 */
final class JoinFacts {
  private JoinFacts() {}

  record Side(EquivalenceProperties facts, boolean mayBeMissing, boolean keepsOrder) {}

  static EquivalenceProperties join(Side left, Side right, Schema output) {
    int width = left.facts().schema().size();
    EquivalenceProperties known = add(EquivalenceProperties.of(output), left, 0);
    return add(known, right, width);
  }

  private static EquivalenceProperties add(EquivalenceProperties known, Side side, int offset) {
    EquivalenceProperties facts = side.facts();
    EquivalenceProperties more = known;
    for (List<PhysicalExpr> members : facts.classes().classes()) {
      PhysicalExpr first = null;
      for (PhysicalExpr member : members) {
        PhysicalExpr moved = moved(member, side.mayBeMissing(), offset, known.schema());
        if (moved != null && first != null) {
          more = more.withSame(first, moved);
        }
        first = first == null ? moved : first;
      }
    }
    if (!side.mayBeMissing()) {
      for (Map.Entry<PhysicalExpr, Constant> constant : facts.constants().entrySet()) {
        more = more.withConstant(Exprs.shift(constant.getKey(), offset), constant.getValue());
      }
      for (PhysicalExpr expr : facts.notNull()) {
        more = more.withNotNull(Exprs.shift(expr, offset));
      }
    }
    if (side.keepsOrder()) {
      for (LexOrdering ordering : facts.orderings()) {
        more = more.withOrdering(shift(ordering, offset));
      }
      for (LexOrdering ordering : facts.orderingsAcross()) {
        more = more.withOrderingAcross(shift(ordering, offset));
      }
    }
    return more;
  }

  private static @Nullable PhysicalExpr moved(
      PhysicalExpr member, boolean mayBeMissing, int offset, Schema output) {
    if (mayBeMissing) {
      return member instanceof ColumnExpr column
          ? ColumnExpr.of(output, column.index() + offset)
          : null;
    }
    return Exprs.shift(member, offset);
  }

  private static LexOrdering shift(LexOrdering ordering, int offset) {
    return new LexOrdering(
        ordering.keys().stream()
            .map(key -> new SortExpr(Exprs.shift(key.expr(), offset), key.options()))
            .toList());
  }
}
