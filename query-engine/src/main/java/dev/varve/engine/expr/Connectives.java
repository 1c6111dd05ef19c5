package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Booleans;
import java.util.List;

/** Evaluation of AND and OR, with later terms guarded by earlier ones. */
final class Connectives {
  private Connectives() {}

  static Column evaluate(
      List<PhysicalExpr> terms, boolean conjunction, Batch batch, EvalContext context) {
    BooleanColumn result = Booleans.flat(terms.get(0).evaluate(batch, context));
    int[] open = new int[0];
    for (int i = 1; i < terms.size(); i++) {
      PhysicalExpr term = terms.get(i);
      if (open.length == 0) {
        open = new int[batch.rowCount()];
      }
      int count = Booleans.undecided(result, conjunction, open);
      if (count == 0) {
        return result;
      }
      // Few open rows are worth moving for any term; for one that can fail it is a duty.
      boolean subset =
          count < batch.rowCount() && (term.fallible() || count < batch.rowCount() / 4);
      if (subset) {
        BooleanColumn part = Booleans.flat(RowSubset.evaluate(term, batch, open, count, context));
        result = Booleans.combineAt(result, part, open, count, conjunction);
      } else {
        Column part = term.evaluate(batch, context);
        result =
            conjunction
                ? Booleans.and(result, Booleans.flat(part))
                : Booleans.or(result, Booleans.flat(part));
      }
    }
    return result;
  }
}
