package dev.varve.engine.statement;

import dev.varve.engine.logical.LogicalPlan;
import java.util.concurrent.atomic.LongAdder;

/**
 * A query's logical plan, free of any snapshot, with the lookups it rests on. Safe for concurrent
 * use.
 */
final class CachedQuery {
  private final LogicalPlan plan;
  private final TableLookups lookups;
  private final long bytes;
  private final LongAdder hits = new LongAdder();

  CachedQuery(LogicalPlan plan, TableLookups lookups, long bytes) {
    this.plan = plan;
    this.lookups = lookups;
    this.bytes = bytes;
  }

  LogicalPlan plan() {
    return plan;
  }

  TableLookups lookups() {
    return lookups;
  }

  /** About what it holds of the heap. */
  long bytes() {
    return bytes;
  }

  void hit() {
    hits.increment();
  }

  long hits() {
    return hits.sum();
  }
}
