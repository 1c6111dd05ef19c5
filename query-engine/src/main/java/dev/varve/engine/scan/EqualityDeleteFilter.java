package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.runtime.MetricSet;
import java.util.List;

/** Keeps out the rows of one file that equality deletes delete. Confined to one task. */
final class EqualityDeleteFilter implements RowFilter {
  private final int[] columns;
  private final EqualityDeletes.Lookup deletes;
  private final MetricSet metrics;

  /**
   * @param columns where the file scan has the columns that the deletes are over
   */
  EqualityDeleteFilter(int[] columns, EqualityDeletes.Lookup deletes, MetricSet metrics) {
    this.columns = columns;
    this.deletes = deletes;
    this.metrics = metrics;
  }

  @Override
  public int[] columns() {
    return columns;
  }

  @Override
  public int select(List<Column> values, int rows, int[] selection) {
    int kept = deletes.select(values.toArray(Column[]::new), rows, selection);
    metrics.add("rows_deleted", rows - kept);
    return kept;
  }
}
