package dev.varve.catalog.scan;

import dev.varve.catalog.index.ScanIndex;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.IncrementalAppendScan;
import org.apache.iceberg.Scan;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files of a scan: from the layout index where it knows the snapshot, otherwise from the
 * manifests, as a client would do it for itself. The manifests are also read for snapshots with
 * delete files, for column statistics, for an older schema and for what was appended between two
 * snapshots. Safe for concurrent use.
 */
public final class ScanPlanner {
  private final ScanIndex index;

  public ScanPlanner(ScanIndex index) {
    this.index = index;
  }

  /** Where the files of a scan come from. */
  public enum Source {
    INDEX,
    MANIFESTS
  }

  /** The tasks of a scan, found as they are taken; to be closed. */
  public record Planned(Source source, CloseableIterator<FileScanTask> tasks) {}

  /**
   * Begins to plan.
   *
   * @param indexed false to leave the index out: a plan from it failed with {@link
   *     ScanIndex.Incomplete}
   * @throws IllegalArgumentException or ValidationException when the request makes no sense for
   *     this table
   */
  public Planned plan(BaseTable table, PlanTableScanRequest request, boolean indexed) {
    if (request.startSnapshotId() != null) {
      return incremental(table, request);
    }
    TableMetadata metadata = table.operations().current();
    Snapshot snapshot = snapshot(metadata, request.snapshotId());
    if (snapshot == null) {
      bind(table.schema(), request);
      return new Planned(Source.MANIFESTS, CloseableIterator.empty());
    }
    boolean oldSchema =
        request.snapshotId() != null
            && request.useSnapshotSchema()
            && !SnapshotUtil.schemaFor(table, snapshot.snapshotId()).sameSchema(table.schema());
    if (oldSchema) {
      return manifests(table.newScan().useSnapshot(snapshot.snapshotId()), request);
    }
    Expression filter = bind(table.schema(), request);
    if (indexed
        && isEmpty(request.statsFields())
        && snapshot.deleteManifests(table.io()).isEmpty()) {
      Optional<Iterator<DataFile>> files = index.files(metadata, snapshot.snapshotId(), filter);
      if (files.isPresent()) {
        return new Planned(Source.INDEX, new FileTasks(table, request, files.get()));
      }
    }
    return manifests(at(table, snapshot).newScan(), request);
  }

  private static boolean isEmpty(@Nullable Collection<?> values) {
    return values == null || values.isEmpty();
  }

  private static @Nullable Snapshot snapshot(TableMetadata table, @Nullable Long snapshotId) {
    if (snapshotId == null) {
      return table.currentSnapshot();
    }
    Snapshot snapshot = table.snapshot(snapshotId);
    if (snapshot == null) {
      throw new BadRequestException("Cannot find snapshot with ID %s", snapshotId);
    }
    return snapshot;
  }

  /** The filter as the schema understands it. */
  private static Expression bind(Schema schema, PlanTableScanRequest request) {
    return request.filter() == null
        ? Expressions.alwaysTrue()
        : Binder.bind(
            schema.asStruct(), Expressions.rewriteNot(request.filter()), request.caseSensitive());
  }

  /** The table with its current schema at a snapshot, which may be of another branch. */
  private static BaseTable at(BaseTable table, Snapshot snapshot) {
    TableMetadata now = table.operations().current();
    Snapshot current = now.currentSnapshot();
    if (current != null && current.snapshotId() == snapshot.snapshotId()) {
      return table;
    }
    TableMetadata then =
        TableMetadata.buildFrom(now)
            .setBranchSnapshot(snapshot.snapshotId(), SnapshotRef.MAIN_BRANCH)
            .discardChanges()
            .build();
    return new BaseTable(new StaticTableOperations(then, table.io()), table.name());
  }

  /** What was appended after one snapshot up to another. */
  private static Planned incremental(BaseTable table, PlanTableScanRequest request) {
    TableMetadata metadata = table.operations().current();
    long start = known(metadata, request.startSnapshotId());
    long end = known(metadata, request.endSnapshotId());
    if (start == end) {
      bind(table.schema(), request);
      return new Planned(Source.MANIFESTS, CloseableIterator.empty());
    }
    if (!SnapshotUtil.isAncestorOf(table, end, start)) {
      throw new BadRequestException("Snapshot %s is not an ancestor of snapshot %s", start, end);
    }
    IncrementalAppendScan scan = table.newIncrementalAppendScan();
    return manifests(scan.fromSnapshotExclusive(start).toSnapshot(end), request);
  }

  private static long known(TableMetadata table, @Nullable Long snapshotId) {
    Snapshot snapshot = snapshotId == null ? null : snapshot(table, snapshotId);
    if (snapshot == null) {
      throw new BadRequestException("An incremental scan needs start-snapshot-id, end-snapshot-id");
    }
    return snapshot.snapshotId();
  }

  private static <T extends Scan<T, FileScanTask, ?>> Planned manifests(
      T scan, PlanTableScanRequest request) {
    T configured = scan.caseSensitive(request.caseSensitive());
    Expression filter = request.filter();
    if (!isEmpty(request.statsFields())) {
      configured = configured.includeColumnStats(request.statsFields());
    }
    if (filter == null) {
      return new Planned(Source.MANIFESTS, configured.planFiles().iterator());
    }
    Schema schema = configured.schema();
    Binder.bind(schema.asStruct(), filter, request.caseSensitive());
    Expression widened = NaNFilter.widen(filter, schema, request.caseSensitive());
    CloseableIterable<FileScanTask> tasks = configured.filter(widened).planFiles();
    return new Planned(
        Source.MANIFESTS, new Narrowed(tasks.iterator(), filter, request.caseSensitive()));
  }
}
