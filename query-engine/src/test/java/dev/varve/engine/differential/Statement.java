package dev.varve.engine.differential;

import java.util.Collections;
import java.util.List;

/**
 * A query for the harness.
 *
 * @param ordered whether its rows have one right sequence
 * @param approximate per column, whether two right engines may differ in its last digits
 */
public record Statement(String sql, boolean ordered, List<Boolean> approximate) {
  public Statement {
    approximate = List.copyOf(approximate);
  }

  /** One with exact columns. */
  public static Statement exact(String sql, int columns, boolean ordered) {
    return new Statement(sql, ordered, Collections.nCopies(columns, false));
  }

  static Statement of(Query query) {
    boolean approximate = query.items().stream().anyMatch(i -> i.expr().approximate());
    return new Statement(
        query.sql(),
        query.order().total() && !approximate,
        query.items().stream().map(i -> i.expr().approximate()).toList());
  }
}
