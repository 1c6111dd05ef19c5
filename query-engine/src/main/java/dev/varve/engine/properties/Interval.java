package dev.varve.engine.properties;

import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A closed stretch of the number line that the values of a type lie on, for estimates: rounding
 * moves its ends, so nothing may be proved by one. Without values if {@code low > high}.
 */
public record Interval(double low, double high) {
  public static final Interval ALL =
      new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  public static final Interval NONE =
      new Interval(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

  /** The place of a value, as {@link dev.varve.engine.batch.Column#value} gives it. */
  public static OptionalDouble position(Object value) {
    return switch (value) {
      case BigDecimal decimal -> OptionalDouble.of(decimal.doubleValue());
      case Number number -> position(number.doubleValue());
      case Boolean truth -> OptionalDouble.of(truth ? 1 : 0);
      case LocalDate date -> OptionalDouble.of(date.toEpochDay());
      case LocalDateTime time -> OptionalDouble.of(seconds(time.toInstant(ZoneOffset.UTC)));
      case Instant instant -> OptionalDouble.of(seconds(instant));
      case LocalTime time -> OptionalDouble.of(time.toNanoOfDay() / 1e9);
      default -> OptionalDouble.empty();
    };
  }

  private static OptionalDouble position(double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static double seconds(Instant instant) {
    return instant.getEpochSecond() + instant.getNano() / 1e9;
  }

  /** The distance of neighbouring values of a type; 0 where they lie as close as one likes. */
  public static double step(DataType type) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, DATE -> 1;
      case DECIMAL -> Math.pow(10, -type.scale());
      default -> 0;
    };
  }

  public static Interval point(double at) {
    return new Interval(at, at);
  }

  /** Between the known bounds of a column; empty if one of them is missing. */
  public static Optional<Interval> of(ColumnStatistics column) {
    Object low = column.lower();
    Object high = column.upper();
    if (low == null || high == null) {
      return Optional.empty();
    }
    OptionalDouble from = position(low);
    OptionalDouble to = position(high);
    return from.isPresent() && to.isPresent() && from.getAsDouble() <= to.getAsDouble()
        ? Optional.of(new Interval(from.getAsDouble(), to.getAsDouble()))
        : Optional.empty();
  }

  public boolean isEmpty() {
    return low > high;
  }

  public boolean isPoint() {
    return low == high;
  }

  public Interval intersect(Interval other) {
    return new Interval(Math.max(low, other.low), Math.min(high, other.high));
  }

  /** How many values with this distance lie in it, or its length where that is 0. */
  public double size(double step) {
    return isEmpty() ? 0 : step > 0 ? (high - low) / step + 1 : high - low;
  }

  public Interval plus(Interval other) {
    return new Interval(low + other.low, high + other.high);
  }

  public Interval minus(Interval other) {
    return new Interval(low - other.high, high - other.low);
  }

  public Interval negated() {
    return new Interval(-high, -low);
  }

  /** Each value times a factor that is not 0. */
  public Interval times(double factor) {
    return factor > 0
        ? new Interval(low * factor, high * factor)
        : new Interval(high * factor, low * factor);
  }

  /**
   * The share of pairs of independent, evenly spread values of this and of {@code other} in which
   * this one's is the smaller.
   */
  public double shareBelow(Interval other) {
    int steps = 32;
    double share = 0;
    for (int i = 0; i < steps; i++) {
      double at = isPoint() ? low : low + (high - low) * (i + 0.5) / steps;
      share +=
          other.isPoint()
              ? (at < other.low ? 1 : 0)
              : Math.clamp((other.high - at) / (other.high - other.low), 0.0, 1.0);
    }
    return share / steps;
  }
}
