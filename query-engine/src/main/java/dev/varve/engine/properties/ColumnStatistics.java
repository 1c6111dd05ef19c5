package dev.varve.engine.properties;

import org.jspecify.annotations.Nullable;

/**
 * Of one output column: values as {@link dev.varve.engine.batch.Column#value} gives them. Bounds
 * exclude nulls and NaN; an inexact bound is sound, never an estimate.
 */
public record ColumnStatistics(
    Precision<Long> nullCount,
    Precision<Object> min,
    Precision<Object> max,
    Precision<Long> distinctCount) {
  public static final ColumnStatistics UNKNOWN =
      new ColumnStatistics(
          Precision.absent(), Precision.absent(), Precision.absent(), Precision.absent());

  public ColumnStatistics toInexact() {
    return new ColumnStatistics(
        nullCount.toInexact(), min.toInexact(), max.toInexact(), distinctCount.toInexact());
  }

  /** The minimum, exact or not. */
  public @Nullable Object lower() {
    return min.known().orElse(null);
  }

  public @Nullable Object upper() {
    return max.known().orElse(null);
  }
}
