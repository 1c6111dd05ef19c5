package dev.varve.engine.physical;

import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.operator.AggregateExec;
import dev.varve.engine.operator.AggregateMode;
import dev.varve.engine.operator.HashJoinExec;
import dev.varve.engine.operator.JoinKey;
import dev.varve.engine.operator.JoinMode;
import dev.varve.engine.operator.JoinType;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.operator.UnionExec;
import dev.varve.engine.physical.PhysicalPlanner.Translation;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataType;

/**
 * UNION, INTERSECT and EXCEPT. Rows are compared with nulls equal: distinct rows by grouping, rows
 * in both or not in the other by semi and anti joins.
 */
final class SetOperations {
  private SetOperations() {}

  static PhysicalPlan union(Translation translation, Union union) {
    List<PhysicalPlan> inputs = inputs(translation, union);
    PhysicalPlan all = inputs.size() == 1 ? inputs.get(0) : new UnionExec(inputs);
    return union.all ? all : distinct(all);
  }

  static PhysicalPlan intersect(Translation translation, Intersect intersect) {
    requireDistinct(intersect, "INTERSECT ALL");
    return compared(inputs(translation, intersect), JoinType.LEFT_SEMI);
  }

  static PhysicalPlan minus(Translation translation, Minus minus) {
    requireDistinct(minus, "EXCEPT ALL");
    return compared(inputs(translation, minus), JoinType.LEFT_ANTI);
  }

  private static void requireDistinct(SetOp operation, String name) {
    if (operation.all) {
      throw Translation.unsupported(name);
    }
  }

  private static PhysicalPlan compared(List<PhysicalPlan> inputs, JoinType type) {
    PhysicalPlan result = distinct(inputs.get(0));
    for (PhysicalPlan other : inputs.subList(1, inputs.size())) {
      List<JoinKey> keys = new ArrayList<>();
      for (int i = 0; i < result.schema().size(); i++) {
        keys.add(
            new JoinKey(ColumnExpr.of(result.schema(), i), ColumnExpr.of(other.schema(), i), true));
      }
      result = new HashJoinExec(result, other, keys, Optional.empty(), type, JoinMode.COLLECT_LEFT);
    }
    return result;
  }

  static PhysicalPlan distinct(PhysicalPlan input) {
    return new AggregateExec(AggregateMode.SINGLE, columns(input.schema()), List.of(), input);
  }

  static List<NamedExpr> columns(Schema schema) {
    List<NamedExpr> columns = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      columns.add(new NamedExpr(ColumnExpr.of(schema, i), schema.field(i).name()));
    }
    return columns;
  }

  private static List<PhysicalPlan> inputs(Translation translation, SetOp operation) {
    return operation.getInputs().stream()
        .map(input -> conformed(translation.plan(input), operation.getRowType()))
        .toList();
  }

  /** The plan with columns of the types of {@code rowType}. */
  static PhysicalPlan conformed(PhysicalPlan plan, RelDataType rowType) {
    Schema wanted = ValuesPlanner.schema(rowType);
    List<NamedExpr> columns = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < wanted.size(); i++) {
      ColumnExpr column = ColumnExpr.of(plan.schema(), i);
      same &= column.type().equals(wanted.type(i));
      columns.add(new NamedExpr(CastExpr.to(column, wanted.type(i)), wanted.field(i).name()));
    }
    return same ? plan : new ProjectionExec(plan, columns);
  }
}
