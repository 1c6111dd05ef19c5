package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.kernel.Booleans;

/** Row selection by a predicate. */
public final class Predicates {
  private Predicates() {}

  /**
   * Writes the numbers of the rows for which the predicate is TRUE (not false, not null) into
   * {@code selection}, ascending, and returns how many there are. The array has room for all rows.
   * The terms of a conjunction narrow the selection one after the other.
   */
  public static int select(
      PhysicalExpr predicate, Batch batch, EvalContext context, int[] selection) {
    if (predicate instanceof AndExpr and) {
      int count = select(and.terms().get(0), batch, context, selection);
      for (int i = 1; i < and.terms().size() && count > 0; i++) {
        count = narrow(and.terms().get(i), batch, context, selection, count);
      }
      return count;
    }
    Column result = predicate.evaluate(batch, context);
    if (result instanceof ConstantColumn constant) {
      boolean all = !constant.isNull(0) && Booleans.flat(constant.single()).get(0) != 0;
      for (int i = 0; all && i < batch.rowCount(); i++) {
        selection[i] = i;
      }
      return all ? batch.rowCount() : 0;
    }
    return Booleans.trueRows(Booleans.flat(result), selection);
  }

  /** Keeps those of {@code selection[0..count)} for which the term too is TRUE. */
  private static int narrow(
      PhysicalExpr term, Batch batch, EvalContext context, int[] selection, int count) {
    boolean subset =
        count < batch.rowCount()
            && (count < batch.rowCount() / 4
                || term.fallible()
                || term.volatility() == Volatility.VOLATILE);
    return subset
        ? Booleans.keepTrue(
            Booleans.flat(RowSubset.evaluate(term, batch, selection, count, context)),
            selection,
            count)
        : Booleans.keepTrueAt(Booleans.flat(term.evaluate(batch, context)), selection, count);
  }
}
