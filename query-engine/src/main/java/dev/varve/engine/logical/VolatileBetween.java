package dev.varve.engine.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.tools.RelBuilder;
import org.jspecify.annotations.Nullable;

/**
 * {@code volatile BETWEEN a AND b} with its operand computed once, in a projection of its own.
 *
 * <pre>
 * Filter(random() BETWEEN 0.4 AND 0.6)      Project(columns of the input)
 *   Input                              =>     Filter(r >= 0.4 AND r &lt;= 0.6)
 *                                               Project(columns of the input, random() AS r)
 *                                                 Input
 * </pre>
 */
final class VolatileBetween {
  private static final SqlFunction MARKER =
      new SqlFunction(
          "$between",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.BOOLEAN_NULLABLE,
          null,
          OperandTypes.VARIADIC,
          SqlFunctionCategory.SYSTEM) {
        @Override
        public boolean isDeterministic() {
          return false;
        }
      };

  /** The standard conversions but for BETWEEN, which copies its operand. */
  static final SqlRexConvertletTable CONVERTLETS =
      call ->
          call.getOperator() instanceof SqlBetweenOperator && isVolatile(call.operand(0))
              ? VolatileBetween::mark
              : StandardConvertletTable.INSTANCE.get(call);

  private VolatileBetween() {}

  private static boolean isVolatile(SqlNode node) {
    boolean[] found = new boolean[1];
    node.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            found[0] |= !call.getOperator().isDeterministic();
            return super.visit(call);
          }
        });
    return found[0];
  }

  private static RexNode mark(SqlRexContext context, SqlCall call) {
    RexBuilder rex = context.getRexBuilder();
    SqlBetweenOperator between = (SqlBetweenOperator) call.getOperator();
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      operands.add(context.convertExpression(operand));
    }
    RexNode range = rex.makeCall(MARKER, operands);
    if (between.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
      throw new UnsupportedOperationException("BETWEEN SYMMETRIC of a volatile function");
    }
    return between.isNegated() ? rex.makeCall(SqlStdOperatorTable.NOT, range) : range;
  }

  static RelNode expand(RelNode plan) {
    return PlanTree.rewrite(
        plan, node -> node instanceof Filter || node instanceof Project ? expandIn(node) : node);
  }

  private static RelNode expandIn(RelNode node) {
    Expansion expansion =
        new Expansion(
            node.getCluster().getRexBuilder(), node.getInput(0).getRowType().getFieldCount());
    List<RexNode> expressions =
        switch (node) {
          case Filter filter -> List.of(filter.getCondition());
          case Project project -> project.getProjects();
          default -> throw new IllegalStateException("neither filter nor projection: " + node);
        };
    List<RexNode> expanded = expressions.stream().map(each -> each.accept(expansion)).toList();
    if (expansion.computed.isEmpty()) {
      return node;
    }
    RelBuilder builder = AlgebraConverter.builder(node.getCluster()).push(node.getInput(0));
    List<RexNode> columns = new ArrayList<>(builder.fields());
    columns.addAll(expansion.computed);
    builder.project(columns);
    if (node instanceof Filter) {
      builder.filter(expanded);
      expanded = builder.fields().subList(0, node.getRowType().getFieldCount());
    }
    return builder.project(expanded, node.getRowType().getFieldNames(), true).build();
  }

  private static final class Expansion extends RexShuttle {
    private final RexBuilder rex;
    private final int inputColumns;
    private final List<RexNode> computed = new ArrayList<>();

    Expansion(RexBuilder rex, int inputColumns) {
      this.rex = rex;
      this.inputColumns = inputColumns;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexCall inner = (RexCall) super.visitCall(call);
      if (inner.getOperator() != MARKER) {
        return inner;
      }
      RexNode operand = inner.getOperands().getFirst();
      RexNode column = rex.makeInputRef(operand.getType(), inputColumns + computed.size());
      computed.add(operand);
      return rex.makeCall(
          SqlStdOperatorTable.AND,
          rex.makeCall(
              SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, column, inner.getOperands().get(1)),
          rex.makeCall(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, column, inner.getOperands().get(2)));
    }
  }
}
