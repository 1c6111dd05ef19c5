package dev.varve.layout;

import java.util.OptionalLong;

/**
 * What is known of one column in one file or row group. Counts are empty when unknown; "unknown
 * null count" means there may be nulls, "unknown NaN count" that there may be NaNs. The count of
 * distinct values is an estimate.
 */
public record ColumnFacts(
    int fieldId,
    Bound lower,
    Bound upper,
    OptionalLong nullCount,
    OptionalLong nanCount,
    OptionalLong sizeBytes,
    OptionalLong distinctCount) {

  /** Without an estimate of distinct values. */
  public ColumnFacts(
      int fieldId,
      Bound lower,
      Bound upper,
      OptionalLong nullCount,
      OptionalLong nanCount,
      OptionalLong sizeBytes) {
    this(fieldId, lower, upper, nullCount, nanCount, sizeBytes, OptionalLong.empty());
  }

  public static ColumnFacts unknown(int fieldId) {
    return new ColumnFacts(
        fieldId,
        Bound.UNKNOWN,
        Bound.UNKNOWN,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** The same with an estimate of distinct values. */
  public ColumnFacts withDistinctCount(OptionalLong distinct) {
    return new ColumnFacts(fieldId, lower, upper, nullCount, nanCount, sizeBytes, distinct);
  }
}
