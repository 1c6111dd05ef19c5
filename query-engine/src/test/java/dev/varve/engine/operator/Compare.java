package dev.varve.engine.operator;

import dev.varve.engine.ordering.SortOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The order of values, one at a time: the slow twin of encoded keys. */
final class Compare {
  private Compare() {}

  static int values(@Nullable Object a, @Nullable Object b, SortOptions options) {
    if (a == null || b == null) {
      int order = a == b ? 0 : a == null ? 1 : -1;
      return options.nullsFirst() ? -order : order;
    }
    int order = notNull(a, b);
    return options.descending() ? -order : order;
  }

  @SuppressWarnings("unchecked")
  private static int notNull(Object a, Object b) {
    return switch (a) {
      case Double d -> Double.compare(d, (Double) b);
      case Float f -> Float.compare(f, (Float) b);
      case String s ->
          java.util.Arrays.compareUnsigned(
              s.getBytes(java.nio.charset.StandardCharsets.UTF_8),
              ((String) b).getBytes(java.nio.charset.StandardCharsets.UTF_8));
      case UUID u -> {
        UUID other = (UUID) b;
        int high = Long.compareUnsigned(u.getMostSignificantBits(), other.getMostSignificantBits());
        yield high != 0
            ? high
            : Long.compareUnsigned(u.getLeastSignificantBits(), other.getLeastSignificantBits());
      }
      default -> ((Comparable<Object>) a).compareTo(b);
    };
  }

  static Comparator<List<@Nullable Object>> rows(List<Integer> columns, List<SortOptions> options) {
    return (left, right) -> {
      for (int k = 0; k < columns.size(); k++) {
        int order = values(left.get(columns.get(k)), right.get(columns.get(k)), options.get(k));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  static List<List<@Nullable Object>> sorted(
      List<List<@Nullable Object>> rows, Comparator<List<@Nullable Object>> order) {
    List<List<@Nullable Object>> sorted = new ArrayList<>(rows);
    sorted.sort(order);
    return sorted;
  }
}
