package dev.varve.catalog.index;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what a manifest and the footer say of a file. The footer goes first: it stands with
 * the data, and its bounds are of known exactness. Of what it does not say, such as counts of NaN,
 * the manifest's word stays.
 */
final class FooterMerge {
  private FooterMerge() {}

  static FileFacts merge(FileFacts known, FileFacts footer) {
    Map<Integer, ColumnFacts> columns = new HashMap<>(known.columns());
    footer
        .columns()
        .forEach((id, facts) -> columns.merge(id, facts, (mine, theirs) -> merge(mine, theirs)));
    return new FileFacts(
        known.path(),
        known.sizeBytes(),
        known.recordCount(),
        known.specId(),
        known.schemaId(),
        columns,
        footer.rowGroups(),
        orderings(known, footer),
        known.etag());
  }

  private static ColumnFacts merge(ColumnFacts known, ColumnFacts footer) {
    Bound lower = footer.lower() == Bound.UNKNOWN ? known.lower() : footer.lower();
    Bound upper = footer.upper() == Bound.UNKNOWN ? known.upper() : footer.upper();
    EncodedKey least = key(lower);
    EncodedKey greatest = key(upper);
    if (least != null && greatest != null && least.compareTo(greatest) > 0) {
      lower = Bound.UNKNOWN;
      upper = Bound.UNKNOWN;
    }
    return new ColumnFacts(
        known.fieldId(),
        lower,
        upper,
        first(footer.nullCount(), known.nullCount()),
        first(known.nanCount(), footer.nanCount()),
        first(footer.sizeBytes(), known.sizeBytes()),
        first(footer.distinctCount(), known.distinctCount()));
  }

  private static OptionalLong first(OptionalLong preferred, OptionalLong other) {
    return preferred.isPresent() ? preferred : other;
  }

  private static @Nullable EncodedKey key(Bound bound) {
    return switch (bound) {
      case Bound.Exact(EncodedKey key) -> key;
      case Bound.Inexact(EncodedKey key) -> key;
      case Bound.Unknown _ -> null;
    };
  }

  /**
   * What a footer says of an order is an assertion: it adds to what is known, and replaces none.
   */
  private static List<OrderingFact> orderings(FileFacts known, FileFacts footer) {
    List<OrderingFact> orderings = new ArrayList<>(known.orderings());
    for (OrderingFact claim : footer.orderings()) {
      boolean decided =
          known.orderings().stream().anyMatch(fact -> fact.ordering().equals(claim.ordering()))
              || known.ordering(claim.ordering()).isPresent();
      if (!decided) {
        orderings.add(new OrderingFact(claim.ordering(), Trust.ASSERTED, Optional.empty()));
      }
    }
    return orderings;
  }
}
