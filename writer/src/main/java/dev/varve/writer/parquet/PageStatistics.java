package dev.varve.writer.parquet;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the values of a page or chunk, exactly. {@code min} and {@code max} are over the
 * values that are neither null nor NaN; null where there is none. They are a Long (booleans,
 * integers, decimals of up to 18 digits, dates, times), a Double, or the bytes of a string, binary,
 * uuid, or longer decimal (two's complement, big-endian).
 */
record PageStatistics(@Nullable Object min, @Nullable Object max, long nulls, long nans) {
  static final PageStatistics NONE = new PageStatistics(null, null, 0, 0);

  PageStatistics merge(PageStatistics other, ValueOrder order) {
    return new PageStatistics(
        order.least(min, other.min),
        order.greatest(max, other.max),
        nulls + other.nulls,
        nans + other.nans);
  }
}
