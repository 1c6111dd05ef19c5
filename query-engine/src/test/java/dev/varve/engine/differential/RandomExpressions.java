package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;
import java.util.List;
import java.util.Random;

/**
 * Expressions in the SQL that Varve, DuckDB and PostgreSQL share. Arithmetic keeps within its
 * types, divisors are not zero: what is an error is tested by itself, since engines evaluate a
 * failing expression for different rows.
 */
final class RandomExpressions {
  private static final double MOST_INTEGER = 1 << 30;
  private static final double MOST_SMALLINT = 32_000;

  /** Up to here sums of doubles are exact: their values are multiples of a quarter. */
  static final double MOST_EXACT = 1L << 40;

  static final int MOST_DIGITS = 30;

  /** Queries inside expressions. */
  interface SubQueries {
    /** A query of one column of the family, which may name the scope's columns. */
    Query column(Family family, Scope scope);

    /** A query of one row and one column. */
    Query scalar(Family family, Scope scope);
  }

  private final Random random;
  private final RandomValues values;
  private final RandomPredicates predicates;

  /** Conditions, keys and sums are exact: two right engines must agree on them. */
  private boolean exact = true;

  RandomExpressions(Random random, SubQueries subQueries) {
    this.random = random;
    this.values = new RandomValues(random);
    this.predicates = new RandomPredicates(this, random, subQueries);
  }

  /** Something to show, whose last digits may differ between engines. */
  Expr shown(Scope scope, int depth) {
    exact = false;
    try {
      return any(scope, depth);
    } finally {
      exact = true;
    }
  }

  Expr any(Scope scope, int depth) {
    if (scope.columns().isEmpty()) {
      return of(Family.values()[random.nextInt(8)], scope, depth);
    }
    return of(scope.columns().get(random.nextInt(scope.columns().size())).family(), scope, depth);
  }

  Expr of(Family family, Scope scope, int depth) {
    if (depth <= 0 || random.nextInt(3) == 0) {
      return leaf(family, scope);
    }
    if (family != Family.BOOLEAN && random.nextInt(7) == 0) {
      return conditional(family, scope, depth);
    }
    return switch (family) {
      case BOOLEAN -> predicate(scope, depth);
      case INTEGER -> integer(scope, depth);
      case DECIMAL -> decimal(scope, depth);
      case FLOAT -> floating(scope, depth);
      case DATE -> date(scope, depth);
      case TIMESTAMP -> timestamp(scope, depth);
      case TEXT -> text(scope, depth);
      case TIMESTAMPTZ, TIME, BINARY, UUID -> leaf(family, scope);
    };
  }

  /** A column, mostly, or a literal. */
  Expr leaf(Family family, Scope scope) {
    Scope from = scope;
    if (scope.outer().isPresent() && random.nextInt(4) == 0) {
      from = scope.outer().get();
    }
    List<Expr> columns = from.of(family);
    if (columns.isEmpty() || random.nextInt(6) == 0) {
      return literal(family);
    }
    return columns.get(random.nextInt(columns.size()));
  }

  Expr literal(Family family) {
    DataType type =
        switch (family) {
          case BOOLEAN -> DataType.BOOLEAN;
          case INTEGER -> DataType.INTEGER;
          case DECIMAL -> DataType.decimal(5, 2);
          case FLOAT -> DataType.DOUBLE;
          case DATE -> DataType.DATE;
          case TIMESTAMP -> DataType.TIMESTAMP;
          case TIMESTAMPTZ -> DataType.TIMESTAMPTZ;
          case TEXT -> DataType.VARCHAR;
          case TIME -> DataType.TIME;
          case UUID -> DataType.UUID;
          case BINARY -> DataType.VARBINARY;
        };
    if (family == Family.BINARY || random.nextInt(12) == 0) {
      return Expr.of(type, 0, SqlValues.literal(type, null));
    }
    return new Expr(
        type,
        false,
        RandomValues.TAME,
        List.of(new Part.Text(SqlValues.literal(type, values.tame(type)))));
  }

  private Expr conditional(Family family, Scope scope, int depth) {
    Expr first = of(family, scope, depth - 1);
    Expr second = of(family, scope, depth - 1);
    if (!first.type().equals(second.type())) {
      second = first;
    }
    double bound = Math.max(first.bound(), second.bound());
    return switch (random.nextInt(4)) {
      case 0 -> Expr.of(first.type(), bound, "coalesce({0}, {1})", first, second);
      case 1 -> Expr.of(first.type(), first.bound(), "nullif({0}, {1})", first, second);
      case 2 ->
          Expr.of(
              first.type(),
              bound,
              "CASE WHEN {0} THEN {1} ELSE {2} END",
              predicate(scope, depth - 1),
              first,
              second);
      default ->
          Expr.of(
              first.type(),
              bound,
              "CASE WHEN {0} THEN {1} WHEN {2} THEN {3} END",
              predicate(scope, depth - 1),
              first,
              predicate(scope, depth - 1),
              second);
    };
  }

  Expr predicate(Scope scope, int depth) {
    boolean before = exact;
    exact = true;
    try {
      return predicates.condition(scope, depth);
    } finally {
      exact = before;
    }
  }

  Expr numeric(Scope scope, int depth) {
    return of(
        List.of(Family.INTEGER, Family.DECIMAL, Family.FLOAT).get(random.nextInt(3)), scope, depth);
  }

  private Expr integer(Scope scope, int depth) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> integerArithmetic(scope, depth);
      case 3 -> Expr.of(DataType.INTEGER, 80, "length({0})", of(Family.TEXT, scope, depth - 1));
      case 4 ->
          Expr.of(
              DataType.INTEGER,
              80,
              "position(" + pick("'a'", "'b'", "'o'", "''") + " IN {0})",
              of(Family.TEXT, scope, depth - 1));
      case 5 -> extract(scope, depth);
      case 6 -> {
        Expr operand = leaf(Family.INTEGER, scope);
        yield Double.isInfinite(operand.bound())
            ? operand
            : Expr.of(operand.type(), operand.bound(), pick("abs({0})", "-({0})"), operand);
      }
      case 7 -> {
        Expr number = of(Family.DECIMAL, scope, depth - 1);
        yield number.bound() < MOST_INTEGER
            ? Expr.of(DataType.INTEGER, number.bound() + 1, "CAST({0} AS integer)", number)
            : leaf(Family.INTEGER, scope);
      }
      case 8 -> {
        Expr number = of(Family.FLOAT, scope, depth - 1);
        yield number.bound() < MOST_INTEGER && !number.approximate()
            ? Expr.of(DataType.BIGINT, number.bound() + 1, "CAST({0} AS bigint)", number)
            : leaf(Family.INTEGER, scope);
      }
      case 9 -> {
        Expr left = leaf(Family.DATE, scope);
        Expr right = leaf(Family.DATE, scope);
        yield Expr.of(DataType.INTEGER, 4_000_000, "({0} - {1})", left, right);
      }
      case 10 ->
          Expr.of(DataType.BIGINT, RandomValues.TAME, "CAST({0} AS bigint)", tameInteger(scope));
      default -> {
        Expr left = leaf(Family.INTEGER, scope);
        Expr right = leaf(Family.INTEGER, scope);
        yield left.type().equals(right.type())
            ? Expr.of(
                left.type(),
                Math.max(left.bound(), right.bound()),
                pick("greatest({0}, {1})", "least({0}, {1})"),
                left,
                right)
            : left;
      }
    };
  }

  private Expr tameInteger(Scope scope) {
    Expr leaf = leaf(Family.INTEGER, scope);
    return leaf.bound() <= RandomValues.TAME ? leaf : literal(Family.INTEGER);
  }

  private Expr integerArithmetic(Scope scope, int depth) {
    Expr left = of(Family.INTEGER, scope, depth - 1);
    Expr right = of(Family.INTEGER, scope, depth - 1);
    DataType type =
        DataType.BIGINT.equals(left.type()) || DataType.BIGINT.equals(right.type())
            ? DataType.BIGINT
            : left.type().equals(right.type()) ? left.type() : DataType.INTEGER;
    String operator = pick("+", "-", "*", "/", "%");
    double bound =
        switch (operator) {
          case "+", "-" -> left.bound() + right.bound();
          case "*" -> left.bound() * right.bound();
          default -> left.bound();
        };
    // DuckDB takes a small literal beside a smallint for a smallint.
    boolean small = left.type().equals(DataType.SMALLINT) || right.type().equals(DataType.SMALLINT);
    if (!(bound < (small ? MOST_SMALLINT : MOST_INTEGER)) || right.bound() > MOST_INTEGER) {
      return left;
    }
    return operator.equals("/") || operator.equals("%")
        ? Expr.of(type, bound, "({0} " + operator + " nullif({1}, 0))", left, right)
        : Expr.of(type, bound, "({0} " + operator + " {1})", left, right);
  }

  private Expr extract(Scope scope, int depth) {
    boolean date = random.nextBoolean();
    String field =
        date
            ? pick("YEAR", "MONTH", "DAY", "DOW", "DOY", "QUARTER", "WEEK")
            : pick("YEAR", "MONTH", "DAY", "HOUR", "MINUTE");
    return Expr.of(
        DataType.INTEGER,
        10_000,
        "CAST(extract(" + field + " FROM {0}) AS integer)",
        of(date ? Family.DATE : Family.TIMESTAMP, scope, depth - 1));
  }

  private Expr decimal(Scope scope, int depth) {
    switch (random.nextInt(7)) {
      case 0 -> {
        Expr whole = of(Family.INTEGER, scope, depth - 1);
        return whole.bound() < 1e9
            ? Expr.of(DataType.decimal(12, 2), whole.bound(), "CAST({0} AS decimal(12,2))", whole)
            : leaf(Family.DECIMAL, scope);
      }
      case 1 -> {
        Expr operand = leaf(Family.DECIMAL, scope);
        return Expr.of(
            operand.type(), operand.bound(), pick("abs({0})", "-({0})", "+({0})"), operand);
      }
      case 2 -> {
        Expr operand = leaf(Family.DECIMAL, scope);
        return operand.bound() <= RandomValues.TAME && operand.type().precision() < MOST_DIGITS
            ? Expr.of(
                operand.type(),
                operand.bound() + 1,
                pick("round({0}, 1)", "round({0})", "floor({0})", "ceil({0})"),
                operand)
            : operand;
      }
      default -> {
        Expr left = of(Family.DECIMAL, scope, depth - 1);
        Expr right = of(Family.DECIMAL, scope, depth - 1);
        String operator = pick("+", "-", "*");
        DataType a = left.type();
        DataType b = right.type();
        int scale = operator.equals("*") ? a.scale() + b.scale() : Math.max(a.scale(), b.scale());
        int whole =
            operator.equals("*")
                ? a.precision() - a.scale() + b.precision() - b.scale()
                : Math.max(a.precision() - a.scale(), b.precision() - b.scale()) + 1;
        if (whole + scale > MOST_DIGITS) {
          return left;
        }
        double bound =
            operator.equals("*") ? left.bound() * right.bound() : left.bound() + right.bound();
        return Expr.of(
            DataType.decimal(whole + scale, scale),
            bound,
            "({0} " + operator + " {1})",
            left,
            right);
      }
    }
  }

  private Expr floating(Scope scope, int depth) {
    switch (random.nextInt(exact ? 5 : 7)) {
      case 0 -> {
        Expr whole = of(Family.INTEGER, scope, depth - 1);
        return Expr.of(DataType.DOUBLE, whole.bound(), "CAST({0} AS double precision)", whole);
      }
      case 5 -> {
        Expr number = of(Family.DECIMAL, scope, depth - 1);
        return Expr.of(DataType.DOUBLE, number.bound(), "CAST({0} AS double precision)", number)
            .approximately();
      }
      case 1 -> {
        Expr operand = leaf(Family.FLOAT, scope);
        return Expr.of(operand.type(), operand.bound(), pick("abs({0})", "-({0})"), operand);
      }
      case 2 -> {
        Expr operand = leaf(Family.FLOAT, scope);
        return operand.bound() < MOST_EXACT
            ? Expr.of(
                DataType.DOUBLE,
                operand.bound() + 1,
                pick("floor({0})", "ceil({0})"),
                asDouble(operand))
            : operand;
      }
      case 6 -> {
        Expr operand = leaf(Family.FLOAT, scope);
        return operand.bound() < MOST_EXACT
            ? Expr.of(DataType.DOUBLE, operand.bound() + 1, "sqrt(abs({0}))", asDouble(operand))
                .approximately()
            : operand;
      }
      default -> {
        Expr left = asDouble(of(Family.FLOAT, scope, depth - 1));
        Expr right = asDouble(of(Family.FLOAT, scope, depth - 1));
        String operator = pick("+", "-", "*");
        double bound =
            operator.equals("*") ? left.bound() * right.bound() : left.bound() + right.bound();
        return bound < MOST_EXACT
            ? Expr.of(DataType.DOUBLE, bound, "({0} " + operator + " {1})", left, right)
            : left;
      }
    }
  }

  static Expr asDouble(Expr number) {
    return number.type().equals(DataType.DOUBLE)
        ? number
        : Expr.of(DataType.DOUBLE, number.bound(), "CAST({0} AS double precision)", number);
  }

  private Expr date(Scope scope, int depth) {
    Expr operand = leaf(Family.DATE, scope);
    return switch (random.nextInt(3)) {
      case 0 ->
          operand.bound() <= RandomValues.TAME
              ? Expr.of(
                  DataType.DATE,
                  operand.bound(),
                  "({0} " + pick("+", "-") + " {1})",
                  operand,
                  literal(Family.INTEGER))
              : operand;
      case 1 -> {
        Expr time = of(Family.TIMESTAMP, scope, depth - 1);
        yield Expr.of(DataType.DATE, time.bound(), "CAST({0} AS date)", time);
      }
      default -> operand;
    };
  }

  private Expr timestamp(Scope scope, int depth) {
    switch (random.nextInt(4)) {
      case 0 -> {
        Expr day = of(Family.DATE, scope, depth - 1);
        return Expr.of(DataType.TIMESTAMP, day.bound(), "CAST({0} AS timestamp)", day);
      }
      case 1 -> {
        Expr time = of(Family.TIMESTAMP, scope, depth - 1);
        return Expr.of(
            DataType.TIMESTAMP,
            time.bound(),
            "date_trunc("
                + pick("'year'", "'quarter'", "'month'", "'week'", "'day'", "'hour'")
                + ", {0})",
            time);
      }
      default -> {
        Expr time = of(random.nextInt(3) == 0 ? Family.DATE : Family.TIMESTAMP, scope, depth - 1);
        return time.bound() <= RandomValues.TAME
            ? Expr.of(
                DataType.TIMESTAMP,
                time.bound(),
                "({0} "
                    + pick("+", "-")
                    + " INTERVAL "
                    + pick(
                        "'1' DAY", "'3' MONTH", "'1' YEAR", "'36' HOUR", "'15' MINUTE", "'1' MONTH")
                    + ")",
                time)
            : Expr.of(DataType.TIMESTAMP, time.bound(), "CAST({0} AS timestamp)", time);
      }
    }
  }

  private Expr text(Scope scope, int depth) {
    Expr operand = of(Family.TEXT, scope, depth - 1);
    String template =
        switch (random.nextInt(13)) {
          case 0 -> "upper(replace({0}, 'ß', 's'))";
          case 1 -> "lower({0})";
          case 2 -> "trim({0})";
          case 3 -> "substring({0} FROM " + (1 + random.nextInt(3)) + ")";
          case 4 ->
              "substring({0} FROM " + (1 + random.nextInt(3)) + " FOR " + random.nextInt(4) + ")";
          case 5, 6 -> "({0} || {1})";
          case 7 -> "replace({0}, 'a', " + pick("'b'", "''", "'aa'") + ")";
          case 8 -> pick("left", "right") + "({0}, " + (1 + random.nextInt(3)) + ")";
          case 9 -> pick("greatest", "least") + "({0}, {1})";
          case 10 -> "concat({0}, {1})";
          case 11 -> "CAST({2} AS varchar)";
          default -> pick("ltrim", "rtrim", "reverse") + "({0})";
        };
    Expr castable =
        of(pick(Family.INTEGER, Family.DATE, Family.BOOLEAN), scope, Math.min(1, depth - 1));
    return new Expr(
        DataType.VARCHAR,
        false,
        0,
        Expr.of(DataType.VARCHAR, 0, template, operand, leaf(Family.TEXT, scope), castable)
            .parts());
  }

  /** An operand in brackets, unless it is a name or has them. */
  static Expr brackets(Expr expr) {
    return expr.parts().size() == 1
        ? expr
        : new Expr(
            expr.type(),
            expr.approximate(),
            expr.bound(),
            Expr.of(expr.type(), expr.bound(), "({0})", expr).parts());
  }

  @SafeVarargs
  final <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
