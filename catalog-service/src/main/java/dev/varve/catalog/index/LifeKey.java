package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexChange.KeyOrder;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding.Part;
import dev.varve.layout.key.KeyTruncation;
import dev.varve.layout.key.KeyType;
import dev.varve.layout.key.KeyWriter;
import java.util.Optional;

/**
 * The ends between which the sort keys of all rows of a file lie, by which the database finds the
 * file. The range that the writer saw is taken where there is one; otherwise the bounds of the
 * leading column, widened for nulls and NaN that the bounds leave out.
 */
record LifeKey(int orderId, int widthClass, EncodedKey lower, EncodedKey upper) {
  static final EncodedKey LEAST = EncodedKey.of(new byte[0]);

  /** A composite key begins with a tag of at most 03. */
  static final EncodedKey GREATEST = EncodedKey.of(new byte[] {(byte) 0xFF});

  /** The order id of files that are found by no key. */
  static final int UNORDERED = 0;

  static LifeKey of(FileFacts facts, Optional<OrderInUse> order) {
    if (order.isEmpty()) {
      return new LifeKey(UNORDERED, SplitKeys.WIDEST, LEAST, GREATEST);
    }
    OrderInUse use = order.get();
    KeyOrder key = use.key();
    for (OrderingFact fact : facts.orderings()) {
      if (fact.trust() != Trust.VIOLATED
          && fact.range().isPresent()
          && fact.ordering().satisfies(key.ordering())) {
        KeyRange range = fact.range().get();
        return of(use, range.lower(), range.upper());
      }
    }
    return fromLeadingColumn(facts, use);
  }

  private static LifeKey fromLeadingColumn(FileFacts facts, OrderInUse use) {
    KeyOrder key = use.key();
    OrderingField lead = key.ordering().fields().getFirst();
    Part part = new Part(key.leadType(), lead.direction(), lead.nullOrder());
    ColumnFacts column = facts.column(lead.fieldId());
    boolean ascending = lead.direction() == SortDirection.ASC;
    EncodedKey lower = prefix(part, ascending ? column.lower() : column.upper(), false);
    EncodedKey upper = prefix(part, ascending ? column.upper() : column.lower(), true);
    if (key.leadType() == KeyType.FLOATING && column.nanCount().orElse(1) > 0) {
      lower = ascending ? lower : LEAST;
      upper = ascending ? GREATEST : upper;
    }
    if (column.nullCount().orElse(1) > 0) {
      boolean first = lead.nullOrder() == NullOrder.NULLS_FIRST;
      lower = first ? LEAST : lower;
      upper = first ? upper : GREATEST;
    }
    return of(use, lower, upper);
  }

  private static EncodedKey prefix(Part part, Bound bound, boolean greatest) {
    return switch (bound) {
      case Bound.Unknown _ -> greatest ? GREATEST : LEAST;
      case Bound.Exact(EncodedKey value) -> prefix(part, value, greatest);
      case Bound.Inexact(EncodedKey value) -> prefix(part, value, greatest);
    };
  }

  /** The least or greatest key whose first part is a value, whatever the later parts are. */
  static EncodedKey prefix(Part part, EncodedKey value, boolean greatest) {
    EncodedKey first = new KeyWriter(32).appendEncoded(part, value).toKey();
    if (!greatest) {
      return first;
    }
    byte[] bytes = new byte[first.length() + 1];
    System.arraycopy(first.toByteArray(), 0, bytes, 0, first.length());
    bytes[first.length()] = (byte) 0xFF;
    return EncodedKey.of(bytes);
  }

  private static LifeKey of(OrderInUse use, EncodedKey lower, EncodedKey upper) {
    EncodedKey least = KeyTruncation.lower(lower, EncodedKey.MAX_BYTES);
    EncodedKey greatest = KeyTruncation.upper(upper, EncodedKey.MAX_BYTES).orElse(GREATEST);
    if (least.compareTo(greatest) > 0) {
      least = LEAST;
      greatest = GREATEST;
    }
    return new LifeKey(use.orderId(), use.splits().widthClass(least, greatest), least, greatest);
  }
}
