package dev.varve.engine.sql;

import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.OptionalDouble;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Estimates about a table's columns for join order: distinct values, null fractions, and how many
 * rows a predicate keeps. Nothing here may change an answer.
 */
public final class TableEstimates {
  /** Rows assumed of a table that does not tell. */
  private static final double UNKNOWN_ROWS = 1_000_000;

  /** Share of a table's rows assumed to be distinct values of a column that does not tell. */
  private static final double UNKNOWN_DISTINCT_SHARE = 0.1;

  private final Schema schema;
  private final Statistics statistics;
  private final double rows;

  TableEstimates(Schema schema, Statistics statistics) {
    this.schema = schema;
    this.statistics = statistics;
    this.rows =
        Math.max(1, statistics.rowCount().known().map(Long::doubleValue).orElse(UNKNOWN_ROWS));
  }

  public double rows() {
    return rows;
  }

  public double nullFraction(int column) {
    return column(column).nullCount().known().map(nulls -> Math.min(1, nulls / rows)).orElse(0.0);
  }

  public double distinctValues(int column) {
    ColumnStatistics facts = column(column);
    double limit = Math.max(1, rows * (1 - nullFraction(column)));
    OptionalDouble range = range(column);
    double distinct =
        facts
            .distinctCount()
            .known()
            .map(Long::doubleValue)
            .orElseGet(
                () ->
                    range.isPresent()
                        ? range.getAsDouble() + 1
                        : Math.max(1, rows * UNKNOWN_DISTINCT_SHARE));
    return Math.max(1, Math.min(limit, distinct));
  }

  /** The span of a column of whole numbers or days; empty for other types. */
  private OptionalDouble range(int column) {
    DataType type = schema.type(column);
    if (!type.isInteger() && type != DataType.DATE && type != DataType.BOOLEAN) {
      return OptionalDouble.empty();
    }
    if (type == DataType.BOOLEAN) {
      return OptionalDouble.of(1);
    }
    OptionalDouble low = number(column(column).lower());
    OptionalDouble high = number(column(column).upper());
    return low.isPresent() && high.isPresent()
        ? OptionalDouble.of(Math.max(0, high.getAsDouble() - low.getAsDouble()))
        : OptionalDouble.empty();
  }

  /** The share of non-null values below a value, by linear interpolation between the bounds. */
  OptionalDouble shareBelow(int column, @Nullable Object value) {
    OptionalDouble low = number(column(column).lower());
    OptionalDouble high = number(column(column).upper());
    OptionalDouble at = number(value);
    if (low.isEmpty() || high.isEmpty() || at.isEmpty()) {
      return OptionalDouble.empty();
    }
    double width = high.getAsDouble() - low.getAsDouble();
    if (!(width > 0)) {
      return OptionalDouble.of(at.getAsDouble() > low.getAsDouble() ? 1 : 0);
    }
    return OptionalDouble.of(Math.clamp((at.getAsDouble() - low.getAsDouble()) / width, 0.0, 1.0));
  }

  private ColumnStatistics column(int column) {
    return column < statistics.columns().size()
        ? statistics.columns().get(column)
        : ColumnStatistics.UNKNOWN;
  }

  /** A value on the number line that its type's order follows. */
  static OptionalDouble number(@Nullable Object value) {
    return switch (value) {
      case BigDecimal decimal -> OptionalDouble.of(decimal.doubleValue());
      case Number number -> OptionalDouble.of(number.doubleValue());
      case LocalDate date -> OptionalDouble.of(date.toEpochDay());
      case LocalDateTime time -> OptionalDouble.of(seconds(time.toInstant(ZoneOffset.UTC)));
      case Instant instant -> OptionalDouble.of(seconds(instant));
      case LocalTime time -> OptionalDouble.of(time.toNanoOfDay() / 1e9);
      case null, default -> OptionalDouble.empty();
    };
  }

  private static double seconds(Instant instant) {
    return instant.getEpochSecond() + instant.getNano() / 1e9;
  }

  /** The share of rows for which a predicate over the table's columns is true. */
  public double selectivity(@Nullable RexNode predicate) {
    return predicate == null ? 1.0 : new PredicateEstimate(this).share(predicate);
  }

  /** Different combinations of some columns' values among the rows that a predicate keeps. */
  public double distinctRows(ImmutableBitSet columns, @Nullable RexNode predicate) {
    double distinct = 1;
    for (int column : columns) {
      distinct *= distinctValues(column) + (nullFraction(column) > 0 ? 1 : 0);
    }
    double selected = rows * selectivity(predicate);
    Double estimate = RelMdUtil.numDistinctVals(Math.min(distinct, rows), selected);
    return estimate == null ? selected : estimate;
  }
}
