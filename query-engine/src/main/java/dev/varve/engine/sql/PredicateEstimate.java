package dev.varve.engine.sql;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.properties.Interval;
import java.util.Calendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.Sarg;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * The share of rows for which a predicate over their columns is true. Comparisons of one column
 * with constants that stand under one AND are one interval.
 */
public final class PredicateEstimate {
  private static final double UNKNOWN =
      EngineSettings.DEFAULT_FILTER_SELECTIVITY.defaultValue() / 100.0;
  private static final double LIKE = 0.1;
  private static final double MILLIS_PER_SECOND = 1000;
  private static final double MILLIS_PER_DAY = 86_400_000;

  private final IntFunction<ColumnSpread> columns;

  private PredicateEstimate(IntFunction<ColumnSpread> columns) {
    this.columns = columns;
  }

  /** {@code columns} tells how the values of an input's columns lie, by position. */
  public static double share(RexNode predicate, IntFunction<ColumnSpread> columns) {
    return new PredicateEstimate(columns).share(predicate);
  }

  private double share(RexNode predicate) {
    return Math.clamp(estimate(predicate), 0.0, 1.0);
  }

  private double estimate(RexNode predicate) {
    if (predicate.isAlwaysTrue()) {
      return 1;
    }
    if (predicate.isAlwaysFalse()) {
      return 0;
    }
    if (!(predicate instanceof RexCall call)) {
      return predicate instanceof RexInputRef ? 0.5 : UNKNOWN;
    }
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case AND -> all(operands);
      case OR -> 1 - operands.stream().mapToDouble(o -> 1 - share(o)).reduce(1, (a, b) -> a * b);
      case NOT -> 1 - share(operands.getFirst());
      case IS_NULL ->
          operands.getFirst() instanceof RexInputRef column
              ? columns.apply(column.getIndex()).nullFraction()
              : 0.05;
      case IS_NOT_NULL ->
          operands.getFirst() instanceof RexInputRef column
              ? 1 - columns.apply(column.getIndex()).nullFraction()
              : 0.95;
      case IS_TRUE, IS_NOT_FALSE -> share(operands.getFirst());
      case IS_FALSE, IS_NOT_TRUE -> 1 - share(operands.getFirst());
      case LIKE -> LIKE;
      case SEARCH -> search(operands.getFirst(), operands.get(1));
      case EQUALS, IS_NOT_DISTINCT_FROM -> equality(predicate, operands);
      case NOT_EQUALS, IS_DISTINCT_FROM -> 1 - equality(predicate, operands);
      case LESS_THAN, LESS_THAN_OR_EQUAL -> less(predicate, operands.getFirst(), operands.get(1));
      case GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          less(predicate, operands.get(1), operands.getFirst());
      default -> UNKNOWN;
    };
  }

  private double all(List<RexNode> terms) {
    Map<Integer, Interval> intervals = new HashMap<>();
    double share = 1;
    for (RexNode term : terms) {
      Comparison comparison = comparison(term);
      if (comparison != null) {
        intervals.merge(comparison.column(), comparison.interval(), Interval::intersect);
      } else {
        share *= share(term);
      }
    }
    for (Map.Entry<Integer, Interval> entry : intervals.entrySet()) {
      share *= columns.apply(entry.getKey()).share(entry.getValue()).orElse(UNKNOWN);
    }
    return share;
  }

  /** What a comparison leaves of a column. */
  private record Comparison(int column, Interval interval) {}

  private @Nullable Comparison comparison(RexNode term) {
    if (!(term instanceof RexCall call) || call.getOperands().size() != 2) {
      return null;
    }
    RexNode left = uncast(call.getOperands().get(0));
    RexNode right = uncast(call.getOperands().get(1));
    if (left instanceof RexInputRef column && right instanceof RexLiteral literal) {
      return comparison(call.getKind(), column, literal);
    }
    return left instanceof RexLiteral literal && right instanceof RexInputRef column
        ? comparison(call.getKind().reverse(), column, literal)
        : null;
  }

  /** A cast between types whose values have a place keeps the place. */
  private static RexNode uncast(RexNode node) {
    return node instanceof RexCall cast
            && cast.getKind() == SqlKind.CAST
            && hasPlace(cast.getType().getSqlTypeName())
            && hasPlace(cast.getOperands().get(0).getType().getSqlTypeName())
        ? cast.getOperands().get(0)
        : node;
  }

  private static boolean hasPlace(SqlTypeName type) {
    return SqlTypeName.NUMERIC_TYPES.contains(type) || SqlTypeName.DATETIME_TYPES.contains(type);
  }

  private @Nullable Comparison comparison(SqlKind kind, RexInputRef column, RexLiteral literal) {
    OptionalDouble at = position(literal.getValue(), literal.getTypeName(), column.getType());
    if (at.isEmpty()) {
      return null;
    }
    double value = at.getAsDouble();
    double step = columns.apply(column.getIndex()).step();
    double least = Double.NEGATIVE_INFINITY;
    double most = Double.POSITIVE_INFINITY;
    Interval interval =
        switch (kind) {
          case EQUALS -> Interval.point(value);
          case LESS_THAN -> new Interval(least, value - step);
          case LESS_THAN_OR_EQUAL -> new Interval(least, value);
          case GREATER_THAN -> new Interval(value + step, most);
          case GREATER_THAN_OR_EQUAL -> new Interval(value, most);
          default -> Interval.ALL;
        };
    return interval.equals(Interval.ALL) ? null : new Comparison(column.getIndex(), interval);
  }

  private double equality(RexNode predicate, List<RexNode> operands) {
    Comparison comparison = comparison(predicate);
    if (comparison != null) {
      return columns.apply(comparison.column()).share(comparison.interval()).orElse(UNKNOWN);
    }
    RexNode left = operands.get(0);
    RexNode right = operands.get(1);
    if (left instanceof RexInputRef a && right instanceof RexInputRef b) {
      return 1
          / Math.max(
              columns.apply(a.getIndex()).distinct(), columns.apply(b.getIndex()).distinct());
    }
    if (left instanceof RexInputRef column) {
      return columns.apply(column.getIndex()).equalShare();
    }
    return right instanceof RexInputRef column
        ? columns.apply(column.getIndex()).equalShare()
        : UNKNOWN;
  }

  private double less(RexNode predicate, RexNode smaller, RexNode larger) {
    Comparison comparison = comparison(predicate);
    if (comparison != null) {
      return columns.apply(comparison.column()).share(comparison.interval()).orElse(UNKNOWN);
    }
    if (smaller instanceof RexInputRef a && larger instanceof RexInputRef b) {
      Optional<Interval> left = columns.apply(a.getIndex()).range();
      Optional<Interval> right = columns.apply(b.getIndex()).range();
      if (left.isPresent() && right.isPresent()) {
        return left.get().shareBelow(right.get());
      }
    }
    return UNKNOWN;
  }

  private double search(RexNode operand, RexNode argument) {
    if (!(uncast(operand) instanceof RexInputRef column)
        || !(argument instanceof RexLiteral literal)
        || !(literal.getValue() instanceof Sarg<?> sarg)) {
      return UNKNOWN;
    }
    ColumnSpread spread = columns.apply(column.getIndex());
    if (sarg.isComplementedPoints()) {
      return (1 - spread.nullFraction()) - Math.min(1, sarg.pointCount * spread.equalShare());
    }
    double share = 0;
    for (Range<?> range : sarg.rangeSet.asRanges()) {
      share += range(spread, range, literal.getType().getSqlTypeName(), column.getType());
    }
    return share;
  }

  private static double range(
      ColumnSpread spread, Range<?> range, SqlTypeName type, RelDataType column) {
    boolean point =
        range.hasLowerBound()
            && range.hasUpperBound()
            && range.lowerEndpoint().equals(range.upperEndpoint());
    OptionalDouble low =
        range.hasLowerBound()
            ? position(range.lowerEndpoint(), type, column)
            : OptionalDouble.of(Double.NEGATIVE_INFINITY);
    OptionalDouble high =
        range.hasUpperBound()
            ? position(range.upperEndpoint(), type, column)
            : OptionalDouble.of(Double.POSITIVE_INFINITY);
    if (low.isEmpty() || high.isEmpty()) {
      return point ? spread.equalShare() : UNKNOWN;
    }
    boolean openLow = range.hasLowerBound() && range.lowerBoundType() == BoundType.OPEN;
    boolean openHigh = range.hasUpperBound() && range.upperBoundType() == BoundType.OPEN;
    return spread
        .share(
            new Interval(
                low.getAsDouble() + (openLow ? spread.step() : 0),
                high.getAsDouble() - (openHigh ? spread.step() : 0)))
        .orElse(UNKNOWN);
  }

  /** A literal's place among a column's values: dates in days, times in seconds. */
  private static OptionalDouble position(
      @Nullable Object value, SqlTypeName type, RelDataType column) {
    boolean inDays = column.getSqlTypeName() == SqlTypeName.DATE;
    return switch (value) {
      case null -> OptionalDouble.empty();
      // Calcite keeps literals of dates and times as milliseconds, in a calendar.
      case Calendar calendar -> ofMillis(calendar.getTimeInMillis(), inDays);
      case DateString date -> ofMillis(date.getMillisSinceEpoch(), inDays);
      case TimestampString time -> ofMillis(time.getMillisSinceEpoch(), inDays);
      default ->
          SqlTypeName.DATETIME_TYPES.contains(type)
              ? OptionalDouble.empty()
              : Interval.position(value);
    };
  }

  private static OptionalDouble ofMillis(long millis, boolean inDays) {
    return OptionalDouble.of(millis / (inDays ? MILLIS_PER_DAY : MILLIS_PER_SECOND));
  }
}
