package dev.varve.engine.connector;

import java.util.List;

/** What the system catalog shows of the plan cache. Safe for concurrent use. */
public interface PlanCacheView {
  /** Counts since the engine was started, and what is kept now. */
  record Totals(
      long hits, long misses, long invalidations, long evictions, long entries, long bytes) {}

  /** A kept plan; the query's text is normalised. */
  record Plan(String query, String catalog, String schema, long hits, long bytes) {}

  Totals totals();

  List<Plan> plans();
}
