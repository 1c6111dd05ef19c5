package dev.varve.writer.commit;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.DistinctEstimate;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyTruncation;
import dev.varve.writer.parquet.WrittenColumn;
import dev.varve.writer.parquet.WrittenFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the writer knows of a file, as facts of the layout index. */
final class WrittenFacts {
  private WrittenFacts() {}

  static FileFacts of(
      WrittenFile file, int specId, int schemaId, Optional<TableOrdering> ordering) {
    List<RowGroupFacts> rowGroups = new ArrayList<>();
    for (WrittenFile.WrittenRowGroup group : file.rowGroups()) {
      rowGroups.add(new RowGroupFacts(group.startOffset(), group.rows(), columns(group.columns())));
    }
    List<OrderingFact> orderings =
        ordering.isPresent() && file.range().isPresent()
            ? List.of(new OrderingFact(ordering.get(), Trust.VERIFIED, file.range()))
            : List.of();
    return new FileFacts(
        file.location(),
        file.sizeBytes(),
        file.rows(),
        specId,
        schemaId,
        withDistinct(columns(merged(file)), rowGroups),
        rowGroups,
        orderings);
  }

  /** What the row groups counted, put together where there are several. */
  private static Map<Integer, ColumnFacts> withDistinct(
      Map<Integer, ColumnFacts> columns, List<RowGroupFacts> rowGroups) {
    Map<Integer, ColumnFacts> all = new HashMap<>();
    columns.forEach((id, facts) -> all.put(id, facts.withDistinctCount(distinct(id, rowGroups))));
    return all;
  }

  private static OptionalLong distinct(int fieldId, List<RowGroupFacts> rowGroups) {
    List<DistinctEstimate.Part> parts = new ArrayList<>();
    for (RowGroupFacts group : rowGroups) {
      ColumnFacts facts = group.columns().get(fieldId);
      if (facts == null) {
        return OptionalLong.empty();
      }
      long values = group.rowCount() - facts.nullCount().orElse(0);
      if (values > 0 && facts.distinctCount().isEmpty()) {
        return OptionalLong.empty();
      }
      parts.add(
          new DistinctEstimate.Part(
              facts.lower(), facts.upper(), values, facts.distinctCount().orElse(0)));
    }
    return DistinctEstimate.combine(parts);
  }

  /** The columns of all row groups of a file, merged; by position. */
  static List<WrittenColumn> merged(WrittenFile file) {
    List<WrittenColumn> merged = new ArrayList<>();
    for (WrittenFile.WrittenRowGroup group : file.rowGroups()) {
      for (int i = 0; i < group.columns().size(); i++) {
        WrittenColumn column = group.columns().get(i);
        if (merged.size() <= i) {
          merged.add(column);
        } else {
          merged.set(i, merged.get(i).merge(column));
        }
      }
    }
    return merged;
  }

  private static Map<Integer, ColumnFacts> columns(List<WrittenColumn> columns) {
    Map<Integer, ColumnFacts> facts = new HashMap<>();
    for (WrittenColumn column : columns) {
      int fieldId = column.column().fieldId();
      facts.put(
          fieldId,
          new ColumnFacts(
              fieldId,
              lower(column, column.least()),
              upper(column, column.greatest()),
              OptionalLong.of(column.nulls()),
              OptionalLong.of(column.nans()),
              OptionalLong.of(column.compressedBytes()),
              column.distinct()));
    }
    return facts;
  }

  private static Bound lower(WrittenColumn column, @Nullable Object value) {
    return value == null
        ? Bound.UNKNOWN
        : KeyTruncation.lowerBound(KeyEncoding.encodeValue(column.column().keyType(), value));
  }

  private static Bound upper(WrittenColumn column, @Nullable Object value) {
    return value == null
        ? Bound.UNKNOWN
        : KeyTruncation.upperBound(KeyEncoding.encodeValue(column.column().keyType(), value));
  }
}
