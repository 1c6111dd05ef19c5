package dev.varve.writer.parquet;

/** Bounds of floating point values. */
final class FloatBounds {
  private FloatBounds() {}

  /**
   * A bound of zero stands for both zeros: the lower end is -0.0 and the upper +0.0, as Parquet
   * wants it.
   *
   * @param numbers how many values are not NaN
   */
  static PageStatistics of(double least, double greatest, int numbers, long nulls, long nans) {
    return numbers == 0
        ? new PageStatistics(null, null, nulls, nans)
        : new PageStatistics(
            least == 0 ? -0.0 : least, greatest == 0 ? 0.0 : greatest, nulls, nans);
  }
}
