package dev.varve.engine.physical;

import dev.varve.engine.expr.CaseExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.IsTrueExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.operator.AggregateExec;
import dev.varve.engine.operator.AggregateExpr;
import dev.varve.engine.operator.AggregateFunctions;
import dev.varve.engine.operator.AggregateMode;
import dev.varve.engine.operator.HashJoinExec;
import dev.varve.engine.operator.JoinKey;
import dev.varve.engine.operator.JoinMode;
import dev.varve.engine.operator.JoinType;
import dev.varve.engine.operator.NestedLoopJoinExec;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.operator.UnionExec;
import dev.varve.engine.physical.PhysicalPlanner.Translation;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.Join;

/**
 * Mark joins, which [NOT] IN and EXISTS become where their value is needed: each left row once,
 * with the three-valued OR of the condition over all right rows.
 *
 * <p>Where at most one equality can be unknown, two groupings of the right side tell all: the
 * distinct keys (is there a match?), and per group of the other keys the number of rows and of
 * those with a key (is there anything, is there a null?). Otherwise the left rows are told apart by
 * semi and anti joins on the condition being true, and being not false.
 */
final class MarkJoinPlanner {
  private final Translation translation;
  private final JoinPlanner joins;

  MarkJoinPlanner(Translation translation, JoinPlanner joins) {
    this.translation = translation;
    this.joins = joins;
  }

  PhysicalPlan plan(Join join) {
    PhysicalPlan left = translation.plan(join.getLeft());
    PhysicalPlan right = translation.plan(join.getRight());
    JoinPlanner.Condition condition = joins.condition(join, left.schema(), right.schema());
    String mark = join.getRowType().getFieldNames().get(left.schema().size());
    List<JoinKey> unsure = condition.keys().stream().filter(MarkJoinPlanner::canBeUnknown).toList();
    if (condition.residual().isPresent() || unsure.size() > 1) {
      return byCases(join, mark);
    }
    List<JoinKey> sure =
        condition.keys().stream()
            .filter(key -> !canBeUnknown(key))
            .map(key -> new JoinKey(key.left(), key.right(), true))
            .toList();
    return unsure.isEmpty()
        ? byExistence(left, right, sure, mark)
        : byCounts(left, right, translation.plan(join.getRight()), sure, unsure.get(0), mark);
  }

  private static boolean canBeUnknown(JoinKey key) {
    return !key.nullsEqual() && (key.left().nullable() || key.right().nullable());
  }

  /** True or false: whether there is a row with these keys. */
  private static PhysicalPlan byExistence(
      PhysicalPlan left, PhysicalPlan right, List<JoinKey> keys, String mark) {
    PhysicalPlan groups = grouped(right, keys, List.of(count("rows", List.of())));
    PhysicalPlan joined = joined(left, groups, keys);
    PhysicalExpr rows = ColumnExpr.of(joined.schema(), joined.schema().size() - 1);
    return marked(joined, left.schema(), mark, isPositive(rows));
  }

  private static PhysicalPlan byCounts(
      PhysicalPlan left,
      PhysicalPlan right,
      PhysicalPlan rightAgain,
      List<JoinKey> sure,
      JoinKey unsure,
      String mark) {
    PhysicalPlan counts =
        grouped(
            right, sure, List.of(count("rows", List.of()), count("keys", List.of(unsure.right()))));
    PhysicalPlan counted = joined(left, counts, sure);
    int rowsAt = counted.schema().size() - 2;
    List<JoinKey> all = new ArrayList<>(sure);
    all.add(unsure);
    PhysicalPlan keys = grouped(rightAgain, all, List.of(count("matches", List.of())));
    PhysicalPlan joined = joined(counted, keys, all);
    Schema schema = joined.schema();
    PhysicalExpr rows = ColumnExpr.of(schema, rowsAt);
    PhysicalExpr notNull = ColumnExpr.of(schema, rowsAt + 1);
    PhysicalExpr matches = ColumnExpr.of(schema, schema.size() - 1);
    PhysicalExpr result =
        new CaseExpr(
            List.of(
                new CaseExpr.Branch(isPositive(matches), LiteralExpr.of(true)),
                new CaseExpr.Branch(
                    new IsTrueExpr(isPositive(rows), true, true), LiteralExpr.of(false)),
                new CaseExpr.Branch(
                    new IsNullExpr(unsure.left(), false), LiteralExpr.ofNull(DataType.BOOLEAN)),
                new CaseExpr.Branch(
                    new ComparisonExpr(ComparisonOp.LT, notNull, rows),
                    LiteralExpr.ofNull(DataType.BOOLEAN))),
            LiteralExpr.of(false),
            DataType.BOOLEAN);
    return marked(joined, left.schema(), mark, result);
  }

  private static PhysicalExpr isPositive(PhysicalExpr count) {
    return new IsTrueExpr(
        new ComparisonExpr(ComparisonOp.GT, count, new LiteralExpr(0L, DataType.BIGINT)),
        true,
        false);
  }

  private static AggregateExpr count(String name, List<PhysicalExpr> arguments) {
    return new AggregateExpr(
        AggregateFunctions.resolve("count", arguments.stream().map(PhysicalExpr::type).toList()),
        arguments,
        Optional.empty(),
        name);
  }

  private static PhysicalPlan grouped(
      PhysicalPlan right, List<JoinKey> keys, List<AggregateExpr> aggregates) {
    List<NamedExpr> groups = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      groups.add(new NamedExpr(keys.get(i).right(), "key" + i));
    }
    return new AggregateExec(AggregateMode.SINGLE, groups, aggregates, right);
  }

  /** Each left row with its group, whose first columns are the keys; nulls where there is none. */
  private static PhysicalPlan joined(PhysicalPlan left, PhysicalPlan groups, List<JoinKey> keys) {
    if (keys.isEmpty()) {
      return new NestedLoopJoinExec(left, groups, Optional.empty(), JoinType.LEFT);
    }
    List<JoinKey> on = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      JoinKey key = keys.get(i);
      on.add(new JoinKey(key.left(), ColumnExpr.of(groups.schema(), i), key.nullsEqual()));
    }
    return new HashJoinExec(
        left, groups, on, Optional.empty(), JoinType.LEFT, JoinMode.COLLECT_LEFT);
  }

  private static PhysicalPlan marked(
      PhysicalPlan plan, Schema left, String name, PhysicalExpr mark) {
    List<NamedExpr> columns = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      columns.add(new NamedExpr(ColumnExpr.of(plan.schema(), i), left.field(i).name()));
    }
    columns.add(new NamedExpr(mark, name));
    return new ProjectionExec(plan, columns);
  }

  /** Every left row is in exactly one of three inputs: the condition is true, unknown or false. */
  private PhysicalPlan byCases(Join join, String mark) {
    PhysicalPlan whole = matching(join, translation.plan(join.getLeft()), JoinType.LEFT_SEMI);
    PhysicalPlan unknown =
        notFalse(
            join,
            matching(join, translation.plan(join.getLeft()), JoinType.LEFT_ANTI),
            JoinType.LEFT_SEMI);
    PhysicalPlan none =
        notFalse(
            join,
            matching(join, translation.plan(join.getLeft()), JoinType.LEFT_ANTI),
            JoinType.LEFT_ANTI);
    Schema left = whole.schema();
    return new UnionExec(
        List.of(
            marked(whole, left, mark, LiteralExpr.of(true)),
            marked(unknown, left, mark, LiteralExpr.ofNull(DataType.BOOLEAN)),
            marked(none, left, mark, LiteralExpr.of(false))));
  }

  private PhysicalPlan matching(Join join, PhysicalPlan left, JoinType type) {
    PhysicalPlan right = translation.plan(join.getRight());
    return JoinPlanner.join(
        left, right, joins.condition(join, left.schema(), right.schema()), type);
  }

  private PhysicalPlan notFalse(Join join, PhysicalPlan left, JoinType type) {
    PhysicalPlan right = translation.plan(join.getRight());
    PhysicalExpr condition =
        translation.expression(join.getCondition(), left.schema().concat(right.schema()));
    return new NestedLoopJoinExec(
        left,
        right,
        Exprs.isTrue(condition)
            ? Optional.empty()
            : Optional.of(new IsTrueExpr(condition, false, true)),
        type);
  }
}
