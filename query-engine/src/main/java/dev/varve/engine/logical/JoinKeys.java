package dev.varve.engine.logical;

import dev.varve.engine.properties.ColumnSpread;
import java.util.ArrayList;
import java.util.List;

/**
 * How many rows of two inputs match by some pairs of columns. Several pairs have no more
 * combinations of values than either table has rows: the parts of a compound key are rarely
 * independent.
 */
final class JoinKeys {
  private record Pair(ColumnSpread left, ColumnSpread right) {}

  private final List<Pair> pairs = new ArrayList<>();

  void add(ColumnSpread left, ColumnSpread right) {
    pairs.add(new Pair(left, right));
  }

  boolean isEmpty() {
    return pairs.isEmpty();
  }

  /** By how much the number of pairs of rows is divided: 1 without keys. */
  double divisor() {
    double product = 1;
    double largest = 1;
    double left = 1;
    double right = 1;
    double leftRows = 1;
    double rightRows = 1;
    for (Pair pair : pairs) {
      double domain = ColumnSpread.joined(pair.left(), pair.right());
      product *= domain;
      largest = Math.max(largest, domain);
      left *= pair.left().domain();
      right *= pair.right().domain();
      leftRows = Math.max(leftRows, pair.left().rows());
      rightRows = Math.max(rightRows, pair.right().rows());
    }
    if (pairs.size() < 2) {
      return product;
    }
    double combinations = Math.min(Math.min(left, leftRows), Math.min(right, rightRows));
    return Math.min(product, Math.max(largest, combinations));
  }

  /** The share of left rows that have a partner among {@code rightRows} rows. */
  double matchedShare(double rightRows) {
    double wanted = 1;
    double found = 1;
    double leftRows = 1;
    for (Pair pair : pairs) {
      wanted *= pair.left().domain();
      found *= pair.right().domain();
      leftRows = Math.max(leftRows, pair.left().rows());
    }
    return Math.min(1, Math.min(found, rightRows) / Math.max(1, Math.min(wanted, leftRows)));
  }
}
