package dev.varve.engine.operator;

import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.Schema;
import java.util.OptionalLong;

/** Arithmetic of skip and fetch. */
final class Limits {
  private Limits() {}

  static OptionalLong tighter(OptionalLong fetch, long limit) {
    return OptionalLong.of(fetch.isPresent() ? Math.min(fetch.getAsLong(), limit) : limit);
  }

  /**
   * Statistics of an input cut to {@code fetch} rows of each of {@code partitions} after {@code
   * skip}. The row count stays exact only over one partition; column facts are those of more rows.
   */
  static Statistics statistics(
      Statistics input, Schema schema, long skip, OptionalLong fetch, int partitions) {
    long most =
        fetch.isEmpty() || fetch.getAsLong() > Long.MAX_VALUE / Math.max(1, partitions)
            ? Long.MAX_VALUE
            : fetch.getAsLong() * partitions;
    Precision<Long> rows = input.rowCount().map(n -> Math.min(most, Math.max(0, n - skip)));
    if (rows instanceof Precision.Absent<Long>() && most < Long.MAX_VALUE) {
      rows = Precision.inexact(most);
    }
    if (rows.equals(input.rowCount()) && input.rowCount().isExact()) {
      return input;
    }
    return new Statistics(
        partitions > 1 ? rows.toInexact() : rows,
        Sizes.estimate(rows, schema).orElse(Precision.absent()),
        input.columns().stream().map(ColumnStatistics::toInexact).toList());
  }
}
