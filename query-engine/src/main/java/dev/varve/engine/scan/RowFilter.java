package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import java.util.List;

/** A condition that a scan asks of rows while it decodes. Confined to one task. */
interface RowFilter {
  /** Positions in the table of the columns it needs. */
  int[] columns();

  /** Whether there is anything to ask now; asked once before each batch. */
  default boolean isActive() {
    return true;
  }

  /** Whether it may fail, so that it must not see rows that the table does not have. */
  default boolean fallible() {
    return false;
  }

  /** Writes the rows that pass, ascending, and answers how many. */
  int select(List<Column> values, int rows, int[] selection);
}
