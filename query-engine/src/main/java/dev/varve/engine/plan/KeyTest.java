package dev.varve.engine.plan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.PhysicalExpr;
import java.util.Optional;

/**
 * The content of a {@link DynamicFilter}: which values may pass. It may let pass what need not, but
 * never keeps out what must pass. Immutable, safe for concurrent use.
 */
public interface KeyTest {
  /**
   * Writes the numbers of the rows that may pass into {@code selection}, ascending, and answers how
   * many there are; it has room for all rows. {@code values} has the operand's type and may be
   * dictionary or constant encoded. Rows without a value pass if {@link #acceptsNull()}.
   */
  int select(Column values, int[] selection);

  boolean acceptsNull();

  /**
   * A condition over {@code operand} that is TRUE for every value and null that may pass, in forms
   * that skip: {@code k >= 3 AND k <= 9}, {@code k IN (1, 2)}. It decides on files, row groups and
   * pages; rows are left to {@link #select}. Empty if there is none.
   */
  Optional<PhysicalExpr> implied(PhysicalExpr operand);
}
