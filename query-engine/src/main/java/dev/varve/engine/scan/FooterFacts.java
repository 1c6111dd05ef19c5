package dev.varve.engine.scan;

import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.DistinctEstimate;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a footer says of its file. An ordering it names is what its writer says: asserted. */
final class FooterFacts {
  private FooterFacts() {}

  /** How a column of the table is found in a file; null if it is not there. */
  @FunctionalInterface
  interface Finder {
    @Nullable FileColumn find(ParquetFooter footer, ScanColumn column);
  }

  /** The whole file's facts; of its row groups only where they are. */
  static FileFacts of(List<ScanColumn> table, Finder finder, ParquetFooter footer) {
    List<Map<Integer, ColumnFacts>> none = Collections.nCopies(footer.rowGroups().size(), Map.of());
    return of(table, finder, footer, none);
  }

  /** With the facts of the columns of each row group. */
  static FileFacts withRowGroups(List<ScanColumn> table, Finder finder, ParquetFooter footer) {
    List<Map<Integer, ColumnFacts>> groups = new ArrayList<>();
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      Map<Integer, ColumnFacts> columns = new HashMap<>();
      for (ScanColumn column : table) {
        FileColumn file = known(column, finder, footer);
        if (file != null) {
          columns.put(
              column.id(),
              ParquetFacts.of(column, file, footer.chunk(group, file))
                  .withDistinctCount(footer.distinctCount(group, file)));
        }
      }
      groups.add(columns);
    }
    return of(table, finder, footer, groups);
  }

  private static FileFacts of(
      List<ScanColumn> table,
      Finder finder,
      ParquetFooter footer,
      List<Map<Integer, ColumnFacts>> groups) {
    Map<Integer, ColumnFacts> columns = new HashMap<>();
    List<RowGroupFacts> rowGroups = new ArrayList<>();
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      rowGroups.add(
          new RowGroupFacts(
              footer.startOffset(group),
              footer.rowGroups().get(group).getRowCount(),
              groups.get(group)));
    }
    for (ScanColumn column : table) {
      FileColumn file = known(column, finder, footer);
      if (file != null) {
        columns.put(column.id(), column(footer, column, file));
      }
    }
    return new FileFacts(
        footer.path(),
        footer.fileSize(),
        footer.rowCount(),
        0,
        0,
        columns,
        rowGroups,
        ordering(table, finder, footer)
            .map(o -> new OrderingFact(o, Trust.ASSERTED, Optional.empty()))
            .map(List::of)
            .orElse(List.of()));
  }

  private static @Nullable FileColumn known(
      ScanColumn column, Finder finder, ParquetFooter footer) {
    FileColumn file = finder.find(footer, column);
    return column.unsupported().isEmpty() && file != null && !file.isNested() ? file : null;
  }

  /** The facts of all row groups together. */
  private static ColumnFacts column(ParquetFooter footer, ScanColumn column, FileColumn file) {
    Bound lower = null;
    Bound upper = null;
    long nulls = 0;
    long bytes = 0;
    List<DistinctEstimate.Part> parts = new ArrayList<>();
    boolean counted = true;
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      long rows = footer.rowGroups().get(group).getRowCount();
      ColumnFacts facts = ParquetFacts.of(column, file, footer.chunk(group, file));
      bytes += facts.sizeBytes().orElse(0);
      long groupNulls = facts.nullCount().orElse(-1);
      nulls = nulls < 0 || groupNulls < 0 ? -1 : nulls + groupNulls;
      long values = rows - Math.max(0, groupNulls);
      OptionalLong distinct = footer.distinctCount(group, file);
      counted &= distinct.isPresent() || values == 0;
      parts.add(
          new DistinctEstimate.Part(facts.lower(), facts.upper(), values, distinct.orElse(0)));
      if (groupNulls < rows) {
        lower = lower == null ? facts.lower() : further(lower, facts.lower(), -1);
        upper = upper == null ? facts.upper() : further(upper, facts.upper(), 1);
      }
    }
    return new ColumnFacts(
        column.id(),
        lower == null ? Bound.UNKNOWN : lower,
        upper == null ? Bound.UNKNOWN : upper,
        nulls < 0 ? OptionalLong.empty() : OptionalLong.of(nulls),
        OptionalLong.empty(),
        OptionalLong.of(bytes),
        counted ? DistinctEstimate.combine(parts) : OptionalLong.empty());
  }

  /** The bound of both: unknown if one is, exact if both are. */
  private static Bound further(Bound left, Bound right, int sign) {
    EncodedKey a = key(left);
    EncodedKey b = key(right);
    if (a == null || b == null) {
      return Bound.UNKNOWN;
    }
    EncodedKey key = Integer.signum(a.compareTo(b)) == sign ? a : b;
    return left instanceof Bound.Exact && right instanceof Bound.Exact
        ? new Bound.Exact(key)
        : new Bound.Inexact(key);
  }

  private static @Nullable EncodedKey key(Bound bound) {
    return switch (bound) {
      case Bound.Exact(EncodedKey key) -> key;
      case Bound.Inexact(EncodedKey key) -> key;
      case Bound.Unknown _ -> null;
    };
  }

  /** What every row group is declared to be sorted by; that they follow one another nobody says. */
  private static Optional<TableOrdering> ordering(
      List<ScanColumn> table, Finder finder, ParquetFooter footer) {
    List<OrderingField> common = null;
    for (List<ParquetFooter.SortingColumn> keys : footer.sortingColumns()) {
      List<OrderingField> fields = new ArrayList<>();
      for (ParquetFooter.SortingColumn key : keys) {
        int id = id(table, finder, footer, key.column());
        if (id < 0 || fields.stream().anyMatch(f -> f.fieldId() == id)) {
          break;
        }
        fields.add(OrderClaims.field(id, new SortOptions(key.descending(), key.nullsFirst())));
      }
      common = common == null ? fields : commonPrefix(common, fields);
    }
    return common == null || common.isEmpty()
        ? Optional.empty()
        : Optional.of(new TableOrdering(common));
  }

  private static List<OrderingField> commonPrefix(
      List<OrderingField> left, List<OrderingField> right) {
    int n = 0;
    while (n < left.size() && n < right.size() && left.get(n).equals(right.get(n))) {
      n++;
    }
    return left.subList(0, n);
  }

  private static int id(List<ScanColumn> table, Finder finder, ParquetFooter footer, int leaf) {
    for (ScanColumn column : table) {
      FileColumn file = finder.find(footer, column);
      if (file != null && !file.isNested() && file.leaf() == leaf) {
        return column.id();
      }
    }
    return -1;
  }
}
