package dev.varve.engine.logical;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Long conditions, as programs write them. {@code x = 1 OR x = 2 OR ...} becomes one search of a
 * set of values, and {@code x <> 1 AND x <> 2 AND ...} its negation, before anything compares each
 * term with every other. What stays long is not simplified: that would take the square of its
 * length and more.
 */
final class LongConditions {
  /** Below, ordinary simplification finds the same. */
  private static final int MOST_NODES_OF_SHORT = 60;

  /** Above, simplification is not worth its time. */
  private static final int MOST_NODES_SIMPLIFIED = 600;

  private LongConditions() {}

  /** Whether simplification may look at the node's expressions. */
  static boolean isShort(RelNode node) {
    return switch (node) {
      case Filter filter -> filter.getCondition().nodeCount() <= MOST_NODES_SIMPLIFIED;
      case Join join -> join.getCondition().nodeCount() <= MOST_NODES_SIMPLIFIED;
      case Project project ->
          project.getProjects().stream().mapToInt(RexNode::nodeCount).max().orElse(0)
              <= MOST_NODES_SIMPLIFIED;
      default -> true;
    };
  }

  static RelNode gather(RelNode plan) {
    RexBuilder rex = plan.getCluster().getRexBuilder();
    return PlanTree.rewrite(plan, node -> node.accept(new Gathering(rex)));
  }

  private static final class Gathering extends RexShuttle {
    private final RexBuilder rex;

    Gathering(RexBuilder rex) {
      this.rex = rex;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery inner = (RexSubQuery) super.visitSubQuery(subQuery);
      RelNode gathered = gather(inner.rel);
      return gathered == inner.rel ? inner : inner.clone(gathered);
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (call.nodeCount() <= MOST_NODES_OF_SHORT) {
        return RexUtil.SubQueryFinder.find(call) == null ? call : super.visitCall(call);
      }
      return switch (call.getKind()) {
        case OR -> gathered(RelOptUtil.disjunctions(call), SqlKind.EQUALS);
        case AND -> gathered(RelOptUtil.conjunctions(call), SqlKind.NOT_EQUALS);
        default -> super.visitCall(call);
      };
    }

    private RexNode gathered(List<RexNode> terms, SqlKind comparison) {
      Map<RexNode, List<RexLiteral>> values = new LinkedHashMap<>();
      List<RexNode> others = new ArrayList<>();
      for (RexNode term : terms) {
        if (term.getKind() == comparison
            && term instanceof RexCall call
            && call.getOperands().get(1) instanceof RexLiteral literal
            && !literal.isNull()
            && !(call.getOperands().get(0) instanceof RexLiteral)
            && RexUtil.isDeterministic(call.getOperands().get(0))) {
          values
              .computeIfAbsent(call.getOperands().get(0), ignored -> new ArrayList<>())
              .add(literal);
        } else {
          others.add(term.accept(this));
        }
      }
      List<RexNode> all = new ArrayList<>();
      values.forEach(
          (operand, literals) -> {
            RexNode in = rex.makeIn(operand, literals);
            all.add(comparison == SqlKind.EQUALS ? in : rex.makeCall(SqlStdOperatorTable.NOT, in));
          });
      all.addAll(others);
      return comparison == SqlKind.EQUALS
          ? RexUtil.composeDisjunction(rex, all)
          : RexUtil.composeConjunction(rex, all);
    }
  }
}
