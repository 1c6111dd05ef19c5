package dev.varve.layout;

import java.util.OptionalLong;

/**
 * What is known of one column in one file or row group. Counts are empty when unknown; "unknown
 * null count" means there may be nulls, "unknown NaN count" that there may be NaNs.
 */
public record ColumnFacts(
    int fieldId,
    Bound lower,
    Bound upper,
    OptionalLong nullCount,
    OptionalLong nanCount,
    OptionalLong sizeBytes) {

  public static ColumnFacts unknown(int fieldId) {
    return new ColumnFacts(
        fieldId,
        Bound.UNKNOWN,
        Bound.UNKNOWN,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }
}
