package dev.varve.engine.scan;

import dev.varve.layout.ColumnRange;
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What filters ask of single columns, in the form in which the layout index finds files. The rows
 * for which the filters are true lie in all of the ranges; what has no such form gives none, and is
 * asked of the facts of the files that were found.
 */
final class FilterRanges {
  private final List<ScanColumn> columns;

  private FilterRanges(List<ScanColumn> columns) {
    this.columns = columns;
  }

  /** {@code columns} are the table's, which the condition is over. */
  static List<ColumnRange> of(Condition condition, List<ScanColumn> columns) {
    List<ColumnRange> ranges = new ArrayList<>();
    new FilterRanges(columns).collect(condition, ranges);
    return List.copyOf(ranges);
  }

  private void collect(Condition condition, List<ColumnRange> into) {
    if (condition instanceof Condition.And and) {
      and.terms().forEach(term -> collect(term, into));
      return;
    }
    ColumnRange range = range(condition);
    if (range != null) {
      into.add(range);
    }
  }

  /** Where the condition can be true; null if it says nothing of one column alone. */
  private @Nullable ColumnRange range(Condition condition) {
    return switch (condition) {
      case Condition.Compare compare -> compared(compare);
      case Condition.In in ->
          field(in.operand()).map(id -> ColumnRange.of(id, in.keys(), false)).orElse(null);
      case Condition.Prefix prefix ->
          field(prefix.operand())
              .map(id -> between(id, prefix.prefix(), prefix.next()))
              .orElse(null);
      case Condition.IsNull isNull ->
          field(isNull.operand()).map(id -> ColumnRange.of(id, List.of(), true)).orElse(null);
      case Condition.Not(Condition.IsNull isNull) ->
          field(isNull.operand()).map(id -> between(id, null, null)).orElse(null);
      case Condition.Or or -> either(or.terms());
      case Condition.And _, Condition.Not _, Condition.Is _, Condition.Constant _ -> null;
    };
  }

  private @Nullable ColumnRange compared(Condition.Compare compare) {
    Integer id = field(compare.operand()).orElse(null);
    EncodedKey key = compare.key();
    if (id == null) {
      return null;
    }
    return switch (compare.op()) {
      case EQ, IS_NOT_DISTINCT -> between(id, key, key);
      case LT, LE -> between(id, null, key);
      case GT, GE -> between(id, key, null);
      case NE, IS_DISTINCT -> null;
    };
  }

  private static ColumnRange between(
      int id, @Nullable EncodedKey lower, @Nullable EncodedKey upper) {
    return new ColumnRange(id, Optional.ofNullable(lower), Optional.ofNullable(upper), false);
  }

  /** The field of a column that is compared as it is stored. */
  private Optional<Integer> field(Condition.Operand operand) {
    int id = columns.get(operand.column()).id();
    return operand.mapping() == BoundMapping.IDENTITY ? Optional.of(id) : Optional.empty();
  }

  /** Ranges of one column, made one that holds them all. */
  private @Nullable ColumnRange either(List<Condition> terms) {
    ColumnRange all = null;
    for (Condition term : terms) {
      ColumnRange range = range(term);
      if (range == null || (all != null && all.fieldId() != range.fieldId())) {
        return null;
      }
      all = all == null ? range : hull(all, range);
    }
    return all;
  }

  private static ColumnRange hull(ColumnRange a, ColumnRange b) {
    boolean nulls = a.nullAllowed() || b.nullAllowed();
    if (isEmpty(a) || isEmpty(b)) {
      ColumnRange values = isEmpty(a) ? b : a;
      return new ColumnRange(
          values.fieldId(), values.lower(), values.upper(), nulls, values.points());
    }
    Optional<EncodedKey> lower =
        a.lower().flatMap(x -> b.lower().map(y -> x.compareTo(y) <= 0 ? x : y));
    Optional<EncodedKey> upper =
        a.upper().flatMap(x -> b.upper().map(y -> x.compareTo(y) >= 0 ? x : y));
    return new ColumnRange(a.fieldId(), lower, upper, nulls, points(a, b));
  }

  private static boolean isEmpty(ColumnRange range) {
    return range.points().filter(List::isEmpty).isPresent();
  }

  private static Optional<List<EncodedKey>> points(ColumnRange a, ColumnRange b) {
    return points(a)
        .flatMap(
            some ->
                points(b)
                    .map(
                        more ->
                            Stream.concat(some.stream(), more.stream())
                                .sorted()
                                .distinct()
                                .toList()));
  }

  private static Optional<List<EncodedKey>> points(ColumnRange range) {
    return range
        .points()
        .or(
            () ->
                range
                    .lower()
                    .filter(k -> range.upper().filter(k::equals).isPresent())
                    .map(List::of));
  }
}
