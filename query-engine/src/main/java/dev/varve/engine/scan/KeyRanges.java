package dev.varve.engine.scan;

import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the files of an ordering into ranges of its leading key. Because files are in that order, a
 * range takes of each file one stretch of rows: all of it, or what a comparison with the cuts lets
 * through, which statistics of row groups and pages narrow to what is read anyway. So files may
 * overlap, and two tables can be cut at the same values; within a range overlapping files are
 * merged.
 *
 * <p>A cut is a value, not a place: no key is on both sides of it. Any value would do; the ones at
 * which files or row groups begin leave most files whole.
 */
final class KeyRanges {
  /** Chains of a group that are merged, each with a file open. */
  private static final int MOST_CHAINS = 32;

  /** A range may be so many times as large as the average. */
  private static final double MOST_SKEW = 1.5;

  /** Of how many files the row groups are looked at for places to cut. */
  private static final int ROW_GROUPS_OF_FILES = 64;

  private final ScanTable table;
  private final TableOrdering ordering;
  private final OrderingField key;
  private final int column;
  private final KeyEncoding.Part part;
  private final List<Ranged> files;

  private record Ranged(FileFacts file, KeyRange range) {}

  private KeyRanges(ScanTable table, TableOrdering ordering, List<Ranged> files) {
    this.table = table;
    this.ordering = ordering;
    this.key = ordering.fields().getFirst();
    this.column = table.position(key.fieldId()).orElseThrow();
    this.part = part(table, key);
    this.files = files;
  }

  private static KeyEncoding.Part part(ScanTable table, OrderingField field) {
    int position = table.position(field.fieldId()).orElseThrow();
    KeyType type = ColumnKeys.type(table.columns().get(position).type()).orElseThrow();
    return new KeyEncoding.Part(type, field.direction(), field.nullOrder());
  }

  /** Empty unless every file is verified to have the ordering, its range known, its key there. */
  static Optional<KeyRanges> of(ScanTable table, TableOrdering ordering, List<FileFacts> files) {
    if (files.isEmpty() || table.position(ordering.fields().getFirst().fieldId()).isEmpty()) {
      return Optional.empty();
    }
    List<Ranged> ranged = new ArrayList<>(files.size());
    for (FileFacts file : files) {
      OrderingFact fact = file.ordering(ordering).orElse(null);
      if (fact == null || fact.trust() != Trust.VERIFIED || fact.range().isEmpty()) {
        return Optional.empty();
      }
      ranged.add(new Ranged(file, fact.range().get()));
    }
    ranged.sort(
        Comparator.comparing((Ranged r) -> r.range.lower())
            .thenComparing(r -> r.range.upper())
            .thenComparing(r -> r.file.path()));
    return Optional.of(new KeyRanges(table, ordering, ranged));
  }

  /** At most so many ranges of about equal size; empty if there are no values to cut at. */
  Optional<Division> balanced(int mostRanges) {
    TreeMap<EncodedKey, Long> places = places(mostRanges);
    long total = Math.max(1, places.values().stream().mapToLong(Long::longValue).sum());
    List<EncodedKey> chosen = new ArrayList<>();
    long before = 0;
    long largest = 0;
    long cutAt = 0;
    for (var place : places.entrySet()) {
      // The place that is nearest to the next equal share of the whole.
      double share = (double) total * (chosen.size() + 1) / mostRanges;
      boolean nearest = before + place.getValue() - share > share - before;
      if (before > cutAt && nearest && chosen.size() + 1 < mostRanges) {
        chosen.add(place.getKey());
        largest = Math.max(largest, before - cutAt);
        cutAt = before;
      }
      before += place.getValue();
    }
    largest = Math.max(largest, total - cutAt);
    boolean even = largest <= MOST_SKEW * (total / (chosen.size() + 1.0)) + 1;
    return chosen.isEmpty() || !even
        ? Optional.empty()
        : cutAt(chosen.stream().map(this::value).toList());
  }

  /**
   * Prefix keys of values at which a file or row group begins, with the bytes that begin there: not
   * the least, before which there is nothing to cut off, and no null.
   */
  private TreeMap<EncodedKey, Long> places(int mostRanges) {
    TreeMap<EncodedKey, Long> places = new TreeMap<>();
    boolean rowGroups = files.size() <= Math.min(ROW_GROUPS_OF_FILES, Math.max(2, 2 * mostRanges));
    for (Ranged ranged : files) {
      List<RowGroupFacts> groups = rowGroups ? ranged.file.rowGroups() : List.of();
      long bytes = Math.max(1, ranged.file.sizeBytes() / Math.max(1, groups.size()));
      Object first = leading(ranged.range);
      if (first != null) {
        places.merge(prefix(first), bytes, Long::sum);
      }
      for (int i = 1; i < groups.size(); i++) {
        Bound bound =
            part.direction() == SortDirection.ASC
                ? groups.get(i).columns().getOrDefault(key.fieldId(), unknown()).lower()
                : groups.get(i).columns().getOrDefault(key.fieldId(), unknown()).upper();
        if (bound instanceof Bound.Exact(EncodedKey exact)) {
          places.merge(prefix(KeyEncoding.decodeValue(part.type(), exact)), bytes, Long::sum);
        }
      }
    }
    return places;
  }

  private ColumnFacts unknown() {
    return ColumnFacts.unknown(key.fieldId());
  }

  /** The leading value of a range's least key; null if it is not known or a null. */
  private @Nullable Object leading(KeyRange range) {
    return range.lowerExact() ? KeyEncoding.decodeFirst(part, range.lower()) : null;
  }

  private EncodedKey prefix(Object decoded) {
    return KeyEncoding.encode(List.of(part), List.of(decoded));
  }

  private Object value(EncodedKey prefix) {
    Object decoded = KeyEncoding.decode(List.of(part), prefix).getFirst();
    if (decoded == null) {
      throw new IllegalStateException("a cut at a null");
    }
    return ColumnKeys.value(table.columns().get(column).type(), decoded);
  }

  /** The encoded key that begins all keys of a value. */
  private EncodedKey prefixOf(Object value) {
    EncodedKey single =
        ColumnKeys.encode(
            ColumnBuilder.of(table.columns().get(column).type(), 1).append(value).build(), 0);
    return prefix(KeyEncoding.decodeValue(part.type(), single));
  }

  /** Cut at the given ascending values; empty if too many files overlap somewhere. */
  Optional<Division> cutAt(List<Object> values) {
    List<FileGroup> groups = new ArrayList<>();
    for (int i = 0; i <= values.size(); i++) {
      Object from = i == 0 ? null : values.get(i - 1);
      Object to = i == values.size() ? null : values.get(i);
      Optional<FileGroup> group = range(from, to);
      if (group.isEmpty()) {
        return Optional.empty();
      }
      groups.add(group.get());
    }
    return Optional.of(
        new Division(groups, Optional.of(ordering), Optional.of(new Division.Cuts(key, values))));
  }

  /** The rows from one value up to, without it, another; null: from the first, to the last. */
  private Optional<FileGroup> range(@Nullable Object from, @Nullable Object to) {
    EncodedKey lower = from == null ? null : prefixOf(from);
    EncodedKey upper = to == null ? null : prefixOf(to);
    List<List<Ranged>> chains = new ArrayList<>();
    for (Ranged file : files) {
      boolean inside =
          (upper == null || file.range.lower().compareTo(upper) < 0)
              && (lower == null || file.range.upper().compareTo(lower) >= 0);
      if (inside && !addToChain(chains, file)) {
        return Optional.empty();
      }
    }
    if (chains.isEmpty()) {
      return Optional.of(FileGroup.of(List.of()));
    }
    return Optional.of(
        new FileGroup(
            chains.stream()
                .map(chain -> chain.stream().map(f -> slice(f, lower, from, upper, to)).toList())
                .toList()));
  }

  /** Behind a chain's last file, the one that ends last and still before this one. */
  private static boolean addToChain(List<List<Ranged>> chains, Ranged file) {
    List<Ranged> best = null;
    for (List<Ranged> chain : chains) {
      EncodedKey end = chain.getLast().range.upper();
      if (end.compareTo(file.range.lower()) <= 0
          && (best == null || best.getLast().range.upper().compareTo(end) < 0)) {
        best = chain;
      }
    }
    if (best != null) {
      best.add(file);
      return true;
    }
    return chains.size() < MOST_CHAINS && chains.add(new ArrayList<>(List.of(file)));
  }

  private FileSlice slice(
      Ranged file,
      @Nullable EncodedKey lower,
      @Nullable Object from,
      @Nullable EncodedKey upper,
      @Nullable Object to) {
    List<PhysicalExpr> within = new ArrayList<>();
    boolean descending = part.direction() == SortDirection.DESC;
    boolean nullsFirst = part.nullOrder() == NullOrder.NULLS_FIRST;
    if (lower != null && from != null && file.range.lower().compareTo(lower) < 0) {
      within.add(
          compared(
              descending ? ComparisonOp.LE : ComparisonOp.GE, from, !nullsFirst && to == null));
    }
    if (upper != null && to != null && file.range.upper().compareTo(upper) >= 0) {
      within.add(
          compared(descending ? ComparisonOp.GT : ComparisonOp.LT, to, nullsFirst && from == null));
    }
    return new FileSlice(file.file, 0, Long.MAX_VALUE, within);
  }

  /** Nulls are beyond every value: of the first range or of the last. */
  private PhysicalExpr compared(ComparisonOp op, Object value, boolean withNulls) {
    ScanColumn field = table.columns().get(column);
    ColumnExpr operand =
        new ColumnExpr(column, field.name(), field.type(), field.field().nullable());
    PhysicalExpr comparison = new ComparisonExpr(op, operand, new LiteralExpr(value, field.type()));
    return withNulls && operand.nullable()
        ? Exprs.disjunction(List.of(comparison, new IsNullExpr(operand, false)))
        : comparison;
  }

  /**
   * Values of the leading key that already cut groups of consecutive files apart; empty if a key
   * may be on both sides of some cut.
   */
  Optional<Division.Cuts> between(List<FileGroup> groups) {
    List<Object> values = new ArrayList<>();
    for (int i = 1; i < groups.size(); i++) {
      List<FileSlice> before = groups.get(i - 1).slices();
      List<FileSlice> after = groups.get(i).slices();
      if (before.isEmpty()
          || after.isEmpty()
          || before.getLast().file() == after.getFirst().file()) {
        return Optional.empty();
      }
      KeyRange below = range(before.getLast().file());
      KeyRange above = range(after.getFirst().file());
      Object first = leading(above);
      if (first == null || below.upper().compareTo(prefix(first)) >= 0) {
        return Optional.empty();
      }
      values.add(value(prefix(first)));
    }
    return Optional.of(new Division.Cuts(key, values));
  }

  private KeyRange range(FileFacts file) {
    return file.ordering(ordering).flatMap(OrderingFact::range).orElseThrow();
  }
}
