package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Evaluation of an expression on some rows of a batch. */
final class RowSubset {
  private RowSubset() {}

  /** The results for {@code rows[0..count)}, in that order. */
  static Column evaluate(
      PhysicalExpr expr, Batch batch, int[] rows, int count, EvalContext context) {
    if (count == batch.rowCount()) {
      return expr.evaluate(batch, context);
    }
    if (expr instanceof LiteralExpr literal) {
      return new ConstantColumn(literal.single(), count);
    }
    return expr.evaluate(restrict(batch, Exprs.columns(expr), rows, count), context);
  }

  /** The rows of the batch; columns that are not used are nulls, which cost nothing to move. */
  private static Batch restrict(Batch batch, BitSet used, int[] rows, int count) {
    List<Column> columns = new ArrayList<>(batch.columns().size());
    for (int i = 0; i < batch.columns().size(); i++) {
      Column column = batch.column(i);
      columns.add(
          used.get(i) ? column.take(rows, count) : ConstantColumn.nulls(column.type(), count));
    }
    return new Batch(batch.schema(), columns, count);
  }
}
