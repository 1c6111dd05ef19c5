package dev.varve.engine.logical;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.tools.RelBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Turns conjuncts {@code [NOT] EXISTS} and {@code [NOT] IN} of a filter into semi and anti joins.
 *
 * <pre>
 * Filter(EXISTS(                                Join(SEMI, l.k = s.k AND l.a &lt;&gt; s.a)
 *     Filter($cor.k = k AND $cor.a &lt;&gt; a AND b)      L
 *       S))                                 =>    Filter(b)
 *   L                                               S
 * </pre>
 *
 * <p>Sound because a conjunct that is UNKNOWN rejects its row as FALSE does, and because what the
 * sub-query's filters say about the outer row is moved into the join's condition as it is. Refuses,
 * leaving the sub-query to the general way: correlation below anything but filters and projections;
 * no equality between the two sides; NOT IN where a key can be null.
 */
final class SemiJoins {
  private SemiJoins() {}

  static RelNode introduce(RelNode plan) {
    return PlanTree.rewrite(plan, node -> node instanceof Filter filter ? introduce(filter) : node);
  }

  private static RelNode introduce(Filter filter) {
    if (RexUtil.SubQueryFinder.find(filter.getCondition()) == null) {
      return filter;
    }
    RelNode result = filter.getInput();
    List<RexNode> others = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      RelNode joined = join(result, filter.getVariablesSet(), conjunct);
      if (joined == null) {
        others.add(conjunct);
      } else {
        result = joined;
      }
    }
    if (result == filter.getInput()) {
      return filter;
    }
    RexBuilder rex = filter.getCluster().getRexBuilder();
    RexNode rest = RexUtil.composeConjunction(rex, others);
    return rest.isAlwaysTrue()
        ? result
        : LogicalFilter.create(
            result, rest, com.google.common.collect.ImmutableSet.copyOf(filter.getVariablesSet()));
  }

  private static @Nullable RelNode join(
      RelNode left, Set<CorrelationId> correlations, RexNode conjunct) {
    boolean negated = conjunct.getKind() == SqlKind.NOT;
    RexNode inner = negated ? ((RexCall) conjunct).getOperands().getFirst() : conjunct;
    if (!(inner instanceof RexSubQuery subQuery)) {
      return null;
    }
    boolean in = subQuery.getKind() == SqlKind.IN;
    if (!in && subQuery.getKind() != SqlKind.EXISTS) {
      return null;
    }
    RelNode query = introduce(subQuery.rel);
    Lifted lifted = Lifted.of(query, correlations, in);
    if (lifted == null) {
      return null;
    }
    return lifted.join(left, subQuery, correlations, negated);
  }

  /**
   * A sub-query without its correlated predicates: those, and its output columns, over what is left
   * of it.
   */
  private record Lifted(RelNode input, List<RexNode> predicates, List<RexNode> columns) {
    static @Nullable Lifted of(
        RelNode query, Set<CorrelationId> correlations, boolean columnsMatter) {
      RexBuilder rex = query.getCluster().getRexBuilder();
      RelBuilder builder = AlgebraConverter.builder(query.getCluster());
      List<RexNode> predicates = new ArrayList<>();
      List<RexNode> kept = new ArrayList<>();
      List<RexNode> columns = new ArrayList<>();
      if (columnsMatter) {
        columns.addAll(rex.identityProjects(query.getRowType()));
      }
      RelNode node = query;
      while (true) {
        if (node instanceof Project project && Rules.isStable(project)) {
          if (project.getProjects().stream().anyMatch(SemiJoins::hasSubQuery)) {
            break;
          }
          predicates = new ArrayList<>(RelOptUtil.pushPastProject(predicates, project));
          kept = new ArrayList<>(RelOptUtil.pushPastProject(kept, project));
          columns = new ArrayList<>(RelOptUtil.pushPastProject(columns, project));
          node = project.getInput();
        } else if (node instanceof Filter filter && filter.getVariablesSet().isEmpty()) {
          for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
            (usesAny(conjunct, correlations) ? predicates : kept).add(conjunct);
          }
          node = filter.getInput();
        } else if (node instanceof Sort sort && sort.fetch == null && sort.offset == null) {
          node = sort.getInput();
        } else {
          break;
        }
      }
      boolean free =
          RelOptUtil.getVariablesUsed(node).stream().noneMatch(correlations::contains)
              && predicates.stream().noneMatch(SemiJoins::hasSubQuery)
              && columns.stream().noneMatch(c -> usesAny(c, correlations) || hasSubQuery(c));
      return free ? new Lifted(builder.push(node).filter(kept).build(), predicates, columns) : null;
    }

    @Nullable RelNode join(
        RelNode left, RexSubQuery subQuery, Set<CorrelationId> correlations, boolean negated) {
      RexBuilder rex = left.getCluster().getRexBuilder();
      int leftCount = left.getRowType().getFieldCount();
      List<RexNode> conditions = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        RexNode outer = subQuery.getOperands().get(i);
        RexNode inner = columns.get(i);
        if (hasSubQuery(outer)
            || (negated && (outer.getType().isNullable() || inner.getType().isNullable()))) {
          return null;
        }
        RelDataType common =
            rex.getTypeFactory().leastRestrictive(List.of(outer.getType(), inner.getType()));
        if (common == null) {
          return null;
        }
        conditions.add(
            rex.makeCall(
                SqlStdOperatorTable.EQUALS,
                rex.ensureType(common, outer, true),
                rex.ensureType(common, RexUtil.shift(inner, leftCount), true)));
      }
      OuterReferences outerReferences = new OuterReferences(rex, correlations, leftCount);
      for (RexNode predicate : predicates) {
        conditions.add(predicate.accept(outerReferences));
      }
      if (conditions.stream().noneMatch(condition -> isEquality(condition, leftCount))) {
        return null;
      }
      return LogicalJoin.create(
          left,
          input,
          ImmutableList.of(),
          RexUtil.composeConjunction(rex, conditions),
          Set.of(),
          negated ? JoinRelType.ANTI : JoinRelType.SEMI);
    }

    private static boolean isEquality(RexNode condition, int leftCount) {
      if (condition.getKind() != SqlKind.EQUALS) {
        return false;
      }
      List<RexNode> operands = ((RexCall) condition).getOperands();
      return side(operands.getFirst(), leftCount) * side(operands.get(1), leftCount) == -1;
    }

    /** -1 if an expression is over the left input only, 1 for the right, 0 for neither. */
    private static int side(RexNode expression, int leftCount) {
      var columns = RelOptUtil.InputFinder.bits(expression);
      if (columns.isEmpty()) {
        return 0;
      }
      return columns.length() <= leftCount ? -1 : columns.nth(0) >= leftCount ? 1 : 0;
    }
  }

  private static boolean hasSubQuery(RexNode node) {
    return RexUtil.SubQueryFinder.find(node) != null;
  }

  private static boolean usesAny(RexNode node, Set<CorrelationId> correlations) {
    boolean[] found = new boolean[1];
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCorrelVariable(RexCorrelVariable variable) {
            found[0] |= correlations.contains(variable.id);
            return variable;
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            found[0] |=
                RelOptUtil.getVariablesUsed(subQuery.rel).stream().anyMatch(correlations::contains);
            return super.visitSubQuery(subQuery);
          }
        });
    return found[0];
  }

  /** From a sub-query's row and the outer row's variables to the columns of their join. */
  private static final class OuterReferences extends RexShuttle {
    private final RexBuilder rex;
    private final Set<CorrelationId> correlations;
    private final int leftCount;

    OuterReferences(RexBuilder rex, Set<CorrelationId> correlations, int leftCount) {
      this.rex = rex;
      this.correlations = correlations;
      this.leftCount = leftCount;
    }

    @Override
    public RexNode visitInputRef(RexInputRef column) {
      return new RexInputRef(column.getIndex() + leftCount, column.getType());
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      return access.getReferenceExpr() instanceof RexCorrelVariable variable
              && correlations.contains(variable.id)
          ? rex.makeInputRef(access.getType(), access.getField().getIndex())
          : super.visitFieldAccess(access);
    }
  }
}
