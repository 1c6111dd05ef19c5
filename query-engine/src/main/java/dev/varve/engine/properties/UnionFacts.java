package dev.varve.engine.properties;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What every input of a union knows. A column with one value in each input is constant in each
 * output partition; across them only if all inputs know the same value.
 */
final class UnionFacts {
  private UnionFacts() {}

  static EquivalenceProperties union(List<EquivalenceProperties> inputs, Schema output) {
    EquivalenceProperties known = EquivalenceProperties.of(output);
    List<ColumnExpr> columns = EquivalenceProperties.columns(output);
    known = addEqual(known, inputs, columns);
    for (ColumnExpr column : columns) {
      if (inputs.stream().allMatch(input -> !input.canBeNull(at(input, column)))) {
        known = known.withNotNull(column);
      }
    }
    known = addConstants(known, inputs, columns);
    for (LexOrdering ordering : common(inputs)) {
      known = known.withOrdering(over(ordering, output));
    }
    return known;
  }

  private static EquivalenceProperties addEqual(
      EquivalenceProperties known, List<EquivalenceProperties> inputs, List<ColumnExpr> columns) {
    Map<List<PhysicalExpr>, ColumnExpr> firstOf = new LinkedHashMap<>();
    EquivalenceProperties more = known;
    for (ColumnExpr column : columns) {
      List<PhysicalExpr> representatives = new ArrayList<>();
      inputs.forEach(input -> representatives.add(input.normalize(at(input, column))));
      ColumnExpr first = firstOf.putIfAbsent(representatives, column);
      if (first != null) {
        more = more.withSame(first, column);
      }
    }
    return more;
  }

  private static EquivalenceProperties addConstants(
      EquivalenceProperties known, List<EquivalenceProperties> inputs, List<ColumnExpr> columns) {
    EquivalenceProperties more = known;
    for (ColumnExpr column : columns) {
      Set<Optional<Constant.Value>> values = new LinkedHashSet<>();
      inputs.forEach(input -> values.add(input.constantValue(at(input, column))));
      Optional<Constant.Value> only = values.iterator().next();
      if (values.size() == 1 && only.isPresent()) {
        more = more.withConstant(column, Constant.of(only.get().object()));
      } else if (inputs.stream().allMatch(input -> input.isConstant(at(input, column)))) {
        more = more.withConstant(column, Constant.perPartition());
      }
    }
    return more;
  }

  /** The longest beginnings of any input's orderings that all inputs have. */
  private static Set<LexOrdering> common(List<EquivalenceProperties> inputs) {
    Set<LexOrdering> found = new LinkedHashSet<>();
    for (EquivalenceProperties input : inputs) {
      for (LexOrdering ordering : input.orderings()) {
        int length = ordering.keys().size();
        for (EquivalenceProperties other : inputs) {
          // In the other input's columns: one may hold nulls that the other has not.
          length = Math.min(length, other.satisfiedPrefix(over(ordering, other.schema())));
        }
        if (length > 0) {
          found.add(new LexOrdering(ordering.keys().subList(0, length)));
        }
      }
    }
    return found;
  }

  private static ColumnExpr at(EquivalenceProperties input, ColumnExpr column) {
    return ColumnExpr.of(input.schema(), column.index());
  }

  private static LexOrdering over(LexOrdering ordering, Schema output) {
    return new LexOrdering(
        ordering.keys().stream()
            .map(key -> new SortExpr(over(key.expr(), output), key.options()))
            .toList());
  }

  private static PhysicalExpr over(PhysicalExpr expr, Schema output) {
    if (expr instanceof ColumnExpr column) {
      return ColumnExpr.of(output, column.index());
    }
    return expr.withChildren(expr.children().stream().map(child -> over(child, output)).toList());
  }
}
