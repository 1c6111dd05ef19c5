package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.SnapshotPins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.iceberg.SortField;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/** An Iceberg table pinned to one snapshot. Safe for concurrent use. */
public final class IcebergTableSource implements SourceTable {
  /** The snapshot id of a table that has none: it has no rows. */
  public static final long NO_SNAPSHOT = -1;

  private final Table table;
  private final long snapshotId;
  private final SnapshotFiles files;
  private final ScanTable scan;

  /** Computed when first asked for. */
  private @Nullable Statistics statistics;

  public IcebergTableSource(
      Table table,
      long snapshotId,
      LayoutIndex layoutIndex,
      ObjectName name,
      ScanServices services) {
    this.table = table;
    this.snapshotId = snapshotId;
    this.files = new SnapshotFiles(table, snapshotId, layoutIndex, name.toString());
    this.scan =
        new ScanTable(
            name.toString(),
            name + "/",
            IcebergColumns.of(table.schema()),
            table.io(),
            services,
            services.footers(),
            new IcebergResolver(table, files),
            new IcebergDeletes(table, files, name.toString()),
            TableSketches.distinctCounts(table, snapshotId));
  }

  /** Columns of Iceberg in the engine's types; those that it has none for are of type NULL. */
  public static Schema columns(org.apache.iceberg.Schema schema) {
    return new Schema(IcebergColumns.of(schema).stream().map(ScanColumn::field).toList());
  }

  /**
   * Holds the snapshot until what {@code closeAtEnd} is given is closed; false if the snapshot is
   * being removed.
   */
  public boolean hold(SnapshotPins pins, Consumer<SnapshotPins.Pin> closeAtEnd) {
    if (snapshotId == NO_SNAPSHOT) {
      return true;
    }
    Optional<SnapshotPins.Pin> pin = pins.pin(table.uuid().toString(), snapshotId);
    pin.ifPresent(closeAtEnd);
    return pin.isPresent();
  }

  /** The table's own ordering: the plain columns that lead Iceberg's sort order. */
  public Optional<TableOrdering> declaredTableOrdering() {
    List<OrderingField> keys = new ArrayList<>();
    for (SortField field : table.sortOrder().fields()) {
      if (!field.transform().isIdentity()) {
        break;
      }
      keys.add(
          new OrderingField(
              field.sourceId(),
              field.direction() == org.apache.iceberg.SortDirection.DESC
                  ? SortDirection.DESC
                  : SortDirection.ASC,
              field.nullOrder() == org.apache.iceberg.NullOrder.NULLS_FIRST
                  ? NullOrder.NULLS_FIRST
                  : NullOrder.NULLS_LAST));
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new TableOrdering(keys));
  }

  @Override
  public List<String> declaredOrdering() {
    List<String> keys = new ArrayList<>();
    for (OrderingField key : declaredTableOrdering().map(TableOrdering::fields).orElse(List.of())) {
      SortOptions options =
          new SortOptions(
              key.direction() == SortDirection.DESC, key.nullOrder() == NullOrder.NULLS_FIRST);
      keys.add(table.schema().findColumnName(key.fieldId()) + " " + options);
    }
    return keys;
  }

  /** Whether this view of the snapshot would come out the same if it were made again. */
  public boolean isUpToDate() {
    return files.isUpToDate();
  }

  /** Of how many files this view holds facts by now. */
  public int heldFiles() {
    return files.held();
  }

  /** What the index, or failing that the manifests, knows of every data file of the snapshot. */
  public List<FileFacts> files() {
    return files.facts();
  }

  /**
   * A leaf over some files of the snapshot, with all columns of the table. With an ordering each
   * partition is in that order (files that do not overlap share one), to be merged by the caller;
   * every file must be verified to have it. Without, the files are read one after another in one
   * partition.
   *
   * @throws VarveException ORDER_VIOLATED if a file is not verified to have the ordering
   */
  public PhysicalPlan read(
      List<FileFacts> selected, List<ColumnOrder> ordering, Settings settings) {
    ScanSpec spec = spec(allColumns(), settings);
    if (ordering.isEmpty()) {
      return DataSourceExec.of(spec, selected, List.of(FileGroup.of(selected)));
    }
    List<OrderingField> fields = new ArrayList<>();
    for (ColumnOrder key : ordering) {
      fields.add(OrderClaims.field(scan.columns().get(key.column()).id(), key.options()));
    }
    TableOrdering wanted = new TableOrdering(fields);
    List<FileFacts> withRows = selected.stream().filter(f -> f.recordCount() != 0).toList();
    return switch (FileGroups.chains(
        withRows, wanted, scan::show, OrderClaims.describe(wanted, scan))) {
      case FileGroups.Outcome.Grouped(List<FileGroup> groups) ->
          DataSourceExec.of(
              spec(spec.output(), settings.with(EngineSettings.OPTIMIZER, true)), withRows, groups);
      case FileGroups.Outcome.Refused(String reason) ->
          throw new VarveException(
              ErrorCode.ORDER_VIOLATED, "files of " + scan.name() + " cannot be merged: " + reason);
    };
  }

  /**
   * A leaf of one partition over some columns of one file, in the order of its rows as they were
   * written, those that were deleted since included.
   */
  public PhysicalPlan rows(FileFacts file, List<Integer> columns, Settings settings) {
    return DataSourceExec.of(
        ScanSpec.of(scan.withoutDeletes(), columns, settings),
        List.of(file),
        List.of(FileGroup.of(List.of(file))));
  }

  @Override
  public Schema schema() {
    return scan.schema();
  }

  @Override
  public synchronized Statistics statistics() {
    Statistics known = statistics;
    if (known == null) {
      SnapshotFiles.Sample sample = files.sample();
      known = ScanStatistics.of(tableSpec(), sample.files(), sample.rows());
      statistics = known;
    }
    return known;
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    ScanSpec spec = spec(request.projection(), request.settings());
    return request.settings().get(EngineSettings.OPTIMIZER) && files.areMany()
        ? new DeferredScanExec(spec, files, statistics(request.projection()))
        : DataSourceExec.of(spec, files.facts());
  }

  private Statistics statistics(List<Integer> projection) {
    Statistics all = statistics();
    return new Statistics(
        all.rowCount(),
        Precision.absent(),
        projection.stream().map(column -> all.columns().get(column)).toList());
  }

  private List<Integer> allColumns() {
    return IntStream.range(0, scan.columns().size()).boxed().toList();
  }

  /** All columns, whatever their types. */
  private ScanSpec tableSpec() {
    return new ScanSpec(scan, allColumns(), Settings.DEFAULTS);
  }

  private ScanSpec spec(List<Integer> columns, Settings settings) {
    return ScanSpec.of(scan, columns, settings);
  }
}
