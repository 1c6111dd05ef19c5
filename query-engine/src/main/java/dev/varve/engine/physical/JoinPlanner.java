package dev.varve.engine.physical;

import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.TypeMapping;
import dev.varve.engine.operator.HashJoinExec;
import dev.varve.engine.operator.JoinKey;
import dev.varve.engine.operator.JoinMode;
import dev.varve.engine.operator.JoinType;
import dev.varve.engine.operator.NestedLoopJoinExec;
import dev.varve.engine.physical.PhysicalPlanner.Translation;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Joins: by hash where some condition equates the two sides, the rest of the condition being a
 * residual; by nested loops where none does.
 */
final class JoinPlanner {
  private final Translation translation;

  JoinPlanner(Translation translation) {
    this.translation = translation;
  }

  PhysicalPlan plan(Join join) {
    if (join.getJoinType() == JoinRelType.LEFT_MARK) {
      return new MarkJoinPlanner(translation, this).plan(join);
    }
    JoinType type =
        switch (join.getJoinType()) {
          case INNER -> JoinType.INNER;
          case LEFT -> JoinType.LEFT;
          case RIGHT -> JoinType.RIGHT;
          case FULL -> JoinType.FULL;
          case SEMI -> JoinType.LEFT_SEMI;
          case ANTI -> JoinType.LEFT_ANTI;
          case LEFT_MARK -> throw new IllegalStateException("a mark join is planned apart");
          case ASOF, LEFT_ASOF -> throw Translation.unsupported("ASOF JOIN");
        };
    PhysicalPlan left = translation.plan(join.getLeft());
    PhysicalPlan right = translation.plan(join.getRight());
    Condition condition = condition(join, left.schema(), right.schema());
    return join(left, right, condition, type);
  }

  static PhysicalPlan join(
      PhysicalPlan left, PhysicalPlan right, Condition condition, JoinType type) {
    return condition.keys().isEmpty()
        ? new NestedLoopJoinExec(left, right, condition.residual(), type)
        : new HashJoinExec(
            left, right, condition.keys(), condition.residual(), type, JoinMode.COLLECT_LEFT);
  }

  /** A join condition: equalities between the sides, and the rest over the columns of both. */
  record Condition(List<JoinKey> keys, Optional<PhysicalExpr> residual) {}

  Condition condition(Join join, Schema left, Schema right) {
    Schema both = left.concat(right);
    List<JoinKey> keys = new ArrayList<>();
    List<PhysicalExpr> residual = new ArrayList<>();
    RelDataTypeFactory types = join.getCluster().getTypeFactory();
    RexNode condition =
        RexUtil.expandSearch(join.getCluster().getRexBuilder(), null, join.getCondition());
    for (RexNode term : RelOptUtil.conjunctions(condition)) {
      Optional<JoinKey> key = key(term, left, right, types);
      if (key.isPresent()) {
        keys.add(key.get());
      } else {
        PhysicalExpr translated = translation.expression(term, both);
        if (!Exprs.isTrue(translated)) {
          residual.add(translated);
        }
      }
    }
    return new Condition(
        keys, residual.isEmpty() ? Optional.empty() : Optional.of(Exprs.conjunction(residual)));
  }

  private Optional<JoinKey> key(RexNode term, Schema left, Schema right, RelDataTypeFactory types) {
    if (!(term instanceof RexCall call)
        || (call.getKind() != SqlKind.EQUALS && call.getKind() != SqlKind.IS_NOT_DISTINCT_FROM)) {
      return Optional.empty();
    }
    RexNode first = call.getOperands().get(0);
    RexNode second = call.getOperands().get(1);
    int width = left.size();
    boolean nullsEqual = call.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
    if (isOn(first, 0, width) && isOn(second, width, width + right.size())) {
      return key(first, second, left, right, nullsEqual, types);
    }
    if (isOn(second, 0, width) && isOn(first, width, width + right.size())) {
      return key(second, first, left, right, nullsEqual, types);
    }
    return Optional.empty();
  }

  private static boolean isOn(RexNode node, int from, int to) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(node);
    return !columns.isEmpty() && columns.nth(0) >= from && columns.length() <= to;
  }

  private Optional<JoinKey> key(
      RexNode onLeft,
      RexNode onRight,
      Schema left,
      Schema right,
      boolean nullsEqual,
      RelDataTypeFactory types) {
    PhysicalExpr leftKey = translation.expression(onLeft, left);
    PhysicalExpr rightKey = translation.expression(RexUtil.shift(onRight, -left.size()), right);
    if (!leftKey.type().equals(rightKey.type())) {
      RelDataType common = types.leastRestrictive(List.of(onLeft.getType(), onRight.getType()));
      if (common == null) {
        return Optional.empty();
      }
      DataType type = TypeMapping.toDataType(common);
      leftKey = CastExpr.to(leftKey, type);
      rightKey = CastExpr.to(rightKey, type);
    }
    boolean nullsMatter = leftKey.nullable() || rightKey.nullable();
    return Optional.of(new JoinKey(leftKey, rightKey, nullsEqual && nullsMatter));
  }
}
