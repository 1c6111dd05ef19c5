package dev.varve.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one immutable data file. {@code columns} by Iceberg field id; a column that is
 * missing there is unknown.
 *
 * @param etag what the storage called this content of the path, where it does; with the size it
 *     tells whether the facts are of the file that lies there now
 */
public record FileFacts(
    String path,
    long sizeBytes,
    long recordCount,
    int specId,
    int schemaId,
    Map<Integer, ColumnFacts> columns,
    List<RowGroupFacts> rowGroups,
    List<OrderingFact> orderings,
    Optional<String> etag) {
  public FileFacts {
    columns = columns instanceof LazyColumns ? columns : Map.copyOf(columns);
    rowGroups = List.copyOf(rowGroups);
    orderings = List.copyOf(orderings);
  }

  /** Of a storage that names no contents. */
  public FileFacts(
      String path,
      long sizeBytes,
      long recordCount,
      int specId,
      int schemaId,
      Map<Integer, ColumnFacts> columns,
      List<RowGroupFacts> rowGroups,
      List<OrderingFact> orderings) {
    this(
        path,
        sizeBytes,
        recordCount,
        specId,
        schemaId,
        columns,
        rowGroups,
        orderings,
        Optional.empty());
  }

  /**
   * Whether this is about a file of that size and etag; an etag that one side lacks is no other.
   */
  public boolean describes(long size, Optional<String> otherEtag) {
    return sizeBytes == size
        && (etag.isEmpty() || otherEtag.isEmpty() || etag.get().equals(otherEtag.get()));
  }

  public FileFacts withColumns(Map<Integer, ColumnFacts> other) {
    return new FileFacts(
        path, sizeBytes, recordCount, specId, schemaId, other, rowGroups, orderings, etag);
  }

  public FileFacts withOrderings(List<OrderingFact> other) {
    return new FileFacts(
        path, sizeBytes, recordCount, specId, schemaId, columns, rowGroups, other, etag);
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
