package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.LeadingKey;
import dev.varve.catalog.index.IndexQueries.Point;
import dev.varve.catalog.index.Lines.Level;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding.Part;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ids of the files alive at a point of a line, ascending: all, or those that the leading key of
 * a sort order does not rule out. Safe for concurrent use.
 *
 * <p>Background work moves rows while this reads, one statement after the other: from a line to one
 * that forked from it, and from an order id to a greater one. So the lines are read from the oldest
 * up and the order ids from the least up, what was shadowed is taken away before the rows that
 * shadow are added, and files of no order id that was asked for come last: a row that moves is seen
 * at one of its places at least.
 */
final class LiveFiles {
  private static final int MOST_KEPT_SPLITS = 64;

  private final Map<List<Long>, SplitKeys> splits =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Long>, SplitKeys> eldest) {
          return size() > MOST_KEPT_SPLITS;
        }
      };

  /** All files alive at a point. */
  long[] all(Sql sql, long tableId, Point at) throws SQLException {
    return over(
        sql,
        tableId,
        at,
        level -> SortedIds.of(IndexQueries.live(sql, tableId, level)),
        (ids, line) -> SortedIds.of(IndexQueries.shadows(sql, tableId, line)));
  }

  /**
   * The files that the leading key of an order leaves of those that may hold rows within the
   * ranges; none where no range is of such a key.
   */
  Optional<long[]> byKey(Sql sql, long tableId, Point at, List<ColumnRange> ranges)
      throws SQLException {
    if (ranges.isEmpty()) {
      return Optional.empty();
    }
    List<LeadingKey> orders = IndexQueries.leadingKeys(sql, tableId);
    for (ColumnRange range : ranges) {
      boolean bounded = range.lower().isPresent() || range.upper().isPresent();
      // Where nulls match, both ends of the order may hold rows.
      List<LeadingKey> keys =
          orders.stream().filter(order -> order.fieldId() == range.fieldId()).toList();
      if (bounded && !range.nullAllowed() && !keys.isEmpty()) {
        return Optional.of(
            over(
                sql,
                tableId,
                at,
                level -> within(sql, tableId, level, keys, range),
                (ids, line) -> SortedIds.of(IndexQueries.shadowing(sql, tableId, line, ids))));
      }
    }
    return Optional.empty();
  }

  private long[] within(Sql sql, long tableId, Level at, List<LeadingKey> keys, ColumnRange range)
      throws SQLException {
    List<Long> ids = new ArrayList<>();
    for (LeadingKey key : keys) {
      // The place of nulls does not matter to keys of values.
      Part part = new Part(key.type(), key.direction(), NullOrder.NULLS_LAST);
      boolean ascending = key.direction() == SortDirection.ASC;
      Optional<EncodedKey> first = ascending ? range.lower() : range.upper();
      Optional<EncodedKey> last = ascending ? range.upper() : range.lower();
      ids.addAll(
          IndexQueries.liveBetween(
              sql,
              tableId,
              at,
              key.orderId(),
              splits(sql, tableId, key.orderId()),
              first.map(value -> LifeKey.prefix(part, value, false)).orElse(LifeKey.LEAST),
              last.map(value -> LifeKey.prefix(part, value, true)).orElse(LifeKey.GREATEST)));
    }
    int[] asked = keys.stream().mapToInt(LeadingKey::orderId).toArray();
    ids.addAll(IndexQueries.liveOutsideOrders(sql, tableId, at, asked));
    return SortedIds.of(ids);
  }

  private interface Rows {
    long[] at(Level level) throws SQLException;
  }

  private interface Shadows {
    /** Those of the ids that a line shadows; more do no harm. */
    long[] of(long[] ids, long line) throws SQLException;
  }

  private static long[] over(Sql sql, long tableId, Point at, Rows rows, Shadows shadows)
      throws SQLException {
    while (true) {
      List<Level> levels = Lines.levels(sql, tableId, at);
      long[] ids = SortedIds.NONE;
      for (Level level : levels.reversed()) {
        if (ids.length > 0) {
          ids = SortedIds.minus(ids, shadows.of(ids, level.lineId()));
        }
        ids = SortedIds.union(ids, rows.at(level));
      }
      // A line that a fork no longer needs may be cleaned up at once.
      if (levels.size() == 1 || levels.equals(Lines.levels(sql, tableId, at))) {
        return ids;
      }
    }
  }

  private SplitKeys splits(Sql sql, long tableId, int orderId) throws SQLException {
    List<Long> key = List.of(tableId, (long) orderId);
    synchronized (splits) {
      SplitKeys known = splits.get(key);
      if (known != null) {
        return known;
      }
    }
    SplitKeys read = IndexQueries.splits(sql, tableId, orderId);
    synchronized (splits) {
      splits.put(key, read);
    }
    return read;
  }
}
