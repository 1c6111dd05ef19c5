package dev.varve.engine.physical;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.Conversions;
import dev.varve.engine.function.TypeMapping;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.util.Sarg;

/**
 * {@code SEARCH(x, Sarg)}: a union of points and ranges, with an answer of its own for null. Points
 * become IN, ranges comparisons.
 */
final class SearchTranslator {
  private SearchTranslator() {}

  static PhysicalExpr translate(PhysicalExpr value, RexLiteral argument) {
    Sarg<?> sarg = Objects.requireNonNull(argument.getValueAs(Sarg.class));
    DataType type = TypeMapping.toDataType(argument.getType());
    PhysicalExpr condition = condition(value, sarg, type);
    return switch (sarg.nullAs) {
      case UNKNOWN -> condition;
      case TRUE ->
          value.nullable()
              ? new OrExpr(List.of(new IsNullExpr(value, false), condition))
              : condition;
      case FALSE ->
          value.nullable()
              ? new AndExpr(List.of(new IsNullExpr(value, true), condition))
              : condition;
    };
  }

  private static PhysicalExpr condition(PhysicalExpr value, Sarg<?> sarg, DataType type) {
    if (sarg.isAll() || sarg.isNone()) {
      return constant(value, sarg.isAll(), sarg.nullAs);
    }
    if (sarg.isComplementedPoints()) {
      List<PhysicalExpr> points = new ArrayList<>();
      for (Range<?> range : sarg.rangeSet.complement().asRanges()) {
        points.add(literal(range.lowerEndpoint(), type));
      }
      return points(value, points, true);
    }
    List<PhysicalExpr> points = new ArrayList<>();
    List<PhysicalExpr> terms = new ArrayList<>();
    for (Range<?> range : sarg.rangeSet.asRanges()) {
      boolean point =
          range.hasLowerBound()
              && range.hasUpperBound()
              && range.lowerEndpoint().equals(range.upperEndpoint());
      if (point) {
        points.add(literal(range.lowerEndpoint(), type));
      } else {
        terms.add(range(value, range, type));
      }
    }
    if (!points.isEmpty()) {
      terms.addFirst(points(value, points, false));
    }
    return Exprs.disjunction(terms);
  }

  /** TRUE or FALSE, but null for a null where nulls are unknown. */
  private static PhysicalExpr constant(PhysicalExpr value, boolean all, RexUnknownAs nullAs) {
    if (nullAs != RexUnknownAs.UNKNOWN || !value.nullable()) {
      return LiteralExpr.of(all);
    }
    PhysicalExpr unknownForNull = new ComparisonExpr(ComparisonOp.EQ, value, value);
    return all ? unknownForNull : new NotExpr(unknownForNull);
  }

  private static PhysicalExpr points(
      PhysicalExpr value, List<PhysicalExpr> points, boolean negated) {
    if (points.size() == 1) {
      return compare(negated ? ComparisonOp.NE : ComparisonOp.EQ, value, points.get(0));
    }
    DataType common = value.type();
    for (PhysicalExpr point : points) {
      common = common(common, point.type());
    }
    DataType meeting = common;
    return new InListExpr(
        Literals.cast(value, meeting),
        points.stream().map(point -> Literals.cast(point, meeting)).toList(),
        negated);
  }

  /**
   * The type in which a value and an endpoint are compared. Endpoints keep the type that their
   * literal had, so the value must never be narrowed to it.
   */
  private static DataType common(DataType value, DataType endpoint) {
    DataType common = Conversions.common(value, endpoint);
    if (common == null) {
      throw new IllegalStateException("a search of " + value + " among " + endpoint);
    }
    return common;
  }

  private static PhysicalExpr range(PhysicalExpr value, Range<?> range, DataType type) {
    List<PhysicalExpr> bounds = new ArrayList<>();
    if (range.hasLowerBound()) {
      boolean closed = range.lowerBoundType() == BoundType.CLOSED;
      bounds.add(
          compare(
              closed ? ComparisonOp.GE : ComparisonOp.GT,
              value,
              literal(range.lowerEndpoint(), type)));
    }
    if (range.hasUpperBound()) {
      boolean closed = range.upperBoundType() == BoundType.CLOSED;
      bounds.add(
          compare(
              closed ? ComparisonOp.LE : ComparisonOp.LT,
              value,
              literal(range.upperEndpoint(), type)));
    }
    return Exprs.conjunction(bounds);
  }

  private static PhysicalExpr compare(ComparisonOp op, PhysicalExpr value, PhysicalExpr literal) {
    if (value.type().isDecimal() && literal.type().isDecimal()) {
      return new ComparisonExpr(op, value, Literals.atScaleOf(literal, value.type()));
    }
    DataType common = common(value.type(), literal.type());
    return new ComparisonExpr(op, Literals.cast(value, common), Literals.cast(literal, common));
  }

  /** A search argument holds its numbers exactly, whatever the precision of its type says. */
  private static LiteralExpr literal(Object endpoint, DataType type) {
    Object plain = Literals.fromComparable(endpoint, type);
    if (type.isDecimal() && endpoint instanceof BigDecimal exact) {
      BigDecimal stripped = exact.stripTrailingZeros();
      int scale = Math.max(type.scale(), Math.max(0, stripped.scale()));
      int whole =
          Math.max(type.precision() - type.scale(), stripped.precision() - stripped.scale());
      int precision = Math.clamp(whole + scale, 1, DataType.MAX_DECIMAL_PRECISION);
      DataType exactType = DataType.decimal(precision, Math.min(scale, precision));
      return new LiteralExpr(exact, exactType);
    }
    return new LiteralExpr(plain, type);
  }
}
