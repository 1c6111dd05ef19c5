package dev.varve.engine.connector.system;

import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.Schema;

/** A system table with rows for each table of the lakes. */
record LakeTable(String name, Schema schema, LakeFacts facts, LakeFacts.Rows rows)
    implements SourceTable {
  @Override
  public Statistics statistics() {
    return Statistics.unknown(schema);
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    return LakeScanExec.of(this, request.projection());
  }
}
