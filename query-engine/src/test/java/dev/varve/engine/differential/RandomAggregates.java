package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;
import java.util.Optional;
import java.util.Random;

/** Calls of aggregates whose results two right engines agree on. */
final class RandomAggregates {
  private final RandomExpressions all;
  private final Random random;

  RandomAggregates(RandomExpressions all, Random random) {
    this.all = all;
    this.random = random;
  }

  /** An aggregate over the scope's columns; {@code rows} are at most as many as it may add up. */
  Expr aggregate(Scope scope, double rows, int depth) {
    Expr call = plainAggregate(scope, rows, depth);
    return random.nextInt(5) == 0
        ? new Expr(
            call.type(),
            call.approximate(),
            call.bound(),
            Expr.of(
                    call.type(),
                    call.bound(),
                    "{0} FILTER (WHERE {1})",
                    call,
                    all.predicate(scope, Math.min(depth, 1)))
                .parts())
        : call;
  }

  private Expr plainAggregate(Scope scope, double rows, int depth) {
    Expr any = all.any(scope, depth);
    String distinct = random.nextInt(4) == 0 ? "DISTINCT " : "";
    switch (random.nextInt(8)) {
      case 0 -> {
        return Expr.of(DataType.BIGINT, rows, "count(*)");
      }
      case 1 -> {
        return Expr.of(DataType.BIGINT, rows, "count(" + distinct + "{0})", any);
      }
      case 2 -> {
        Expr test = all.predicate(scope, Math.min(1, depth));
        return Expr.bool(all.pick("bool_and({0})", "bool_or({0})"), test);
      }
      case 3, 4, 5 -> {
        Optional<Expr> sum = sum(scope, rows, depth, distinct);
        if (sum.isPresent()) {
          return sum.get();
        }
      }
      default -> {}
    }
    return switch (any.family()) {
      case BOOLEAN, UUID, BINARY, TIME -> Expr.of(DataType.BIGINT, rows, "count({0})", any);
      default -> Expr.of(any.type(), any.bound(), all.pick("min({0})", "max({0})"), any);
    };
  }

  private Optional<Expr> sum(Scope scope, double rows, int depth, String distinct) {
    Expr number = all.numeric(scope, depth);
    double bound = number.bound() * Math.max(rows, 1);
    if (!(bound < RandomExpressions.MOST_EXACT)
        || number.type().precision() > RandomExpressions.MOST_DIGITS
        || number.approximate()) {
      return Optional.empty();
    }
    Expr operand = number.family() == Family.FLOAT ? RandomExpressions.asDouble(number) : number;
    DataType sum =
        switch (operand.family()) {
          case INTEGER -> DataType.BIGINT;
          case DECIMAL -> DataType.decimal(38, operand.type().scale());
          default -> DataType.DOUBLE;
        };
    return Optional.of(
        switch (random.nextInt(5)) {
          case 0 ->
              Expr.of(DataType.DOUBLE, bound, "avg(" + distinct + "{0})", operand).approximately();
          case 1 ->
              Expr.of(
                      DataType.DOUBLE,
                      bound * bound,
                      all.pick("stddev_samp", "stddev_pop", "var_samp", "var_pop") + "({0})",
                      operand)
                  .approximately();
          default -> Expr.of(sum, bound, "sum(" + distinct + "{0})", operand);
        });
  }
}
