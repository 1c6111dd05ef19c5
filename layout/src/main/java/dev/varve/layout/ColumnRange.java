package dev.varve.layout;

import dev.varve.layout.key.EncodedKey;
import java.util.List;
import java.util.Optional;

/**
 * A condition that a conjunct puts on one column: every row the query needs has a non-null value in
 * the closed range [lower, upper] (an empty end is open), or, with {@code nullAllowed}, a null. NaN
 * lies above every number, so a range without upper end admits NaN.
 *
 * @param points where present, the values of the range that are meant, ascending: a value that is
 *     not among them is none that the query needs. Without any, only a null is.
 */
public record ColumnRange(
    int fieldId,
    Optional<EncodedKey> lower,
    Optional<EncodedKey> upper,
    boolean nullAllowed,
    Optional<List<EncodedKey>> points) {
  public ColumnRange {
    points = points.map(List::copyOf);
  }

  public ColumnRange(
      int fieldId, Optional<EncodedKey> lower, Optional<EncodedKey> upper, boolean nullAllowed) {
    this(fieldId, lower, upper, nullAllowed, Optional.empty());
  }

  /** One of some values, ascending. */
  public static ColumnRange of(int fieldId, List<EncodedKey> points, boolean nullAllowed) {
    return new ColumnRange(
        fieldId,
        points.isEmpty() ? Optional.empty() : Optional.of(points.getFirst()),
        points.isEmpty() ? Optional.empty() : Optional.of(points.getLast()),
        nullAllowed,
        Optional.of(points));
  }

  /**
   * Whether a value that is meant can lie in [from, to], where an empty end is open: false only if
   * none does.
   */
  public boolean meets(Optional<EncodedKey> from, Optional<EncodedKey> to) {
    if (!notAbove(from, upper) || !notAbove(lower, to)) {
      return false;
    }
    if (points.isEmpty()) {
      return true;
    }
    List<EncodedKey> values = points.get();
    int low = 0;
    int high = values.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (from.isPresent() && values.get(middle).compareTo(from.get()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < values.size() && notAbove(Optional.of(values.get(low)), to);
  }

  private static boolean notAbove(Optional<EncodedKey> least, Optional<EncodedKey> most) {
    return least.isEmpty() || most.isEmpty() || least.get().compareTo(most.get()) <= 0;
  }
}
