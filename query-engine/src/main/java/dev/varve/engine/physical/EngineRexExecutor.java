package dev.varve.engine.physical;

import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.VarveException;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * Folds constants with the engine's own kernels. An expression that fails, or whose value may
 * change between executions, is left as it is: it fails when a row needs it, not before.
 */
public final class EngineRexExecutor implements RexExecutor {
  private final RexTranslator translator;

  public EngineRexExecutor(RexTranslator translator) {
    this.translator = translator;
  }

  @Override
  public void reduce(RexBuilder builder, List<RexNode> expressions, List<RexNode> reduced) {
    for (RexNode expression : expressions) {
      reduced.add(reduce(builder, expression));
    }
  }

  private RexNode reduce(RexBuilder builder, RexNode expression) {
    // A plan may be kept for other parameter values.
    if (!RexUtil.isDeterministic(expression) || hasParameter(expression)) {
      return expression;
    }
    try {
      PhysicalExpr translated = translator.translate(expression, Schema.EMPTY);
      return Literals.folded(translated) instanceof LiteralExpr literal
          ? RexLiterals.make(builder, literal, expression)
          : expression;
    } catch (VarveException e) {
      return expression;
    }
  }

  private static boolean hasParameter(RexNode expression) {
    return switch (expression) {
      case RexDynamicParam parameter -> true;
      case RexCall call -> call.getOperands().stream().anyMatch(EngineRexExecutor::hasParameter);
      default -> false;
    };
  }
}
