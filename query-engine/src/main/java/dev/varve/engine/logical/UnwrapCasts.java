package dev.varve.engine.logical;

import com.google.common.collect.Range;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.Sarg;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * {@code CAST(column AS wider) < literal}, and a comparison of two kinds of exact numbers, to
 * {@code column < literal of the column's type}, so that statistics can prune.
 *
 * <p>Sound because the cast loses nothing and keeps the order. A literal between two values of the
 * column's type is replaced by the one below it, with the comparison adjusted. Refuses for {@code
 * =} and {@code <>} with such a literal, and for literals outside the column's type.
 */
final class UnwrapCasts extends RexShuttle {
  private static final Set<SqlKind> COMPARISONS =
      Set.of(
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL);
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private final RexBuilder rex;

  UnwrapCasts(RexBuilder rex) {
    this.rex = rex;
  }

  @Override
  public RexNode visitCall(RexCall call) {
    RexCall inner = (RexCall) super.visitCall(call);
    if (inner.getKind() == SqlKind.SEARCH) {
      return search(inner);
    }
    if (!COMPARISONS.contains(inner.getKind())) {
      return inner;
    }
    RexNode left = inner.getOperands().getFirst();
    RexNode right = inner.getOperands().get(1);
    RexNode result = null;
    if (right instanceof RexLiteral literal) {
      result = comparison(inner.getKind(), left, literal);
    } else if (left instanceof RexLiteral literal) {
      result = comparison(inner.getKind().reverse(), right, literal);
    }
    return result == null ? inner : result;
  }

  /** The operand of a cast that loses nothing, or null. */
  private static @Nullable RexNode widened(RexNode node) {
    if (node.getKind() != SqlKind.CAST) {
      return null;
    }
    RexNode source = ((RexCall) node).getOperands().getFirst();
    return isWidening(source.getType(), node.getType()) ? source : null;
  }

  /**
   * What can be compared with a literal of its own type instead: below a cast, or beside a number
   * of another type.
   */
  private static @Nullable RexNode comparable(RexNode operand, RexLiteral literal) {
    RexNode source = widened(operand);
    if (source != null) {
      return source;
    }
    return SqlTypeUtil.isExactNumeric(operand.getType())
            && SqlTypeUtil.isExactNumeric(literal.getType())
            && !(operand instanceof RexLiteral)
            && !sameType(operand.getType(), literal.getType())
        ? operand
        : null;
  }

  private static boolean sameType(RelDataType a, RelDataType b) {
    return a.getSqlTypeName() == b.getSqlTypeName()
        && a.getPrecision() == b.getPrecision()
        && a.getScale() == b.getScale();
  }

  private static boolean isWidening(RelDataType from, RelDataType to) {
    if (SqlTypeUtil.isExactNumeric(from) && SqlTypeUtil.isExactNumeric(to)) {
      return to.getScale() >= from.getScale()
          && to.getPrecision() - to.getScale() >= from.getPrecision() - from.getScale();
    }
    return from.getSqlTypeName() == SqlTypeName.DATE
        && to.getSqlTypeName() == SqlTypeName.TIMESTAMP;
  }

  private @Nullable RexNode comparison(SqlKind kind, RexNode operand, RexLiteral literal) {
    RexNode column = comparable(operand, literal);
    if (column == null || literal.isNull()) {
      return null;
    }
    Floor floor = Floor.of(rex, literal, column.getType());
    if (floor == null) {
      return null;
    }
    SqlOperator operator =
        floor.exact
            ? operator(kind)
            : switch (kind) {
              case LESS_THAN, LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
              case GREATER_THAN, GREATER_THAN_OR_EQUAL -> SqlStdOperatorTable.GREATER_THAN;
              default -> null;
            };
    return operator == null ? null : rex.makeCall(operator, column, floor.literal);
  }

  private static SqlOperator operator(SqlKind kind) {
    return switch (kind) {
      case EQUALS -> SqlStdOperatorTable.EQUALS;
      case NOT_EQUALS -> SqlStdOperatorTable.NOT_EQUALS;
      case LESS_THAN -> SqlStdOperatorTable.LESS_THAN;
      case LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
      case GREATER_THAN -> SqlStdOperatorTable.GREATER_THAN;
      case GREATER_THAN_OR_EQUAL -> SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
      default -> throw new IllegalStateException(kind + " is no comparison");
    };
  }

  /** The greatest value of a type that is not above a literal. */
  private record Floor(RexNode literal, boolean exact) {
    static @Nullable Floor of(RexBuilder rex, RexLiteral literal, RelDataType type) {
      RelDataType notNull = rex.getTypeFactory().createTypeWithNullability(type, false);
      if (SqlTypeUtil.isExactNumeric(type)) {
        BigDecimal value = literal.getValueAs(BigDecimal.class);
        if (value == null) {
          return null;
        }
        BigDecimal floor = value.setScale(type.getScale(), RoundingMode.FLOOR);
        return fits(floor, type)
            ? new Floor(rex.makeExactLiteral(floor, notNull), floor.compareTo(value) == 0)
            : null;
      }
      TimestampString time = literal.getValueAs(TimestampString.class);
      if (time == null) {
        return null;
      }
      DateString day =
          DateString.fromDaysSinceEpoch(
              (int) Math.floorDiv(time.getMillisSinceEpoch(), MILLIS_PER_DAY));
      return new Floor(
          rex.makeDateLiteral(day), time.equals(new TimestampString(day + " 00:00:00")));
    }
  }

  private static boolean fits(BigDecimal value, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case TINYINT -> value.compareTo(BigDecimal.valueOf(value.byteValue())) == 0;
      case SMALLINT -> value.compareTo(BigDecimal.valueOf(value.shortValue())) == 0;
      case INTEGER -> value.compareTo(BigDecimal.valueOf(value.intValue())) == 0;
      case BIGINT -> value.compareTo(BigDecimal.valueOf(value.longValue())) == 0;
      default -> value.precision() - value.scale() <= type.getPrecision() - type.getScale();
    };
  }

  /** IN lists and ranges; comparisons one by one where an end is no value of the column's type. */
  private RexNode search(RexCall search) {
    RexNode column =
        search.getOperands().get(1) instanceof RexLiteral argument
            ? comparable(search.getOperands().getFirst(), argument)
            : null;
    if (column == null
        || !SqlTypeUtil.isExactNumeric(column.getType())
        || !(search.getOperands().get(1) instanceof RexLiteral literal)
        || !(literal.getValue() instanceof Sarg<?> sarg)) {
      return search;
    }
    for (Range<?> range : sarg.rangeSet.asRanges()) {
      if ((range.hasLowerBound() && !isExact(range.lowerEndpoint(), column.getType()))
          || (range.hasUpperBound() && !isExact(range.upperEndpoint(), column.getType()))) {
        return RexUtil.expandSearch(rex, null, search).accept(this);
      }
    }
    return rex.makeCall(
        search.getOperator(),
        List.of(
            column,
            rex.makeSearchArgumentLiteral(
                sarg, rex.getTypeFactory().createTypeWithNullability(column.getType(), false))));
  }

  private static boolean isExact(Object end, RelDataType type) {
    return end instanceof BigDecimal value
        && value.stripTrailingZeros().scale() <= type.getScale()
        && fits(value, type);
  }
}
