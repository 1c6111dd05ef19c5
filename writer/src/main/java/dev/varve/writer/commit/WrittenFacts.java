package dev.varve.writer.commit;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
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
        columns(merged(file)),
        rowGroups,
        orderings);
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
              OptionalLong.of(column.compressedBytes())));
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
