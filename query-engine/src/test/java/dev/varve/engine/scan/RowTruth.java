package dev.varve.engine.scan;

import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.IsTrueExpr;
import dev.varve.engine.expr.LikeExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Three-valued evaluation of filters, row by row over Java values: the slow twin of the engine. */
final class RowTruth {
  private RowTruth() {}

  static boolean isTrue(PhysicalExpr filter, List<? extends @Nullable Object> row) {
    return Boolean.TRUE.equals(value(filter, row));
  }

  static @Nullable Object value(PhysicalExpr expr, List<? extends @Nullable Object> row) {
    return switch (expr) {
      case ColumnExpr column -> row.get(column.index());
      case LiteralExpr literal -> literal.value();
      case CastExpr cast -> cast(value(cast.child(), row), cast);
      case AndExpr and -> junction(and.terms(), row, false);
      case OrExpr or -> junction(or.terms(), row, true);
      case NotExpr not -> not(value(not.child(), row));
      case IsNullExpr is -> (value(is.child(), row) == null) != is.negated();
      case IsTrueExpr is ->
          Boolean.valueOf(is.expected()).equals(value(is.child(), row)) != is.negated();
      case ComparisonExpr comparison -> compare(comparison, row);
      case InListExpr in -> in(in, row);
      case LikeExpr like -> like(like, row);
      default -> throw new IllegalArgumentException(expr.toString());
    };
  }

  private static @Nullable Object cast(@Nullable Object value, CastExpr cast) {
    if (value == null) {
      return null;
    }
    return switch (cast.type().kind()) {
      case BIGINT -> ((Number) value).longValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case DECIMAL -> new BigDecimal(value.toString()).setScale(cast.type().scale());
      case TIMESTAMP -> ((LocalDate) value).atStartOfDay();
      default -> throw new IllegalArgumentException(cast.toString());
    };
  }

  private static @Nullable Object not(@Nullable Object value) {
    return value == null ? null : !(Boolean) value;
  }

  private static @Nullable Object junction(
      List<PhysicalExpr> terms, List<? extends @Nullable Object> row, boolean deciding) {
    boolean unknown = false;
    for (PhysicalExpr term : terms) {
      Object value = value(term, row);
      if (value == null) {
        unknown = true;
      } else if ((Boolean) value == deciding) {
        return deciding;
      }
    }
    return unknown ? null : !deciding;
  }

  private static @Nullable Object compare(
      ComparisonExpr comparison, List<? extends @Nullable Object> row) {
    Object left = value(comparison.left(), row);
    Object right = value(comparison.right(), row);
    if (left == null || right == null) {
      return switch (comparison.op()) {
        case IS_DISTINCT -> left != right;
        case IS_NOT_DISTINCT -> left == right;
        default -> null;
      };
    }
    int order = order(left, right);
    return switch (comparison.op()) {
      case EQ, IS_NOT_DISTINCT -> order == 0;
      case NE, IS_DISTINCT -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int order(Object left, Object right) {
    if (left instanceof String a && right instanceof String b) {
      return Arrays.compareUnsigned(
          a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
    if (left instanceof Double a && right instanceof Double b) {
      return Double.compare(a + 0.0, b + 0.0);
    }
    return ((Comparable) left).compareTo(right);
  }

  private static @Nullable Object in(InListExpr in, List<? extends @Nullable Object> row) {
    Object value = value(in.child(), row);
    if (value == null) {
      return null;
    }
    boolean unknown = false;
    for (PhysicalExpr item : in.list()) {
      Object candidate = value(item, row);
      if (candidate == null) {
        unknown = true;
      } else if (order(value, candidate) == 0) {
        return !in.negated();
      }
    }
    return unknown ? null : in.negated();
  }

  private static @Nullable Object like(LikeExpr like, List<? extends @Nullable Object> row) {
    Object value = value(like.child(), row);
    Object pattern = value(like.pattern(), row);
    if (value == null || pattern == null) {
      return null;
    }
    StringBuilder regex = new StringBuilder();
    String text = (String) pattern;
    int[] points = text.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      String c = Character.toString(points[i]);
      if (like.escape().equals(c)) {
        regex.append(Pattern.quote(Character.toString(points[++i])));
      } else if (c.equals("%")) {
        regex.append(".*");
      } else if (c.equals("_")) {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(c));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher((String) value).matches()
        != like.negated();
  }
}
