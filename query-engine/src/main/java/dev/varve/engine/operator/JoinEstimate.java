package dev.varve.engine.operator;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * How many rows a join gives and what is known of their columns.
 *
 * <p>A key divides the pairs by the size of the domain that both sides draw from. Several keys
 * together have no more combinations than either side has rows: they are rarely independent.
 */
final class JoinEstimate {
  /** Share of pairs with equal keys that a residual condition keeps. */
  private static final double RESIDUAL_SHARE = 0.3;

  /** Rows of an anti join that are assumed to remain though all keys seem to match. */
  private static final double LEAST_ANTI_SHARE = 0.1;

  private final Statistics left;
  private final Statistics right;
  private final List<JoinKey> on;
  private final double leftRows;
  private final double rightRows;
  private final double residualShare;

  private JoinEstimate(Statistics left, Statistics right, List<JoinKey> on, boolean residual) {
    this.left = left;
    this.right = right;
    this.on = on;
    this.leftRows = Math.max(1, left.rowCount().known().orElse(1L));
    this.rightRows = Math.max(1, right.rowCount().known().orElse(1L));
    this.residualShare = residual ? RESIDUAL_SHARE : 1;
  }

  /** {@code residual} says whether there is a condition beside the keys. */
  static Statistics of(
      Statistics left,
      Statistics right,
      List<JoinKey> on,
      boolean residual,
      JoinType type,
      Schema schema) {
    JoinEstimate estimate = new JoinEstimate(left, right, on, residual);
    boolean known = left.rowCount().known().isPresent() && right.rowCount().known().isPresent();
    Precision<Long> rows =
        known ? Precision.inexact(count(estimate.rows(type))) : Precision.absent();
    return new Statistics(
        rows, Sizes.estimate(rows, schema).orElse(Precision.absent()), estimate.columns(type));
  }

  private static long count(double rows) {
    return (long) Math.min(Math.ceil(rows), Long.MAX_VALUE);
  }

  private double rows(JoinType type) {
    return switch (type) {
      case INNER -> matches();
      case LEFT -> Math.max(leftRows, matches());
      case RIGHT -> Math.max(rightRows, matches());
      case FULL -> Math.max(Math.max(leftRows, rightRows), matches());
      case LEFT_SEMI -> leftRows * matchedShare(left, leftRows, right, rightRows);
      case RIGHT_SEMI -> rightRows * matchedShare(right, rightRows, left, leftRows);
      case LEFT_ANTI -> leftRows * unmatchedShare(left, leftRows, right, rightRows);
      case RIGHT_ANTI -> rightRows * unmatchedShare(right, rightRows, left, leftRows);
    };
  }

  private double matches() {
    double domains = 1;
    double largest = 1;
    double leftDomains = 1;
    double rightDomains = 1;
    for (JoinKey key : on) {
      ColumnSpread a = spread(key.left(), left, leftRows);
      ColumnSpread b = spread(key.right(), right, rightRows);
      double domain = ColumnSpread.joined(a, b);
      domains *= domain;
      largest = Math.max(largest, domain);
      leftDomains *= a.domain();
      rightDomains *= b.domain();
    }
    if (on.size() > 1) {
      double combinations =
          Math.min(Math.min(leftDomains, leftRows), Math.min(rightDomains, rightRows));
      domains = Math.min(domains, Math.max(largest, combinations));
    }
    return Math.max(1, leftRows * rightRows / domains * residualShare);
  }

  /** The share of one side's rows whose keys the other side has. */
  private double matchedShare(Statistics kept, double keptRows, Statistics other, double rows) {
    if (on.isEmpty()) {
      return residualShare;
    }
    double wanted = 1;
    double found = 1;
    for (JoinKey key : on) {
      wanted *= spread(kept == left ? key.left() : key.right(), kept, keptRows).domain();
      found *= spread(other == left ? key.left() : key.right(), other, rows).domain();
    }
    double share = Math.min(1, Math.min(found, rows) / Math.max(1, wanted));
    // A residual fails for all of a key's rows less often than for one of them.
    double perKey = Math.max(1, rows / Math.max(1, found));
    return share * (1 - Math.pow(1 - residualShare, perKey));
  }

  private double unmatchedShare(Statistics kept, double keptRows, Statistics other, double rows) {
    return Math.max(LEAST_ANTI_SHARE, 1 - matchedShare(kept, keptRows, other, rows));
  }

  private List<ColumnStatistics> columns(JoinType type) {
    List<ColumnStatistics> columns = new ArrayList<>();
    if (type.keepsLeftColumns()) {
      left.columns().forEach(c -> columns.add(inexact(c, type.preservesRight())));
    }
    int offset = columns.size();
    if (type.keepsRightColumns()) {
      right.columns().forEach(c -> columns.add(inexact(c, type.preservesLeft())));
    }
    if (type == JoinType.INNER) {
      for (JoinKey key : on) {
        if (key.left() instanceof ColumnExpr a && key.right() instanceof ColumnExpr b) {
          narrow(columns, a.index(), right.columns().get(b.index()));
          narrow(columns, offset + b.index(), left.columns().get(a.index()));
        }
      }
    }
    return columns;
  }

  private static ColumnStatistics inexact(ColumnStatistics statistics, boolean nullsAdded) {
    ColumnStatistics inexact = statistics.toInexact();
    return nullsAdded ? inexact.withNulls() : inexact;
  }

  /** What is equal has no more values than either column. */
  private static void narrow(List<ColumnStatistics> columns, int column, ColumnStatistics other) {
    ColumnStatistics own = columns.get(column);
    columns.set(
        column,
        own.withDistinct(
            less(own.distinctCount(), other.distinctCount()),
            less(own.distinctLimit(), other.distinctLimit())));
  }

  private static Precision<Long> less(Precision<Long> a, Precision<Long> b) {
    return a.known().isPresent() && b.known().isPresent()
        ? Precision.inexact(Math.min(a.known().get(), b.known().get()))
        : a.known().isPresent() ? a.toInexact() : b.toInexact();
  }

  /** Of a key that is no column nothing is known but that it has at most a value for each row. */
  private static ColumnSpread spread(PhysicalExpr key, Statistics side, double rows) {
    return key instanceof ColumnExpr column
        ? ColumnSpread.of(side.columns().get(column.index()), key.type(), rows)
        : ColumnSpread.of(ColumnStatistics.UNKNOWN, DataType.NULL, rows);
  }
}
