package dev.varve.engine.logical;

import dev.varve.engine.sql.CalciteTypes;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.jspecify.annotations.Nullable;

/** The types that a query gives its parameters. */
final class ParameterTypes {
  private ParameterTypes() {}

  /** In their order; NULL for a number that the query does not use. */
  static List<DataType> in(RelNode plan) {
    TreeMap<Integer, DataType> found = new TreeMap<>();
    collect(plan, found);
    List<DataType> types = new ArrayList<>();
    int count = found.isEmpty() ? 0 : found.lastKey() + 1;
    for (int i = 0; i < count; i++) {
      types.add(found.getOrDefault(i, DataType.NULL));
    }
    return types;
  }

  private static void collect(RelNode plan, TreeMap<Integer, DataType> found) {
    RexShuttle collector =
        new RexShuttle() {
          @Override
          public RexNode visitDynamicParam(RexDynamicParam parameter) {
            found.putIfAbsent(parameter.getIndex(), CalciteTypes.dataType(parameter.getType()));
            return parameter;
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            collect(subQuery.rel, found);
            return super.visitSubQuery(subQuery);
          }
        };
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        node.accept(collector);
        super.visit(node, ordinal, parent);
      }
    }.go(plan);
  }
}
