package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Booleans;
import dev.varve.engine.kernel.RowScatter;
import java.util.List;

/** Evaluation of CASE and COALESCE: each row by the one argument that it reaches. */
final class Choices {
  private Choices() {}

  static Column evaluateCase(CaseExpr expr, Batch batch, EvalContext context) {
    int[] open = allRows(batch.rowCount());
    int openCount = open.length;
    RowScatter output = new RowScatter(expr.type(), batch.rowCount());
    int[] taken = new int[open.length];
    for (CaseExpr.Branch branch : expr.branches()) {
      if (openCount == 0) {
        break;
      }
      Column condition = RowSubset.evaluate(branch.condition(), batch, open, openCount, context);
      byte[] verdict = new byte[openCount];
      int takenCount = Booleans.markTrue(Booleans.flat(condition), verdict);
      if (takenCount == 0) {
        continue;
      }
      int kept = 0;
      int chosen = 0;
      for (int i = 0; i < openCount; i++) {
        int row = open[i];
        if (verdict[i] != 0) {
          taken[chosen++] = row;
        } else {
          open[kept++] = row;
        }
      }
      Column result = RowSubset.evaluate(branch.result(), batch, taken, takenCount, context);
      if (takenCount == batch.rowCount()) {
        return result;
      }
      output.put(result, taken, takenCount);
      openCount = kept;
    }
    if (openCount > 0) {
      Column rest = RowSubset.evaluate(expr.otherwise(), batch, open, openCount, context);
      if (openCount == batch.rowCount()) {
        return rest;
      }
      output.put(rest, open, openCount);
    }
    return output.build();
  }

  static Column evaluateCoalesce(CoalesceExpr expr, Batch batch, EvalContext context) {
    List<PhysicalExpr> arguments = expr.arguments();
    Column first = arguments.get(0).evaluate(batch, context);
    if (arguments.size() == 1 || !first.mayHaveNulls()) {
      return first;
    }
    int[] open = allRows(batch.rowCount());
    int[] filled = new int[open.length];
    RowScatter output = new RowScatter(expr.type(), batch.rowCount());
    int openCount = open.length;
    Column values = first;
    for (int i = 0; ; i++) {
      if (i == arguments.size() - 1) {
        output.put(values, open, openCount);
        return output.build();
      }
      int[] positions = new int[openCount];
      int found = 0;
      int kept = 0;
      for (int k = 0; k < openCount; k++) {
        int row = open[k];
        if (values.isNull(k)) {
          open[kept++] = row;
        } else {
          positions[found] = k;
          filled[found++] = row;
        }
      }
      output.put(found == openCount ? values : values.take(positions, found), filled, found);
      openCount = kept;
      if (openCount == 0) {
        return output.build();
      }
      values = RowSubset.evaluate(arguments.get(i + 1), batch, open, openCount, context);
    }
  }

  private static int[] allRows(int count) {
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = i;
    }
    return rows;
  }
}
