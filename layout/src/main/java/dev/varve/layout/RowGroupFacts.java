package dev.varve.layout;

import java.util.Map;

/**
 * One Parquet row group of a file: its place in the file and what is known of its columns, by field
 * id.
 */
public record RowGroupFacts(long startOffset, long rowCount, Map<Integer, ColumnFacts> columns) {
  public RowGroupFacts {
    columns = columns instanceof LazyColumns ? columns : Map.copyOf(columns);
  }
}
