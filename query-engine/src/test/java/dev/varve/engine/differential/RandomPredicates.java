package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Conditions: comparisons, lists, patterns, sub-queries, and what AND, OR and IS make of them. */
final class RandomPredicates {
  private final RandomExpressions all;
  private final Random random;
  private final RandomValues values;
  private final RandomExpressions.SubQueries subQueries;

  RandomPredicates(RandomExpressions all, Random random, RandomExpressions.SubQueries subQueries) {
    this.all = all;
    this.random = random;
    this.values = new RandomValues(random);
    this.subQueries = subQueries;
  }

  Expr condition(Scope scope, int depth) {
    return switch (random.nextInt(depth > 0 ? 16 : 7)) {
      case 0, 1, 2 -> comparison(scope, depth);
      case 3 -> {
        Expr operand = all.any(scope, depth - 1);
        yield Expr.bool(
            "{0} IS " + all.pick("NULL", "NOT NULL"), RandomExpressions.brackets(operand));
      }
      case 4 -> between(scope, depth);
      case 5 -> inList(scope);
      case 6 -> like(scope, depth);
      case 7 ->
          Expr.bool(
              "({0} AND {1})", all.predicate(scope, depth - 1), all.predicate(scope, depth - 1));
      case 8, 9 ->
          Expr.bool(
              "({0} OR {1})", all.predicate(scope, depth - 1), all.predicate(scope, depth - 1));
      case 10 -> Expr.bool("NOT ({0})", all.predicate(scope, depth - 1));
      case 11 ->
          Expr.bool(
              "({0}) IS " + all.pick("TRUE", "NOT TRUE", "FALSE", "NOT FALSE", "UNKNOWN"),
              all.predicate(scope, depth - 1));
      case 12 -> {
        Expr left = all.any(scope, depth - 1);
        yield Expr.bool(
            "{0} IS " + all.pick("", "NOT ") + "DISTINCT FROM {1}",
            RandomExpressions.brackets(left),
            RandomExpressions.brackets(all.of(left.family(), scope, depth - 1)));
      }
      case 13 -> all.leaf(Family.BOOLEAN, scope);
      default -> subQuery(scope, depth);
    };
  }

  private Expr subQuery(Scope scope, int depth) {
    Family family =
        scope.columns().isEmpty()
            ? Family.INTEGER
            : scope.columns().get(random.nextInt(scope.columns().size())).family();
    Expr left = all.of(family, scope, Math.min(1, depth - 1));
    return switch (random.nextInt(6)) {
      case 0, 1 ->
          Expr.bool(
              "{0} " + all.pick("IN", "NOT IN") + " ({1})",
              RandomExpressions.brackets(left),
              subQueries.column(family, scope));
      case 2, 3 ->
          Expr.bool(all.pick("EXISTS", "NOT EXISTS") + " ({0})", subQueries.column(family, scope));
      case 4 ->
          Expr.bool(
              "{0} " + comparisonOperator() + all.pick(" ANY", " ALL") + " ({1})",
              RandomExpressions.brackets(left),
              subQueries.column(family, scope));
      default ->
          Expr.bool(
              "{0} " + comparisonOperator() + " ({1})",
              RandomExpressions.brackets(left),
              subQueries.scalar(family, scope));
    };
  }

  private Expr comparison(Scope scope, int depth) {
    Expr left = all.any(scope, depth - 1);
    Expr right = partner(left, scope, depth);
    return Expr.bool(
        "{0} " + comparisonOperator() + " {1}",
        RandomExpressions.brackets(left),
        RandomExpressions.brackets(right));
  }

  /** Something to compare with. */
  private Expr partner(Expr left, Scope scope, int depth) {
    Family family = left.family();
    if (left.type().equals(DataType.REAL)) {
      // Beside a whole number DuckDB goes to real, PostgreSQL to double precision.
      return random.nextBoolean()
          ? new Expr(
              DataType.REAL,
              false,
              RandomValues.TAME,
              List.of(new Part.Text(SqlValues.literal(DataType.REAL, values.tame(DataType.REAL)))))
          : all.of(Family.FLOAT, scope, depth - 1);
    }
    if (family.isNumeric() && random.nextInt(3) == 0) {
      Expr other = all.numeric(scope, depth - 1);
      return other.type().equals(DataType.REAL) ? RandomExpressions.asDouble(other) : other;
    }
    Expr other = all.of(family, scope, depth - 1);
    return family == Family.FLOAT && other.type().equals(DataType.REAL)
        ? RandomExpressions.asDouble(other)
        : other;
  }

  private String comparisonOperator() {
    return all.pick("=", "=", "<>", "<", "<=", ">", ">=");
  }

  private Expr between(Scope scope, int depth) {
    Expr value = all.any(scope, depth - 1);
    return Expr.bool(
        "{0} " + all.pick("BETWEEN", "NOT BETWEEN") + " {1} AND {2}",
        RandomExpressions.brackets(value),
        RandomExpressions.brackets(all.leaf(value.family(), scope)),
        RandomExpressions.brackets(all.leaf(value.family(), scope)));
  }

  private Expr inList(Scope scope) {
    Expr value = all.any(scope, 0);
    List<Part> places = new ArrayList<>(List.of(value));
    StringBuilder template = new StringBuilder("{0} " + all.pick("IN", "NOT IN") + " (");
    int count = 1 + random.nextInt(4);
    for (int i = 1; i <= count; i++) {
      places.add(all.literal(value.family()));
      template.append(i == 1 ? "" : ", ").append("{" + i + "}");
    }
    return Expr.bool(template + ")", places.toArray(Part[]::new));
  }

  private Expr like(Scope scope, int depth) {
    return Expr.bool(
        "{0} "
            + all.pick("LIKE ", "NOT LIKE ", "LIKE ", "ILIKE ")
            + all.pick(
                "'a%'",
                "'%a'", "'%a%'", "'a_c'", "'_'", "'%'", "''", "'foo%'", "'a%c'", "'ab'", "'ä%'"),
        RandomExpressions.brackets(all.of(Family.TEXT, scope, depth - 1)));
  }
}
