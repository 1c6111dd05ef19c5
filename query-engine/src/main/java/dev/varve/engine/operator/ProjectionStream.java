package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the expressions of a projection on each batch. */
final class ProjectionStream extends OperatorStream {
  private final List<NamedExpr> expressions;
  private final BatchStream input;

  ProjectionStream(ProjectionExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.expressions = node.expressions();
    this.input = input;
  }

  @Override
  @Nullable Batch produce() {
    Batch batch = pull(input);
    if (batch == null) {
      return null;
    }
    List<Column> columns = new ArrayList<>(expressions.size());
    for (NamedExpr expression : expressions) {
      columns.add(expression.expr().evaluate(batch, context.query().eval()));
    }
    return new Batch(schema(), columns, batch.rowCount());
  }

  @Override
  void release() {
    input.close();
  }
}
