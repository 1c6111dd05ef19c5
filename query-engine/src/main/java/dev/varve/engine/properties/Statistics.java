package dev.varve.engine.properties;

import dev.varve.engine.type.Schema;
import java.util.Collections;
import java.util.List;

/** Of a node's whole output, over all partitions. */
public record Statistics(
    Precision<Long> rowCount, Precision<Long> totalBytes, List<ColumnStatistics> columns) {
  public Statistics {
    columns = List.copyOf(columns);
  }

  public static Statistics unknown(Schema schema) {
    return new Statistics(
        Precision.absent(),
        Precision.absent(),
        Collections.nCopies(schema.size(), ColumnStatistics.UNKNOWN));
  }

  public Statistics toInexact() {
    return new Statistics(
        rowCount.toInexact(),
        totalBytes.toInexact(),
        columns.stream().map(ColumnStatistics::toInexact).toList());
  }
}
