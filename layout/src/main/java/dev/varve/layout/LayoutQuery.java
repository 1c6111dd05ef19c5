package dev.varve.layout;

import java.util.List;
import java.util.Optional;

/**
 * What a planner asks of the index: the files of a snapshot that can hold rows within all {@code
 * ranges}. {@code wantedOrdering} lets the index answer in that order; it filters nothing.
 */
public record LayoutQuery(
    String tableUuid,
    long snapshotId,
    List<ColumnRange> ranges,
    Optional<TableOrdering> wantedOrdering) {
  public LayoutQuery {
    ranges = List.copyOf(ranges);
  }
}
