package dev.varve.engine.operator;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Moves expressions between the columns of a node and those of its child. */
final class ColumnRewrite {
  private ColumnRewrite() {}

  /**
   * The expression with each column replaced; empty if {@code replace} has none for one of them.
   */
  static Optional<PhysicalExpr> replace(
      PhysicalExpr expr, Function<ColumnExpr, @Nullable PhysicalExpr> replace) {
    if (expr instanceof ColumnExpr column) {
      return Optional.ofNullable(replace.apply(column));
    }
    List<PhysicalExpr> children = new ArrayList<>(expr.children().size());
    boolean same = true;
    for (PhysicalExpr child : expr.children()) {
      Optional<PhysicalExpr> replaced = replace(child, replace);
      if (replaced.isEmpty()) {
        return Optional.empty();
      }
      same &= replaced.get() == child;
      children.add(replaced.get());
    }
    return Optional.of(same ? expr : expr.withChildren(children));
  }

  /** From a projection's output columns to its input's: each column becomes its expression. */
  static Optional<PhysicalExpr> inline(PhysicalExpr expr, List<NamedExpr> projection) {
    return replace(expr, column -> projection.get(column.index()).expr());
  }

  /** Columns [from, from + schema.size()) become 0, 1, ... of {@code schema}. */
  static Optional<PhysicalExpr> window(PhysicalExpr expr, int from, Schema schema) {
    return replace(
        expr,
        column -> {
          int index = column.index() - from;
          return index < 0 || index >= schema.size() ? null : ColumnExpr.of(schema, index);
        });
  }

  static LexOrdering shift(LexOrdering ordering, int offset) {
    return new LexOrdering(
        ordering.keys().stream()
            .map(k -> new SortExpr(Exprs.shift(k.expr(), offset), k.options()))
            .toList());
  }

  /** Whether evaluating it elsewhere, or for more rows, can be noticed. */
  static boolean movable(PhysicalExpr expr) {
    return expr.volatility() != Volatility.VOLATILE && !expr.fallible();
  }

  /** Over the input: an output expression as a projection computes it, found by equality. */
  static Optional<PhysicalExpr> output(
      PhysicalExpr input, List<NamedExpr> projection, Schema output) {
    for (int i = 0; i < projection.size(); i++) {
      if (projection.get(i).expr().equals(input) && input.volatility() != Volatility.VOLATILE) {
        return Optional.of(ColumnExpr.of(output, i));
      }
    }
    if (input.children().isEmpty()) {
      return Optional.empty();
    }
    List<PhysicalExpr> children = new ArrayList<>();
    for (PhysicalExpr child : input.children()) {
      Optional<PhysicalExpr> found = output(child, projection, output);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      children.add(found.get());
    }
    return Optional.of(input.withChildren(children));
  }

  /** The columns that a projection gives. */
  static Schema schema(List<NamedExpr> projection, Schema input) {
    return new Schema(
        projection.stream()
            .map(
                e ->
                    e.expr() instanceof ColumnExpr column
                        ? new Field(
                            e.name(),
                            column.type(),
                            column.nullable(),
                            input.field(column.index()).fieldId())
                        : Field.of(e.name(), e.expr().type(), e.expr().nullable()))
            .toList());
  }

  /** An input's statistics in the columns of a projection's output. */
  static Statistics project(Statistics input, List<NamedExpr> projection, Schema output) {
    List<ColumnStatistics> columns = new ArrayList<>(projection.size());
    for (NamedExpr expression : projection) {
      columns.add(
          expression.expr() instanceof ColumnExpr column
              ? input.columns().get(column.index())
              : ColumnStatistics.UNKNOWN.withDistinct(
                  Precision.absent(), limit(expression.expr(), input)));
    }
    return new Statistics(
        input.rowCount(),
        Sizes.estimate(input.rowCount(), output).orElse(Precision.absent()),
        columns);
  }

  /** An expression has no more values than its columns have combinations. */
  private static Precision<Long> limit(PhysicalExpr expr, Statistics input) {
    double rows = Math.max(1, input.rowCount().known().orElse(Long.MAX_VALUE));
    double combinations = 1;
    BitSet columns = Exprs.columns(expr);
    for (int i = columns.nextSetBit(0); i >= 0; i = columns.nextSetBit(i + 1)) {
      Precision<Long> count = input.columns().get(i).distinctCount();
      combinations *=
          count.known().isPresent()
              ? count.known().get()
              : input.columns().get(i).distinctLimit().known().map(Long::doubleValue).orElse(rows);
    }
    boolean repeats = expr.volatility() != Volatility.VOLATILE && combinations < rows;
    return repeats ? Precision.inexact((long) combinations) : Precision.absent();
  }

  /** An input's partitioning in the columns of a projection's output. */
  static Partitioning project(Partitioning input, List<NamedExpr> projection, Schema output) {
    return switch (input) {
      case Partitioning.Hash(List<PhysicalExpr> keys, int count) -> {
        List<PhysicalExpr> projected = new ArrayList<>();
        for (PhysicalExpr key : keys) {
          output(key, projection, output).ifPresent(projected::add);
        }
        yield projected.size() == keys.size()
            ? new Partitioning.Hash(projected, count)
            : new Partitioning.Unknown(count);
      }
      case Partitioning.Range range -> {
        List<SortExpr> projected = new ArrayList<>();
        for (SortExpr key : range.ordering().keys()) {
          output(key.expr(), projection, output)
              .ifPresent(e -> projected.add(new SortExpr(e, key.options())));
        }
        yield projected.size() == range.ordering().keys().size()
            ? new Partitioning.Range(
                new LexOrdering(projected), range.splitPoints(), range.distinctCuts())
            : new Partitioning.Unknown(range.count());
      }
      case Partitioning.RoundRobinBatch roundRobin -> roundRobin;
      case Partitioning.Unknown unknown -> unknown;
    };
  }

  static Partitioning shift(Partitioning input, int offset) {
    return switch (input) {
      case Partitioning.Hash(List<PhysicalExpr> keys, int count) ->
          new Partitioning.Hash(keys.stream().map(k -> Exprs.shift(k, offset)).toList(), count);
      case Partitioning.Range range ->
          new Partitioning.Range(
              shift(range.ordering(), offset), range.splitPoints(), range.distinctCuts());
      case Partitioning.RoundRobinBatch roundRobin -> roundRobin;
      case Partitioning.Unknown unknown -> unknown;
    };
  }
}
