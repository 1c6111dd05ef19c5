package dev.varve.engine.properties;

import dev.varve.engine.type.DataType;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How the values of a column are taken to lie: evenly between the bounds, as many different ones as
 * were counted or as can be.
 *
 * @param rows of the table or input, nulls included
 * @param counted how many distinct values there are, if that was counted or estimated from data
 * @param limit the most distinct values there can be, of the table before conditions on other
 *     columns
 * @param range between the bounds, for types whose values have a place
 * @param beyond whether values may lie beyond the range, of which only some rows told
 * @param step the distance of neighbouring values; 0 where they lie as close as one likes
 */
public record ColumnSpread(
    double rows,
    double nullFraction,
    OptionalDouble counted,
    OptionalDouble limit,
    Optional<Interval> range,
    boolean beyond,
    double step) {
  /** Share of rows assumed to be distinct values of a column of which nothing is known. */
  private static final double UNKNOWN_DISTINCT_SHARE = 0.1;

  /** Distinct values such a column has at least, if it has as many rows. */
  private static final double UNKNOWN_DISTINCT = 200;

  /** {@code rows} is that of the input, at least 1. */
  public static ColumnSpread of(ColumnStatistics column, DataType type, double rows) {
    return new ColumnSpread(
        rows,
        column.nullCount().known().map(n -> Math.clamp(n / rows, 0.0, 1.0)).orElse(0.0),
        number(column.distinctCount()),
        number(column.distinctLimit()),
        Interval.of(column),
        column.mayLieBeyond(),
        Interval.step(type));
  }

  private static OptionalDouble number(Precision<Long> count) {
    return count.known().map(n -> OptionalDouble.of(Math.max(1, n))).orElse(OptionalDouble.empty());
  }

  /** The rows that are not null. */
  private double values() {
    return Math.max(1, rows * (1 - nullFraction));
  }

  /** The most distinct values that there can be. */
  public double possible() {
    if (limit.isPresent()) {
      return limit.getAsDouble();
    }
    return range.isPresent() && step > 0
        ? Math.clamp(range.get().size(step), 1.0, values())
        : values();
  }

  /** How many distinct values to expect: counted, or else as many as there can be. */
  public double domain() {
    return counted.orElse(possible());
  }

  /** The same, more careful of columns about which nothing is known at all. */
  public double distinct() {
    double found =
        counted.isPresent() || (range.isPresent() && step > 0)
            ? domain()
            : Math.min(values(), Math.max(UNKNOWN_DISTINCT, values() * UNKNOWN_DISTINCT_SHARE));
    return Math.max(1, found);
  }

  /** The share of rows that have one certain value. */
  public double equalShare() {
    return (1 - nullFraction) / distinct();
  }

  /** The share of rows with a value in an interval; empty if nothing tells. */
  public OptionalDouble share(Interval wanted) {
    if (range.isEmpty()) {
      return wanted.isPoint() ? OptionalDouble.of(equalShare()) : OptionalDouble.empty();
    }
    Interval all = range.get();
    Interval cut = all.intersect(wanted);
    if (cut.isEmpty()) {
      return OptionalDouble.of(beyond ? equalShare() : 0);
    }
    if (all.isPoint() || cut.equals(all)) {
      return OptionalDouble.of(1 - nullFraction);
    }
    double share = cut.isPoint() ? 0 : cut.size(step) / all.size(step);
    return OptionalDouble.of(
        (1 - nullFraction) * Math.clamp(Math.max(share, 1 / distinct()), 0.0, 1.0));
  }

  /** Among rows that a condition on this column leaves. */
  public ColumnSpread scaled(double share) {
    return new ColumnSpread(
        Math.max(1, rows * share),
        0,
        counted.isPresent()
            ? OptionalDouble.of(Math.max(1, counted.getAsDouble() * share))
            : counted,
        OptionalDouble.of(Math.max(1, possible() * share)),
        range,
        beyond,
        step);
  }

  /**
   * The size of the domain that two columns of a join have in common: the larger where both were
   * counted; where one was not, its limit says little and the other one decides. Of two limits the
   * smaller is that of the side whose values are unique, if one is.
   */
  public static double joined(ColumnSpread left, ColumnSpread right) {
    if (left.counted.isPresent() == right.counted.isPresent()) {
      return left.counted.isPresent()
          ? Math.max(left.domain(), right.domain())
          : Math.min(left.domain(), right.domain());
    }
    return left.counted.isPresent() ? left.domain() : right.domain();
  }
}
