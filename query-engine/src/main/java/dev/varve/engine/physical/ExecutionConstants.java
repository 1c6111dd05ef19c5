package dev.varve.engine.physical;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.util.Util;

/**
 * What is constant for one execution only: parameters' values, {@code now()}, the user. Computed
 * when the plan is bound, it prunes as a literal does.
 */
final class ExecutionConstants {
  private static final Batch ONE_ROW = new Batch(Schema.EMPTY, List.of(), 1);

  private ExecutionConstants() {}

  /** Whether binding can find more constants than the logical plan shows. */
  static boolean mayBeIn(RexNode expression) {
    try {
      expression.accept(
          new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitDynamicParam(RexDynamicParam parameter) {
              throw Util.FoundOne.NULL;
            }

            @Override
            public Void visitCall(RexCall call) {
              if (call.getOperator().isDynamicFunction()) {
                throw Util.FoundOne.NULL;
              }
              return super.visitCall(call);
            }
          });
      return false;
    } catch (Util.FoundOne found) {
      return true;
    }
  }

  /** The expression with every part computed that has no column; what fails is left to fail. */
  static PhysicalExpr bind(PhysicalExpr expression, EvalContext context) {
    if (expression instanceof LiteralExpr || expression instanceof ColumnExpr) {
      return expression;
    }
    List<PhysicalExpr> children = new ArrayList<>();
    boolean constant = true;
    for (PhysicalExpr child : expression.children()) {
      PhysicalExpr bound = bind(child, context);
      constant &= bound instanceof LiteralExpr;
      children.add(bound);
    }
    PhysicalExpr result = expression.withChildren(children);
    if (!constant || result.volatility() == Volatility.VOLATILE) {
      return result;
    }
    try {
      return LiteralExpr.of(result.evaluate(ONE_ROW, context), 0);
    } catch (VarveException e) {
      return result;
    }
  }
}
