package dev.varve.engine.scan;

import dev.varve.engine.config.Settings;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutIndex;
import java.util.List;
import org.apache.iceberg.Table;

/** An Iceberg table pinned to one snapshot. */
public final class IcebergTableSource implements SourceTable {
  /** The snapshot id of a table that has none: it has no rows. */
  public static final long NO_SNAPSHOT = -1;

  private final Table table;
  private final long snapshotId;
  private final LayoutIndex layoutIndex;
  private final ObjectName name;
  private final ScanServices services;

  public IcebergTableSource(
      Table table,
      long snapshotId,
      LayoutIndex layoutIndex,
      ObjectName name,
      ScanServices services) {
    this.table = table;
    this.snapshotId = snapshotId;
    this.layoutIndex = layoutIndex;
    this.name = name;
    this.services = services;
  }

  /**
   * What the index, or failing that the manifests, knows of every data file of the snapshot. A
   * snapshot with delete files is refused.
   */
  public List<FileFacts> files() {
    throw new IllegalStateException("files of " + table + snapshotId + layoutIndex + services);
  }

  /**
   * A leaf over some files of the snapshot, with all columns of the table. With an ordering each
   * partition is in that order (files that do not overlap share one), to be merged by the caller;
   * every file must be verified to have it. Without, the files are read one after another in one
   * partition.
   */
  public PhysicalPlan read(List<FileFacts> files, List<ColumnOrder> ordering, Settings settings) {
    throw new IllegalStateException("read " + files + ordering + settings);
  }

  @Override
  public Schema schema() {
    throw new IllegalStateException("schema of " + name);
  }

  @Override
  public Statistics statistics() {
    throw new IllegalStateException("statistics of " + name);
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    throw new IllegalStateException("scan of " + name);
  }
}
