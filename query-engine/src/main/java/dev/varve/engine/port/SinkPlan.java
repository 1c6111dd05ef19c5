package dev.varve.engine.port;

import dev.varve.engine.ordering.ColumnOrder;
import java.util.List;

/** A sink before it runs: what the planner needs to know. Immutable. */
public interface SinkPlan {
  /** As EXPLAIN prints it: {@code insert into lake.s.t}. */
  String describe();

  /**
   * The order in which rows must arrive (the table's ordering), by input column; empty if any will
   * do.
   */
  List<ColumnOrder> requiredOrdering();

  TableSink open(WorkContext context);
}
