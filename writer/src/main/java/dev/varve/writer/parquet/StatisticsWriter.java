package dev.varve.writer.parquet;

import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;

/** Statistics as page headers and footers hold them. */
final class StatisticsWriter {
  private StatisticsWriter() {}

  static Statistics write(
      ParquetColumn column, ValueOrder order, PageStatistics known, int truncateBytes) {
    Statistics statistics = new Statistics().setNull_count(known.nulls());
    if (order == ValueOrder.FLOATING) {
      statistics.setNan_count(known.nans());
    }
    if (known.min() == null || known.max() == null) {
      return statistics;
    }
    byte[] min = order.bytes(known.min(), column.physical());
    byte[] max = order.bytes(known.max(), column.physical());
    byte[] lower = lower(column, min, truncateBytes);
    byte[] upper = upper(column, max, truncateBytes);
    return statistics
        .setMin_value(lower)
        .setIs_min_value_exact(lower == min)
        .setMax_value(upper)
        .setIs_max_value_exact(upper == max);
  }

  /** The same with bounds as short as a page index holds them. */
  static PageStatistics truncate(ParquetColumn column, PageStatistics known, int limit) {
    return known.min() instanceof byte[] min && known.max() instanceof byte[] max
        ? new PageStatistics(
            lower(column, min, limit), upper(column, max, limit), known.nulls(), known.nans())
        : known;
  }

  /** At most {@code limit} bytes that are no greater; the same array if it is short enough. */
  static byte[] lower(ParquetColumn column, byte[] value, int limit) {
    return column.physical() != Type.BYTE_ARRAY || value.length <= limit
        ? value
        : Truncation.lower(value, limit, column.isText());
  }

  /**
   * At most {@code limit} bytes that are no less; the same array if it is short enough, or if no
   * shorter value is as great.
   */
  static byte[] upper(ParquetColumn column, byte[] value, int limit) {
    if (column.physical() != Type.BYTE_ARRAY || value.length <= limit) {
      return value;
    }
    byte[] cut = Truncation.upper(value, limit, column.isText());
    return cut == null ? value : cut;
  }
}
