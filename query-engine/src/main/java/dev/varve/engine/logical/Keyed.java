package dev.varve.engine.logical;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.tools.RelBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A query whose every condition about the outer row is an equality: it can be grouped by its own
 * side of them, and each outer row finds its group by the other.
 *
 * @param rel the keys, then the query's columns, for all outer rows
 * @param columns where in rel the query's columns are
 * @param outer over the outer variables
 */
record Keyed(
    RelNode rel,
    List<RexNode> inner,
    List<RexNode> outer,
    List<SqlOperator> operators,
    List<Integer> columns) {

  static @Nullable Keyed of(RelNode query, Set<CorrelationId> variables) {
    Peeled peeled = Peeled.of(query, variables, false);
    if (!peeled.isFree(variables)
        || peeled.columns().stream().anyMatch(c -> OuterReferences.any(c, variables))) {
      return null;
    }
    List<RexNode> inner = new ArrayList<>();
    List<RexNode> outer = new ArrayList<>();
    List<SqlOperator> operators = new ArrayList<>();
    for (RexNode condition : peeled.lifted()) {
      if (condition.getKind() != SqlKind.EQUALS
          && condition.getKind() != SqlKind.IS_NOT_DISTINCT_FROM) {
        return null;
      }
      RexCall equality = (RexCall) condition;
      RexNode first = equality.getOperands().get(0);
      RexNode second = equality.getOperands().get(1);
      if (isOuter(first, variables) && !OuterReferences.any(second, variables)) {
        outer.add(first);
        inner.add(second);
      } else if (isOuter(second, variables) && !OuterReferences.any(first, variables)) {
        outer.add(second);
        inner.add(first);
      } else {
        return null;
      }
      operators.add(equality.getOperator());
    }
    RelBuilder builder = AlgebraConverter.builder(query.getCluster()).push(peeled.core());
    List<RexNode> all = new ArrayList<>(inner);
    List<Integer> columns = new ArrayList<>();
    for (RexNode column : peeled.columns()) {
      columns.add(all.size());
      all.add(column);
    }
    RelNode rel = builder.project(all, ImmutableList.of(), true).build();
    return new Keyed(rel, inner, outer, operators, columns);
  }

  private static boolean isOuter(RexNode expression, Set<CorrelationId> variables) {
    return OuterReferences.any(expression, variables)
        && RelOptUtil.InputFinder.bits(expression).isEmpty();
  }
}
