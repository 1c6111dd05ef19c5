package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.SharedExpressions;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/** Evaluates the expressions of a projection on each batch. */
final class ProjectionStream extends OperatorStream {
  private final SharedExpressions expressions;
  private final BatchStream input;

  ProjectionStream(ProjectionExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.expressions =
        SharedExpressions.of(
            node.expressions().stream().map(NamedExpr::expr).toList(), input.schema().size());
    this.input = input;
  }

  @Override
  @Nullable Batch produce() {
    Batch batch = pull(input);
    if (batch == null) {
      return null;
    }
    return new Batch(
        schema(), expressions.evaluate(batch, context.query().eval()), batch.rowCount());
  }

  @Override
  void release() {
    input.close();
  }
}
