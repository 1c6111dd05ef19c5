package dev.varve.layout;

import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How many distinct values a column has over several parts (row groups, files) when each part says
 * how many it has itself.
 *
 * <p>The answer lies between the largest part and the sum of all; where depends on whether parts
 * hold the same values. Two observations decide: how many parts' ranges lie over one another at a
 * value, and how often a part repeats its own values. Parts that lie over one another are taken for
 * samples of one domain, whose size follows from what one sample shows; parts beside one another
 * share nothing. An estimate, never a bound.
 */
public final class DistinctEstimate {
  /** What one part knows; {@code values} are its rows that are not null. */
  public record Part(Bound lower, Bound upper, long values, long distinct) {}

  private DistinctEstimate() {}

  /** Of the facts of one column in several parts. */
  public static OptionalLong combine(List<Part> parts) {
    return combine(parts, 1);
  }

  /**
   * The same over {@code times} as many parts, of which these were taken evenly: those that lie
   * over one another are that much deeper, those beside one another that many more.
   */
  public static OptionalLong combine(List<Part> parts, double times) {
    List<Part> filled = parts.stream().filter(p -> p.values() > 0).toList();
    if (filled.isEmpty()) {
      return OptionalLong.of(0);
    }
    long sum = 0;
    long largest = 0;
    long values = 0;
    for (Part part : filled) {
      sum += part.distinct();
      values += part.values();
      largest = Math.max(largest, part.distinct());
    }
    if (filled.size() == 1) {
      return OptionalLong.of((long) (sum * times));
    }
    double depth = depth(filled);
    double count = filled.size();
    double partValues = values / count;
    double domain = domain(sum / count, partValues);
    double allDepth = depth > 1 ? depth * times : 1;
    double pooled = drawn(domain, partValues * allDepth);
    double estimate = pooled * count * times / allDepth;
    return OptionalLong.of((long) Math.clamp(estimate, (double) largest, sum * times));
  }

  /** Distinct values expected among {@code n} drawn from {@code domain} equally likely ones. */
  public static double drawn(double domain, double n) {
    return domain == Double.POSITIVE_INFINITY ? n : domain * -Math.expm1(-n / domain);
  }

  /** The size of the domain of which {@code n} draws show {@code distinct} values. */
  private static double domain(double distinct, double n) {
    if (distinct >= n * 0.9999) {
      return Double.POSITIVE_INFINITY;
    }
    double low = distinct;
    double high = distinct;
    while (drawn(high, n) < distinct) {
      high *= 2;
    }
    for (int i = 0; i < 50 && high - low > low * 1e-4; i++) {
      double middle = (low + high) / 2;
      if (drawn(middle, n) < distinct) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /**
   * How many parts' ranges lie over an average value: 1 if none overlap, the number of parts if all
   * have the same range or a range is unknown.
   */
  private static double depth(List<Part> parts) {
    int common = commonPrefix(parts);
    if (common < 0) {
      return parts.size();
    }
    record Range(double low, double high) {}
    List<Range> ranges = new ArrayList<>();
    double lengths = 0;
    double shortest = Double.POSITIVE_INFINITY;
    for (Part part : parts) {
      double low = position(key(part.lower()), common);
      double high = Math.max(low, position(key(part.upper()), common));
      ranges.add(new Range(low, high));
      lengths += high - low;
      if (high > low) {
        shortest = Math.min(shortest, high - low);
      }
    }
    if (shortest == Double.POSITIVE_INFINITY) {
      // Points: as deep as there are parts for each different one.
      long points = ranges.stream().distinct().count();
      return (double) parts.size() / points;
    }
    ranges.sort(Comparator.comparingDouble(Range::low));
    double covered = 0;
    double end = Double.NEGATIVE_INFINITY;
    for (Range range : ranges) {
      covered += Math.max(0, range.high() - Math.max(range.low(), end));
      end = Math.max(end, range.high());
    }
    return covered > 0 ? Math.clamp(lengths / covered, 1.0, (double) parts.size()) : parts.size();
  }

  /** The length of what all bounds begin with; -1 if one is unknown. */
  private static int commonPrefix(List<Part> parts) {
    EncodedKey first = key(parts.getFirst().lower());
    if (first == null) {
      return -1;
    }
    int common = first.length();
    for (Part part : parts) {
      for (Bound bound : List.of(part.lower(), part.upper())) {
        EncodedKey key = key(bound);
        if (key == null) {
          return -1;
        }
        int n = 0;
        while (n < common && n < key.length() && key.byteAt(n) == first.byteAt(n)) {
          n++;
        }
        common = n;
      }
    }
    return common;
  }

  /** Where a key lies between 0 and 1, by the bytes after the common ones. */
  private static double position(@Nullable EncodedKey key, int common) {
    double position = 0;
    double weight = 1;
    for (int i = common; key != null && i < Math.min(key.length(), common + 7); i++) {
      weight /= 256;
      position += (key.byteAt(i) & 0xff) * weight;
    }
    return position;
  }

  private static @Nullable EncodedKey key(Bound bound) {
    return switch (bound) {
      case Bound.Exact(EncodedKey key) -> key;
      case Bound.Inexact(EncodedKey key) -> key;
      case Bound.Unknown _ -> null;
    };
  }
}
