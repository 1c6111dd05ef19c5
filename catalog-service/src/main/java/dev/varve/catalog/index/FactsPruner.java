package dev.varve.catalog.index;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import java.util.List;
import java.util.Optional;

/** Decides from a file's facts whether it can hold a row within all ranges of a query. */
final class FactsPruner {
  private static final Optional<EncodedKey> NAN = Optional.of(KeyEncoding.encodeDouble(Double.NaN));

  private FactsPruner() {}

  static boolean mayMatch(FileFacts file, List<ColumnRange> ranges) {
    if (file.recordCount() == 0) {
      return false;
    }
    for (ColumnRange range : ranges) {
      ColumnFacts column = file.column(range.fieldId());
      boolean nullMatches = range.nullAllowed() && column.nullCount().orElse(1) > 0;
      if (!nullMatches && !valueMatches(column, file.recordCount(), range)) {
        return false;
      }
    }
    return true;
  }

  private static boolean valueMatches(ColumnFacts column, long records, ColumnRange range) {
    if (column.nullCount().isPresent() && column.nullCount().getAsLong() >= records) {
      return false;
    }
    return nanMatches(column, range) || range.meets(key(column.lower()), key(column.upper()));
  }

  /** Bounds leave NaN out; it is the greatest value. */
  private static boolean nanMatches(ColumnFacts column, ColumnRange range) {
    return column.nanCount().orElse(1) > 0 && range.meets(NAN, NAN);
  }

  private static Optional<EncodedKey> key(Bound bound) {
    return switch (bound) {
      case Bound.Unknown _ -> Optional.empty();
      case Bound.Exact(EncodedKey key) -> Optional.of(key);
      case Bound.Inexact(EncodedKey key) -> Optional.of(key);
    };
  }
}
