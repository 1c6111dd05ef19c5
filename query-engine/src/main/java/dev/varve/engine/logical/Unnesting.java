package dev.varve.engine.logical;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;

/**
 * Sub-queries and lateral joins to joins, the innermost first: while a sub-query is removed, what
 * it says about rows further out stays in it as it is, and goes when those rows' turn comes. So any
 * depth needs no more than the step from one query to the sub-query in it, which {@link OuterRows}
 * makes.
 */
final class Unnesting {
  private Unnesting() {}

  /** A plan of the same rows in which no node refers to its own row from a sub-query. */
  static RelNode eliminate(RelNode node) {
    RelNode result = node;
    if (!node.getInputs().isEmpty()) {
      List<RelNode> inputs = new ArrayList<>();
      boolean changed = false;
      for (RelNode input : node.getInputs()) {
        RelNode free = eliminate(input);
        changed |= free != input;
        inputs.add(free);
      }
      result = changed ? node.copy(node.getTraitSet(), inputs) : node;
    }
    return switch (result) {
      case Filter filter when hasSubQuery(filter.getCondition()) ->
          filter(filter.getInput(), filter.getVariablesSet(), filter.getCondition());
      case Project project when project.getProjects().stream().anyMatch(Unnesting::hasSubQuery) ->
          project(project);
      case Join join when hasSubQuery(join.getCondition()) -> join(join);
      case Correlate correlate ->
          new OuterRows(correlate.getLeft(), Set.of(correlate.getCorrelationId()))
              .joinLaterally(correlate.getRight(), correlate.getJoinType());
      default -> result;
    };
  }

  private static boolean hasSubQuery(RexNode node) {
    return RexUtil.SubQueryFinder.find(node) != null;
  }

  /**
   * Conjuncts without sub-queries go first, so that sub-queries are joined to few rows; but not
   * those about rows further out, which must stay where those rows' turn will find them.
   */
  private static RelNode filter(
      RelNode input, Set<CorrelationId> variables, RexNode wholeCondition) {
    List<RexNode> first = new ArrayList<>();
    List<RexNode> last = new ArrayList<>();
    List<RexNode> withSubQuery = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(wholeCondition)) {
      if (hasSubQuery(conjunct)) {
        withSubQuery.add(conjunct);
      } else {
        (OuterReferences.anyAtAll(conjunct) ? last : first).add(conjunct);
      }
    }
    RelBuilder builder = AlgebraConverter.builder(input.getCluster());
    OuterRows rows = new OuterRows(builder.push(input).filter(first).build(), variables);
    List<RexNode> marked = new ArrayList<>();
    for (RexNode conjunct : withSubQuery) {
      if (!rows.keepWhere(conjunct)) {
        marked.add(conjunct);
      }
    }
    for (RexNode conjunct : marked) {
      last.add(rows.value(conjunct));
    }
    RelNode result = rows.rel();
    if (!last.isEmpty()) {
      result =
          LogicalFilter.create(result, RexUtil.composeConjunction(builder.getRexBuilder(), last));
    }
    int columns = input.getRowType().getFieldCount();
    if (result.getRowType().getFieldCount() == columns) {
      return result;
    }
    builder.push(result);
    return builder
        .project(builder.fields().subList(0, columns), input.getRowType().getFieldNames(), true)
        .build();
  }

  private static RelNode project(Project project) {
    OuterRows rows = new OuterRows(project.getInput(), project.getVariablesSet());
    List<RexNode> columns = project.getProjects().stream().map(rows::value).toList();
    return AlgebraConverter.builder(project.getCluster())
        .push(rows.rel())
        .project(columns, project.getRowType().getFieldNames(), true)
        .build();
  }

  /**
   * An inner join's condition is a filter over all pairs. An outer join keeps rows for which the
   * condition is not true, so what it asks of a sub-query must be about one side only, where it
   * becomes a column.
   */
  private static RelNode join(Join join) {
    if (join.getJoinType() == JoinRelType.INNER) {
      RelNode pairs =
          LogicalJoin.create(
              join.getLeft(),
              join.getRight(),
              join.getHints(),
              join.getCluster().getRexBuilder().makeLiteral(true),
              Set.of(),
              JoinRelType.INNER);
      return filter(pairs, join.getVariablesSet(), join.getCondition());
    }
    return OuterJoinCondition.free(join);
  }

  static VarveException unsupported(String what) {
    return new VarveException(ErrorCode.FEATURE_NOT_SUPPORTED, what + "; this is not supported");
  }
}
