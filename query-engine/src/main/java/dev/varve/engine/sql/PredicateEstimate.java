package dev.varve.engine.sql;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import java.util.Calendar;
import java.util.List;
import java.util.OptionalDouble;
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

/** The share of a table's rows for which a predicate over its columns is true. */
final class PredicateEstimate {
  private static final double UNKNOWN = 0.25;
  private static final double RANGE = 0.3;
  private static final double LIKE = 0.1;
  private static final double MILLIS_PER_SECOND = 1000;

  private final TableEstimates table;

  PredicateEstimate(TableEstimates table) {
    this.table = table;
  }

  double share(RexNode predicate) {
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
      case AND -> operands.stream().mapToDouble(this::share).reduce(1, (a, b) -> a * b);
      case OR -> 1 - operands.stream().mapToDouble(o -> 1 - share(o)).reduce(1, (a, b) -> a * b);
      case NOT -> 1 - share(operands.getFirst());
      case IS_NULL ->
          operands.getFirst() instanceof RexInputRef column
              ? table.nullFraction(column.getIndex())
              : 0.05;
      case IS_NOT_NULL ->
          operands.getFirst() instanceof RexInputRef column
              ? 1 - table.nullFraction(column.getIndex())
              : 0.95;
      case LIKE -> LIKE;
      case SEARCH -> search(operands.getFirst(), operands.get(1));
      case EQUALS, IS_NOT_DISTINCT_FROM -> equality(operands.getFirst(), operands.get(1));
      case NOT_EQUALS -> 1 - equality(operands.getFirst(), operands.get(1));
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison(call.getKind(), operands.getFirst(), operands.get(1));
      default -> UNKNOWN;
    };
  }

  private double equality(RexNode left, RexNode right) {
    if (left instanceof RexInputRef a && right instanceof RexInputRef b) {
      return 1 / Math.max(table.distinctValues(a.getIndex()), table.distinctValues(b.getIndex()));
    }
    RexInputRef column = column(left, right);
    return column == null
        ? 0.1
        : (1 - table.nullFraction(column.getIndex())) / table.distinctValues(column.getIndex());
  }

  private static @Nullable RexInputRef column(RexNode left, RexNode right) {
    return left instanceof RexInputRef a ? a : right instanceof RexInputRef b ? b : null;
  }

  private double comparison(SqlKind kind, RexNode left, RexNode right) {
    if (left instanceof RexLiteral && right instanceof RexInputRef) {
      return comparison(kind.reverse(), right, left);
    }
    if (!(left instanceof RexInputRef column) || !(right instanceof RexLiteral literal)) {
      return RANGE;
    }
    OptionalDouble below = below(column.getIndex(), literal.getValue(), literal.getTypeName());
    if (below.isEmpty()) {
      return RANGE;
    }
    boolean less = kind == SqlKind.LESS_THAN || kind == SqlKind.LESS_THAN_OR_EQUAL;
    return (1 - table.nullFraction(column.getIndex()))
        * (less ? below.getAsDouble() : 1 - below.getAsDouble());
  }

  private double search(RexNode operand, RexNode argument) {
    if (!(operand instanceof RexInputRef column)
        || !(argument instanceof RexLiteral literal)
        || !(literal.getValue() instanceof Sarg<?> sarg)) {
      return UNKNOWN;
    }
    if (sarg.isComplementedPoints()) {
      return 1 - Math.min(1, sarg.pointCount / table.distinctValues(column.getIndex()));
    }
    double share = 0;
    for (Range<?> range : sarg.rangeSet.asRanges()) {
      share += range(column.getIndex(), range, literal.getType().getSqlTypeName());
    }
    return share * (1 - table.nullFraction(column.getIndex()));
  }

  private double range(int column, Range<?> range, SqlTypeName type) {
    if (range.hasLowerBound()
        && range.hasUpperBound()
        && range.lowerBoundType() == BoundType.CLOSED
        && range.lowerEndpoint().equals(range.upperEndpoint())) {
      return 1 / table.distinctValues(column);
    }
    OptionalDouble low =
        range.hasLowerBound() ? below(column, range.lowerEndpoint(), type) : OptionalDouble.of(0);
    OptionalDouble high =
        range.hasUpperBound() ? below(column, range.upperEndpoint(), type) : OptionalDouble.of(1);
    return low.isPresent() && high.isPresent()
        ? Math.max(high.getAsDouble() - low.getAsDouble(), 1 / table.distinctValues(column))
        : RANGE;
  }

  private OptionalDouble below(int column, @Nullable Object value, SqlTypeName type) {
    return table.shareBelow(
        column,
        switch (value) {
          case Number number -> number;
          // Calcite keeps a literal date as days, a timestamp as milliseconds, in a calendar.
          case Calendar calendar ->
              type == SqlTypeName.DATE
                  ? (Object) (calendar.getTimeInMillis() / 86_400_000.0)
                  : calendar.getTimeInMillis() / MILLIS_PER_SECOND;
          case DateString date -> (double) date.getDaysSinceEpoch();
          case TimestampString time -> time.getMillisSinceEpoch() / MILLIS_PER_SECOND;
          case null, default -> null;
        });
  }
}
