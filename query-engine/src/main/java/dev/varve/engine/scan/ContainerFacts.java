package dev.varve.engine.scan;

import dev.varve.engine.expr.LiteralExpr;
import dev.varve.layout.ColumnFacts;

/** What is known of the rows of a file, row group or page. Columns are positions in the table. */
interface ContainerFacts {
  ColumnFacts column(int column);

  /** True only if no row has a value in the column. */
  boolean allNull(int column);

  /** False only if no row has this value in the column. */
  default boolean mayContain(int column, LiteralExpr value) {
    return true;
  }
}
