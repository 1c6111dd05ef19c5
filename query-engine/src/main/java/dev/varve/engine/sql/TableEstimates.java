package dev.varve.engine.sql;

import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Estimates about a table's columns for join order: distinct values, null fractions, and how many
 * rows a predicate keeps. Nothing here may change an answer. Safe for concurrent use.
 */
public final class TableEstimates {
  /** Rows assumed of a table that does not tell. */
  private static final double UNKNOWN_ROWS = 1_000_000;

  private final double rows;
  private final List<ColumnSpread> columns;

  TableEstimates(Schema schema, Statistics statistics) {
    this.rows =
        Math.max(1, statistics.rowCount().known().map(Long::doubleValue).orElse(UNKNOWN_ROWS));
    List<ColumnSpread> spreads = new ArrayList<>(schema.size());
    for (int i = 0; i < schema.size(); i++) {
      ColumnStatistics column =
          i < statistics.columns().size() ? statistics.columns().get(i) : ColumnStatistics.UNKNOWN;
      spreads.add(ColumnSpread.of(column, schema.type(i), rows));
    }
    this.columns = List.copyOf(spreads);
  }

  public double rows() {
    return rows;
  }

  /**
   * How a column's values lie among those rows of the table that the conditions on this column
   * alone leave: the domain that a join over it is about.
   */
  public ColumnSpread domain(int column, List<RexNode> conditions) {
    ColumnSpread spread = columns.get(column);
    double share = 1;
    for (RexNode condition : conditions) {
      if (RelOptUtil.InputFinder.bits(condition).equals(ImmutableBitSet.of(column))) {
        share *= selectivity(condition);
      }
    }
    return share == 1 ? spread : spread.scaled(share);
  }

  /** The share of rows for which a predicate over the table's columns is true. */
  public double selectivity(@Nullable RexNode predicate) {
    return predicate == null ? 1.0 : PredicateEstimate.share(predicate, columns::get);
  }

  /** Different combinations of some columns' values among the rows that a predicate keeps. */
  public double distinctRows(ImmutableBitSet wanted, @Nullable RexNode predicate) {
    double selected = Math.max(1, rows * selectivity(predicate));
    List<RexNode> conditions = predicate == null ? List.of() : RelOptUtil.conjunctions(predicate);
    double distinct = 1;
    for (int column : wanted) {
      ColumnSpread spread = domain(column, conditions);
      distinct *= spread.domain() + (spread.nullFraction() > 0 ? 1 : 0);
    }
    return Math.min(distinct, selected);
  }
}
