package dev.varve.engine.parquet;

import java.util.List;
import java.util.OptionalLong;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;

/**
 * The parsed footer of an immutable file. Safe for concurrent use.
 *
 * @param distinctCounts by row group and leaf, about how many distinct values there are
 */
public record ParquetFooter(
    String path,
    long fileSize,
    List<FileColumn> columns,
    List<BlockMetaData> rowGroups,
    List<List<SortingColumn>> sortingColumns,
    List<List<OptionalLong>> distinctCounts,
    String createdBy) {

  /** One key that a row group's writer says it sorted by; {@code column} is a leaf position. */
  public record SortingColumn(int column, boolean descending, boolean nullsFirst) {}

  public ParquetFooter {
    columns = List.copyOf(columns);
    rowGroups = List.copyOf(rowGroups);
    sortingColumns = List.copyOf(sortingColumns);
    distinctCounts = List.copyOf(distinctCounts);
  }

  public long rowCount() {
    long rows = 0;
    for (BlockMetaData group : rowGroups) {
      rows += group.getRowCount();
    }
    return rows;
  }

  /** Where a row group begins: its place among byte ranges of the file. */
  public long startOffset(int rowGroup) {
    List<ColumnChunkMetaData> chunks = rowGroups.get(rowGroup).getColumns();
    return chunks.isEmpty() ? 0 : chunks.getFirst().getStartingPos();
  }

  public ColumnChunkMetaData chunk(int rowGroup, FileColumn column) {
    return rowGroups.get(rowGroup).getColumns().get(column.leaf());
  }

  /** About how many distinct values a column has in a row group; empty if nothing tells. */
  public OptionalLong distinctCount(int rowGroup, FileColumn column) {
    return distinctCounts.get(rowGroup).get(column.leaf());
  }
}
