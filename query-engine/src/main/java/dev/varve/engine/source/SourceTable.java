package dev.varve.engine.source;

import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.Schema;
import java.util.List;

/**
 * A table as one statement sees it: pinned to a snapshot when it was looked up, so that every
 * reference in the statement reads the same rows.
 */
public interface SourceTable {
  Schema schema();

  Statistics statistics();

  /**
   * The ordering the table was declared with, a key each: {@code l_shipdate ASC}; empty if none.
   * For people.
   */
  default List<String> declaredOrdering() {
    return List.of();
  }

  /**
   * The leaf that reads it. Filters are offered afterwards, by {@link
   * PhysicalPlan#handleChildPushdownResult}; orders by {@link PhysicalPlan#tryPushdownSort}.
   */
  PhysicalPlan scan(ScanRequest request);
}
