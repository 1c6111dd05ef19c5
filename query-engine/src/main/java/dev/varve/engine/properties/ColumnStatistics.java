package dev.varve.engine.properties;

import org.jspecify.annotations.Nullable;

/**
 * Of one output column: values as {@link dev.varve.engine.batch.Column#value} gives them. Bounds
 * exclude nulls and NaN; an inexact bound is sound. Where only some of the rows were looked at,
 * bounds are estimates, beyond which values may lie.
 *
 * @param distinctCount how many different values the column's table has among the rows that
 *     conditions on the column itself leave, where that was counted or estimated from data.
 *     Conditions on other columns do not change it: it is the domain that joins are about
 * @param distinctLimit the most there can be, by the range of values and the rows of the table
 */
public record ColumnStatistics(
    Precision<Long> nullCount,
    Precision<Object> min,
    Precision<Object> max,
    Precision<Long> distinctCount,
    Precision<Long> distinctLimit) {
  public static final ColumnStatistics UNKNOWN =
      new ColumnStatistics(
          Precision.absent(), Precision.absent(), Precision.absent(), Precision.absent());

  /** Without a limit on distinct values. */
  public ColumnStatistics(
      Precision<Long> nullCount,
      Precision<Object> min,
      Precision<Object> max,
      Precision<Long> distinctCount) {
    this(nullCount, min, max, distinctCount, Precision.absent());
  }

  public ColumnStatistics toInexact() {
    return new ColumnStatistics(
        nullCount.toInexact(),
        min.toInexact(),
        max.toInexact(),
        distinctCount.toInexact(),
        distinctLimit.toInexact());
  }

  /** The same values with nulls among them, however many. */
  public ColumnStatistics withNulls() {
    return new ColumnStatistics(Precision.absent(), min, max, distinctCount, distinctLimit);
  }

  public ColumnStatistics withDistinct(Precision<Long> count, Precision<Long> limit) {
    return new ColumnStatistics(nullCount, min, max, count, limit);
  }

  /** Whether values may lie beyond the bounds. */
  public boolean mayLieBeyond() {
    return min.isEstimate() || max.isEstimate();
  }

  /** The minimum, exact or not. */
  public @Nullable Object lower() {
    return min.known().orElse(null);
  }

  public @Nullable Object upper() {
    return max.known().orElse(null);
  }
}
