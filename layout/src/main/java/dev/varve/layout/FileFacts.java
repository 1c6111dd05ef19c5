package dev.varve.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one immutable data file. {@code columns} by Iceberg field id; a column that is
 * missing there is unknown.
 */
public record FileFacts(
    String path,
    long sizeBytes,
    long recordCount,
    int specId,
    int schemaId,
    Map<Integer, ColumnFacts> columns,
    List<RowGroupFacts> rowGroups,
    List<OrderingFact> orderings) {
  public FileFacts {
    columns = columns instanceof LazyColumns ? columns : Map.copyOf(columns);
    rowGroups = List.copyOf(rowGroups);
    orderings = List.copyOf(orderings);
  }

  public ColumnFacts column(int fieldId) {
    ColumnFacts facts = columns.get(fieldId);
    return facts != null ? facts : ColumnFacts.unknown(fieldId);
  }

  /**
   * The best fact of this file that implies {@code wanted}: verified before asserted; empty when
   * there is none.
   */
  public Optional<OrderingFact> ordering(TableOrdering wanted) {
    Optional<OrderingFact> best = Optional.empty();
    for (OrderingFact fact : orderings) {
      if (fact.trust() == Trust.VIOLATED || !fact.ordering().satisfies(wanted)) {
        continue;
      }
      if (fact.trust() == Trust.VERIFIED) {
        return Optional.of(fact);
      }
      best = Optional.of(fact);
    }
    return best;
  }
}
