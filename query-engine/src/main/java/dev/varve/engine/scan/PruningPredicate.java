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
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.kernel.LikePattern;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Filters rewritten once into a {@link Condition}. What has no such form is {@link
 * Condition#UNKNOWN}: it keeps every container. Safe for concurrent use.
 */
final class PruningPredicate {
  /** Longer IN lists are compared with bounds, but not probed value by value. */
  private static final int MAX_PROBES = 100;

  private final Condition condition;

  private PruningPredicate(Condition condition) {
    this.condition = condition;
  }

  /** The conjunction of filters over the table's columns. */
  static PruningPredicate of(List<PhysicalExpr> filters) {
    return new PruningPredicate(
        new Condition.And(filters.stream().map(PruningPredicate::rewrite).toList()));
  }

  Condition condition() {
    return condition;
  }

  boolean mayMatch(ContainerFacts facts) {
    return (condition.possible(facts) & Condition.TRUE) != 0;
  }

  /** Whether a filter can skip anything. */
  static boolean isUseful(PhysicalExpr filter) {
    java.util.BitSet columns = new java.util.BitSet();
    Condition condition = rewrite(filter);
    condition.collectColumns(columns);
    return !columns.isEmpty() || !condition.equals(Condition.UNKNOWN);
  }

  static Condition rewrite(PhysicalExpr expr) {
    return switch (expr) {
      case AndExpr and -> new Condition.And(rewriteAll(and.terms()));
      case OrExpr or -> new Condition.Or(rewriteAll(or.terms()));
      case NotExpr not -> new Condition.Not(rewrite(not.child()));
      case IsTrueExpr is -> {
        Condition condition = new Condition.Is(rewrite(is.child()), is.expected());
        yield is.negated() ? new Condition.Not(condition) : condition;
      }
      case IsNullExpr is ->
          operand(is.child())
              .<Condition>map(Condition.IsNull::new)
              .map(c -> is.negated() ? new Condition.Not(c) : c)
              .orElse(Condition.UNKNOWN);
      case ComparisonExpr comparison -> comparison(comparison);
      case InListExpr in -> in(in);
      case LikeExpr like -> like(like);
      case ColumnExpr column when column.type().kind() == TypeKind.BOOLEAN ->
          compare(column, ComparisonOp.EQ, LiteralExpr.of(true));
      case LiteralExpr literal -> constant(literal);
      default -> Condition.UNKNOWN;
    };
  }

  private static List<Condition> rewriteAll(List<PhysicalExpr> terms) {
    return terms.stream().map(PruningPredicate::rewrite).toList();
  }

  private static Condition constant(LiteralExpr literal) {
    if (literal.isNull()) {
      return new Condition.Constant(Condition.NULL);
    }
    return literal.value() instanceof Boolean value
        ? new Condition.Constant(value ? Condition.TRUE : Condition.FALSE)
        : Condition.UNKNOWN;
  }

  private static Condition comparison(ComparisonExpr expr) {
    if (expr.right() instanceof LiteralExpr literal) {
      return compare(expr.left(), expr.op(), literal);
    }
    if (expr.left() instanceof LiteralExpr literal) {
      return compare(expr.right(), expr.op().swap(), literal);
    }
    return Condition.UNKNOWN;
  }

  private static Condition compare(PhysicalExpr side, ComparisonOp op, LiteralExpr literal) {
    Condition.Operand operand = operand(side).orElse(null);
    if (operand == null) {
      return Condition.UNKNOWN;
    }
    if (literal.isNull()) {
      return switch (op) {
        case IS_NOT_DISTINCT -> new Condition.IsNull(operand);
        case IS_DISTINCT -> new Condition.Not(new Condition.IsNull(operand));
        default -> new Condition.Constant(Condition.NULL);
      };
    }
    if (side.type().isDecimal() && literal.type().isDecimal()) {
      return compareDecimals(side, operand, op, literal);
    }
    return side.type().equals(literal.type())
        ? new Condition.Compare(operand, op, key(literal), probe(side, literal))
        : Condition.UNKNOWN;
  }

  /** Decimals of two scales are compared in the larger one. */
  private static Condition compareDecimals(
      PhysicalExpr side, Condition.Operand operand, ComparisonOp op, LiteralExpr literal) {
    int scale = Math.max(side.type().scale(), literal.type().scale());
    Condition.Operand scaled =
        new Condition.Operand(
            operand.column(),
            false,
            operand.mapping().then(BoundMapping.scaled(scale - side.type().scale())));
    BigDecimal value = (BigDecimal) literal.value();
    if (value == null) {
      return Condition.UNKNOWN;
    }
    EncodedKey key =
        KeyEncoding.encodeValue(KeyType.DECIMAL, value.setScale(scale).unscaledValue());
    return new Condition.Compare(scaled, op, key, probe(side, literal));
  }

  /**
   * The value that a row of the column must have where the side equals the literal, in the column's
   * own type; null where that is not exactly one.
   */
  private static @Nullable LiteralExpr probe(PhysicalExpr side, LiteralExpr literal) {
    if (side instanceof ColumnExpr column) {
      return convert(literal, column.type());
    }
    if (side instanceof CastExpr cast
        && cast.child() instanceof ColumnExpr column
        && (column.type().isInteger() || column.type().isDecimal())
        && (cast.type().isInteger() || cast.type().isDecimal())) {
      return convert(literal, column.type());
    }
    return null;
  }

  private static @Nullable LiteralExpr convert(LiteralExpr literal, DataType type) {
    if (literal.type().equals(type)) {
      return literal;
    }
    Object value = literal.value();
    if (value == null) {
      return null;
    }
    try {
      BigDecimal number = new BigDecimal(value.toString());
      if (type.isDecimal()) {
        BigDecimal exact = number.setScale(type.scale());
        return exact.precision() <= type.precision() ? new LiteralExpr(exact, type) : null;
      }
      return switch (type.kind()) {
        case SMALLINT -> new LiteralExpr(number.shortValueExact(), type);
        case INTEGER -> new LiteralExpr(number.intValueExact(), type);
        case BIGINT -> new LiteralExpr(number.longValueExact(), type);
        default -> null;
      };
    } catch (ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  private static Condition in(InListExpr in) {
    Condition.Operand operand = operand(in.child()).orElse(null);
    if (operand == null) {
      return Condition.UNKNOWN;
    }
    record Entry(EncodedKey key, @Nullable LiteralExpr probe) {}
    List<Entry> entries = new ArrayList<>();
    boolean hasNull = false;
    for (PhysicalExpr item : in.list()) {
      if (!(item instanceof LiteralExpr literal)) {
        return Condition.UNKNOWN;
      }
      if (literal.isNull()) {
        hasNull = true;
      } else {
        entries.add(new Entry(key(literal), probe(in.child(), literal)));
      }
    }
    entries.sort(Comparator.comparing(Entry::key));
    List<LiteralExpr> probes = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.probe != null && entries.size() <= MAX_PROBES) {
        probes.add(entry.probe);
      }
    }
    Condition condition =
        new Condition.In(
            operand,
            entries.stream().map(Entry::key).toList(),
            probes.size() == entries.size() ? probes : List.of(),
            hasNull);
    return in.negated() ? new Condition.Not(condition) : condition;
  }

  private static Condition like(LikeExpr like) {
    LikePattern pattern = like.compiled();
    Condition.Operand operand = operand(like.child()).orElse(null);
    if (pattern == null || operand == null || like.caseInsensitive()) {
      return Condition.UNKNOWN;
    }
    byte[] prefix = pattern.prefix();
    Condition condition;
    if (pattern.isExact()) {
      condition =
          new Condition.Compare(
              operand,
              ComparisonOp.EQ,
              EncodedKey.of(prefix),
              new LiteralExpr(
                  new String(prefix, java.nio.charset.StandardCharsets.UTF_8), DataType.VARCHAR));
    } else if (prefix.length > 0) {
      condition =
          new Condition.Prefix(
              operand,
              EncodedKey.of(prefix),
              Condition.Prefix.next(prefix),
              pattern.isPrefixOnly());
    } else {
      return Condition.UNKNOWN;
    }
    return like.negated() ? new Condition.Not(condition) : condition;
  }

  private static Optional<Condition.Operand> operand(PhysicalExpr expr) {
    if (expr instanceof ColumnExpr column) {
      return ColumnKeys.type(column.type())
          .map(
              type ->
                  new Condition.Operand(
                      column.index(), type == KeyType.FLOATING, BoundMapping.IDENTITY));
    }
    if (expr instanceof CastExpr cast) {
      return operand(cast.child())
          .flatMap(
              inner ->
                  BoundMapping.of(cast.child().type(), cast.type())
                      .map(
                          mapping ->
                              new Condition.Operand(
                                  inner.column(),
                                  inner.floating(),
                                  inner.mapping().then(mapping))));
    }
    return Optional.empty();
  }

  private static EncodedKey key(LiteralExpr literal) {
    return ColumnKeys.encode(literal.single(), 0);
  }
}
