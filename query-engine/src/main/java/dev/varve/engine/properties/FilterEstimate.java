package dev.varve.engine.properties;

import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.ArithmeticExpr;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.IsTrueExpr;
import dev.varve.engine.expr.LikeExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NegateExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.kernel.LikePattern;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How many rows conditions keep, and what is known of the columns of those that are kept.
 *
 * <p>Comparisons of a column with a constant, or of what can be solved for a column ({@code c + 1 <
 * 5}), narrow an interval for each column; the share of the column's own range that is left is the
 * share of rows, or one over the number of distinct values where only a point is left. Columns are
 * taken to be independent. What cannot be judged keeps the configured share.
 *
 * <p>Confined to one estimate.
 */
public final class FilterEstimate {
  /** Share of strings that a pattern with wildcards matches. */
  private static final double LIKE_SHARE = 0.1;

  private final Schema schema;
  private final Statistics input;
  private final double rows;
  private final double unknown;
  private final Map<Integer, Interval> narrowed = new HashMap<>();
  private final Map<Integer, ColumnStatistics> columns = new HashMap<>();

  private FilterEstimate(Schema schema, Statistics input, int unknownPercent) {
    this.schema = schema;
    this.input = input;
    this.rows = Math.max(1, input.rowCount().known().orElse(1L));
    this.unknown = unknownPercent / 100.0;
  }

  /**
   * The statistics of the rows for which all conditions are true.
   *
   * @param schema of the input, over which the conditions are
   * @param unknownPercent what a condition keeps that cannot be judged
   */
  public static Statistics of(
      List<PhysicalExpr> conditions, Schema schema, Statistics input, int unknownPercent) {
    if (conditions.isEmpty()) {
      return input;
    }
    FilterEstimate estimate = new FilterEstimate(schema, input, unknownPercent);
    double share = estimate.all(conditions);
    List<ColumnStatistics> kept = new ArrayList<>();
    for (int i = 0; i < input.columns().size(); i++) {
      ColumnStatistics column = input.columns().get(i);
      kept.add(estimate.columns.getOrDefault(i, column).toInexact());
    }
    return new Statistics(scaled(input.rowCount(), share), scaled(input.totalBytes(), share), kept);
  }

  /** At least one, if there were any: that nothing is left is never certain. */
  private static Precision<Long> scaled(Precision<Long> amount, double share) {
    return amount.map(n -> (long) Math.ceil(n * share)).map(n -> Math.max(n, 1)).toInexact();
  }

  private double all(List<PhysicalExpr> conditions) {
    double share = 1;
    for (PhysicalExpr condition : conditions) {
      if (condition instanceof AndExpr and) {
        share *= all(and.terms());
      } else if (!narrow(condition)) {
        share *= share(condition);
      }
    }
    for (Map.Entry<Integer, Interval> entry : narrowed.entrySet()) {
      double part = spread(entry.getKey()).share(entry.getValue()).orElse(unknown);
      share *= part;
      scaleDistinct(entry.getKey(), part);
    }
    narrowed.clear();
    return share;
  }

  private ColumnStatistics statistics(int column) {
    return columns.getOrDefault(column, input.columns().get(column));
  }

  private ColumnSpread spread(int column) {
    return ColumnSpread.of(input.columns().get(column), schema.type(column), rows);
  }

  /** Puts a comparison into the interval of a column; false if it cannot be solved for one. */
  private boolean narrow(PhysicalExpr condition) {
    if (!(condition instanceof ComparisonExpr(ComparisonOp op, PhysicalExpr left, var right))) {
      return false;
    }
    if (right instanceof LiteralExpr constant) {
      return narrow(op, left, constant);
    }
    return left instanceof LiteralExpr constant && narrow(op.swap(), right, constant);
  }

  private boolean narrow(ComparisonOp op, PhysicalExpr side, LiteralExpr constant) {
    Object value = constant.value();
    OptionalDouble at = value == null ? OptionalDouble.empty() : Interval.position(value);
    if (value == null || at.isEmpty()) {
      return false;
    }
    double step = Interval.step(side.type());
    Interval wanted =
        switch (op) {
          case EQ, IS_NOT_DISTINCT -> Interval.point(at.getAsDouble());
          case LT -> new Interval(Double.NEGATIVE_INFINITY, at.getAsDouble() - step);
          case LE -> new Interval(Double.NEGATIVE_INFINITY, at.getAsDouble());
          case GT -> new Interval(at.getAsDouble() + step, Double.POSITIVE_INFINITY);
          case GE -> new Interval(at.getAsDouble(), Double.POSITIVE_INFINITY);
          case NE, IS_DISTINCT -> Interval.ALL;
        };
    if (wanted.equals(Interval.ALL) || !solve(side, wanted)) {
      return false;
    }
    if (side instanceof ColumnExpr column) {
      tighten(column.index(), op, value);
    }
    return true;
  }

  /** What a column has to be for an expression to lie in an interval. */
  private boolean solve(PhysicalExpr expr, Interval wanted) {
    return switch (expr) {
      case ColumnExpr column -> {
        narrowed.merge(column.index(), wanted, Interval::intersect);
        yield true;
      }
      case CastExpr cast -> isMeasured(cast.child()) && solve(cast.child(), wanted);
      case NegateExpr negate -> solve(negate.child(), wanted.negated());
      case ArithmeticExpr arithmetic -> solve(arithmetic, wanted);
      default -> false;
    };
  }

  private boolean solve(ArithmeticExpr arithmetic, Interval wanted) {
    OptionalDouble right = constant(arithmetic.right());
    if (right.isPresent()) {
      double c = right.getAsDouble();
      return switch (arithmetic.op()) {
        case ADD -> solve(arithmetic.left(), wanted.minus(Interval.point(c)));
        case SUBTRACT -> solve(arithmetic.left(), wanted.plus(Interval.point(c)));
        case MULTIPLY -> c != 0 && solve(arithmetic.left(), wanted.times(1 / c));
        case DIVIDE -> c != 0 && solve(arithmetic.left(), wanted.times(c));
        case MODULO -> false;
      };
    }
    OptionalDouble left = constant(arithmetic.left());
    if (left.isEmpty()) {
      return false;
    }
    double c = left.getAsDouble();
    return switch (arithmetic.op()) {
      case ADD -> solve(arithmetic.right(), wanted.minus(Interval.point(c)));
      case SUBTRACT -> solve(arithmetic.right(), Interval.point(c).minus(wanted));
      case MULTIPLY -> c != 0 && solve(arithmetic.right(), wanted.times(1 / c));
      case DIVIDE, MODULO -> false;
    };
  }

  private static OptionalDouble constant(PhysicalExpr expr) {
    return expr instanceof LiteralExpr literal && literal.value() != null
        ? Interval.position(literal.value())
        : OptionalDouble.empty();
  }

  private static boolean isMeasured(PhysicalExpr expr) {
    return expr.type().isNumeric() || Interval.step(expr.type()) > 0;
  }

  /** The literal is a bound of what is left, and sound as such. */
  private void tighten(int column, ComparisonOp op, Object value) {
    ColumnStatistics before = statistics(column);
    boolean equal = op == ComparisonOp.EQ || op == ComparisonOp.IS_NOT_DISTINCT;
    boolean above = equal || op == ComparisonOp.GT || op == ComparisonOp.GE;
    boolean below = equal || op == ComparisonOp.LT || op == ComparisonOp.LE;
    columns.put(
        column,
        new ColumnStatistics(
            Precision.inexact(0L),
            above ? further(before.min(), value, 1) : before.min(),
            below ? further(before.max(), value, -1) : before.max(),
            before.distinctCount(),
            before.distinctLimit()));
  }

  private static Precision<Object> further(Precision<Object> known, Object value, int sign) {
    if (known.known().isEmpty()) {
      return Precision.inexact(value);
    }
    double a = Interval.position(known.known().get()).orElse(Double.NaN);
    double b = Interval.position(value).orElse(Double.NaN);
    boolean beyond = sign > 0 ? Double.compare(b, a) > 0 : Double.compare(b, a) < 0;
    return beyond ? Precision.inexact(value) : known.toInexact();
  }

  /** A condition on the column itself leaves about a share of its values. */
  private void scaleDistinct(int column, double share) {
    ColumnStatistics before = statistics(column);
    columns.put(
        column,
        before.withDistinct(
            before.distinctCount().map(n -> Math.max(1, (long) (n * share))),
            before.distinctLimit().map(n -> Math.max(1, (long) (n * share)))));
  }

  private void limitDistinct(int column, long most) {
    ColumnStatistics before = statistics(column);
    columns.put(
        column,
        new ColumnStatistics(
            Precision.inexact(0L),
            before.min(),
            before.max(),
            before.distinctCount().map(n -> Math.min(n, most)),
            Precision.inexact(Math.min(most, before.distinctLimit().known().orElse(most)))));
  }

  private double share(PhysicalExpr condition) {
    return Math.clamp(estimate(condition), 0.0, 1.0);
  }

  private double estimate(PhysicalExpr condition) {
    return switch (condition) {
      case LiteralExpr literal -> Boolean.TRUE.equals(literal.value()) ? 1 : 0;
      case AndExpr and -> part(and.terms());
      case OrExpr or -> {
        double none = 1;
        for (PhysicalExpr term : or.terms()) {
          none *= 1 - part(List.of(term));
        }
        yield 1 - none;
      }
      case NotExpr not -> 1 - part(List.of(not.child()));
      case IsTrueExpr truth -> {
        double share = part(List.of(truth.child()));
        yield truth.expected() != truth.negated() ? share : 1 - share;
      }
      case IsNullExpr(ColumnExpr column, boolean negated) -> {
        double nulls = spread(column.index()).nullFraction();
        yield negated ? 1 - nulls : nulls;
      }
      case ComparisonExpr comparison -> comparison(comparison);
      case InListExpr in -> in(in);
      case LikeExpr like -> like(like);
      default -> unknown;
    };
  }

  /** Terms under OR or NOT say nothing of the columns of what is kept. */
  private double part(List<PhysicalExpr> terms) {
    return Math.clamp(new FilterEstimate(schema, input, percent()).all(terms), 0.0, 1.0);
  }

  private int percent() {
    return (int) Math.round(unknown * 100);
  }

  private double comparison(ComparisonExpr comparison) {
    return switch (comparison.op()) {
      case EQ, IS_NOT_DISTINCT -> equality(comparison.left(), comparison.right());
      case NE, IS_DISTINCT -> 1 - equality(comparison.left(), comparison.right());
      case LT, LE -> less(comparison.left(), comparison.right());
      case GT, GE -> less(comparison.right(), comparison.left());
    };
  }

  private double equality(PhysicalExpr left, PhysicalExpr right) {
    if (left instanceof ColumnExpr a && right instanceof ColumnExpr b) {
      return 1 / Math.max(spread(a.index()).distinct(), spread(b.index()).distinct());
    }
    PhysicalExpr other = left instanceof ColumnExpr ? right : left;
    if ((left instanceof ColumnExpr ? left : right) instanceof ColumnExpr column) {
      double share = spread(column.index()).equalShare();
      if (other instanceof LiteralExpr) {
        limitDistinct(column.index(), 1);
      }
      return share;
    }
    return unknown;
  }

  private double less(PhysicalExpr left, PhysicalExpr right) {
    Interval a = range(left);
    Interval b = range(right);
    boolean bounded =
        Double.isFinite(a.low())
            && Double.isFinite(a.high())
            && Double.isFinite(b.low())
            && Double.isFinite(b.high());
    return bounded && !a.isEmpty() && !b.isEmpty() ? a.shareBelow(b) : unknown;
  }

  private double in(InListExpr in) {
    double share =
        in.child() instanceof ColumnExpr column
            ? Math.min(1, in.list().size() * spread(column.index()).equalShare())
            : unknown;
    if (!in.negated() && in.child() instanceof ColumnExpr column) {
      limitDistinct(column.index(), in.list().size());
    }
    return in.negated() ? 1 - share : share;
  }

  private double like(LikeExpr like) {
    LikePattern pattern = like.compiled();
    boolean exact =
        pattern != null
            && like.pattern() instanceof LiteralExpr literal
            && literal.value() instanceof String text
            && text.indexOf('%') < 0
            && text.indexOf('_') < 0;
    double share =
        exact && like.child() instanceof ColumnExpr column
            ? spread(column.index()).equalShare()
            : LIKE_SHARE;
    return like.negated() ? 1 - share : share;
  }

  /** What the values of an expression lie between, by the bounds of its columns. */
  private Interval range(PhysicalExpr expr) {
    return switch (expr) {
      case ColumnExpr column -> spread(column.index()).range().orElse(Interval.ALL);
      case LiteralExpr literal -> {
        OptionalDouble at = constant(literal);
        yield at.isPresent() ? Interval.point(at.getAsDouble()) : Interval.ALL;
      }
      case CastExpr cast -> isMeasured(cast.child()) ? range(cast.child()) : Interval.ALL;
      case NegateExpr negate -> range(negate.child()).negated();
      case ArithmeticExpr arithmetic -> range(arithmetic);
      default -> Interval.ALL;
    };
  }

  private Interval range(ArithmeticExpr arithmetic) {
    OptionalDouble constant = constant(arithmetic.right());
    return switch (arithmetic.op()) {
      case ADD -> range(arithmetic.left()).plus(range(arithmetic.right()));
      case SUBTRACT -> range(arithmetic.left()).minus(range(arithmetic.right()));
      case MULTIPLY, DIVIDE -> {
        if (constant.isEmpty() || constant.getAsDouble() == 0) {
          yield Interval.ALL;
        }
        double c = constant.getAsDouble();
        yield range(arithmetic.left()).times(arithmetic.op() == ArithmeticOp.MULTIPLY ? c : 1 / c);
      }
      case MODULO -> Interval.ALL;
    };
  }
}
