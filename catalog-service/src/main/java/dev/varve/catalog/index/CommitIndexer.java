package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexChange.Delta;
import dev.varve.catalog.index.IndexChange.KeyOrder;
import dev.varve.catalog.store.Database;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, before the commit's transaction, what its new snapshots add and remove: only the manifests
 * that those snapshots wrote, whichever branch they are of. A failure to read leaves a snapshot out
 * of the index; it never stops a commit. Safe for concurrent use.
 */
public final class CommitIndexer {
  private static final Logger LOG = LoggerFactory.getLogger(CommitIndexer.class);

  /** Snapshots that are followed down to one that is indexed; beyond, the last is read whole. */
  private static final int MAX_STEPS = 100;

  /** Files of a snapshot that is read whole; a larger one stays out of the index. */
  private static final long MAX_WHOLE_FILES = 200_000;

  /** The same for a snapshot that is not the table's current one, within a commit. */
  private static final long MAX_WHOLE_SIDE_FILES = 10_000;

  private final Database database;
  private final IndexingSwitch indexing;

  public CommitIndexer(Database database, IndexingSwitch indexing) {
    this.database = database;
    this.indexing = indexing;
  }

  /**
   * The change that a commit from {@code base} to {@code next} makes: its new snapshots and those
   * that references now stand on. Without a base, or when it is the same, all references are looked
   * at.
   *
   * @param table the table as {@code next} has it
   */
  public IndexChange prepare(
      OptionalLong tableId, @Nullable TableMetadata base, TableMetadata next, Table table) {
    return indexing.isOn()
        ? new Walk(tableId, base, next, table).change(false)
        : IndexChange.none(forgotten(base, next));
  }

  /** The same, but from all manifests of the snapshots, in lines of their own. */
  public IndexChange rebuild(
      OptionalLong tableId, @Nullable TableMetadata base, TableMetadata next, Table table) {
    return new Walk(tableId, base, next, table).change(true);
  }

  /** Follows the histories of one commit's snapshots. Confined to one thread. */
  private final class Walk {
    private final OptionalLong tableId;
    private final @Nullable TableMetadata base;
    private final TableMetadata next;
    private final SnapshotDeltas reader;
    private final AddedFiles files;
    private final List<Delta> deltas = new ArrayList<>();
    private final Set<Long> planned = new HashSet<>();

    Walk(OptionalLong tableId, @Nullable TableMetadata base, TableMetadata next, Table table) {
      this.tableId = tableId;
      this.base = base;
      this.next = next;
      this.files = new AddedFiles(database, tableId, next);
      this.reader = new SnapshotDeltas(next, table, files);
    }

    IndexChange change(boolean whole) {
      for (Snapshot target : targets()) {
        List<Delta> found = new ArrayList<>();
        try {
          read(target, whole, found);
        } catch (RuntimeException e) {
          LOG.warn(
              "snapshot {} of table {} is not indexed: its changes cannot be read",
              target.snapshotId(),
              next.uuid(),
              e);
          continue;
        }
        deltas.addAll(found);
        found.forEach(delta -> planned.add(delta.snapshotId()));
      }
      return new IndexChange(deltas, keyOrder(next), files.stagedIds(), forgotten(base, next));
    }

    /** Older ones first, so that the others find them done. */
    private List<Snapshot> targets() {
      Set<Long> ids = new LinkedHashSet<>();
      boolean all = base == null || base == next;
      Map<String, SnapshotRef> before = base == null ? Map.of() : base.refs();
      next.refs()
          .forEach(
              (name, ref) -> {
                if (all || !ref.equals(before.get(name))) {
                  ids.add(ref.snapshotId());
                }
              });
      if (next.currentSnapshot() != null) {
        ids.add(next.currentSnapshot().snapshotId());
      }
      if (base != null && base != next) {
        for (Snapshot snapshot : next.snapshots()) {
          if (base.snapshot(snapshot.snapshotId()) == null) {
            ids.add(snapshot.snapshotId());
          }
        }
      }
      return ids.stream()
          .map(next::snapshot)
          .filter(Objects::nonNull)
          .sorted(
              Comparator.comparingLong(Snapshot::sequenceNumber)
                  .thenComparingLong(Snapshot::timestampMillis)
                  .thenComparingLong(Snapshot::snapshotId))
          .toList();
    }

    private void read(Snapshot target, boolean whole, List<Delta> into) {
      List<Snapshot> steps = new ArrayList<>();
      Snapshot at = target;
      while (!isKnown(at)) {
        steps.addFirst(at);
        Snapshot parent = at.parentId() == null ? null : next.snapshot(at.parentId());
        boolean lost = at.parentId() != null && parent == null;
        if (whole || lost || steps.size() > MAX_STEPS) {
          // The history below is unknown: the newest snapshot is read whole.
          reader.whole(target, mostFiles(target)).ifPresent(into::add);
          return;
        }
        if (parent == null) {
          break;
        }
        at = parent;
      }
      for (Snapshot step : steps) {
        Optional<Delta> delta =
            step.parentId() == null
                ? reader.whole(step, mostFiles(target))
                : reader.between(step, step.parentId());
        if (delta.isEmpty()) {
          into.clear();
          reader.whole(target, mostFiles(target)).ifPresent(into::add);
          return;
        }
        into.add(delta.get());
      }
    }

    private long mostFiles(Snapshot snapshot) {
      return snapshot == next.currentSnapshot() || base == next
          ? MAX_WHOLE_FILES
          : MAX_WHOLE_SIDE_FILES;
    }

    private boolean isKnown(Snapshot snapshot) {
      return planned.contains(snapshot.snapshotId())
          || (tableId.isPresent()
              && database.read(
                  sql ->
                      IndexQueries.point(sql, tableId.getAsLong(), snapshot.snapshotId())
                          .isPresent()));
    }
  }

  private static List<Long> forgotten(@Nullable TableMetadata base, TableMetadata next) {
    if (base == null) {
      return List.of();
    }
    Set<Long> kept = new HashSet<>();
    next.snapshots().forEach(snapshot -> kept.add(snapshot.snapshotId()));
    List<Long> forgotten = new ArrayList<>();
    for (Snapshot snapshot : base.snapshots()) {
      if (!kept.contains(snapshot.snapshotId())) {
        forgotten.add(snapshot.snapshotId());
      }
    }
    return forgotten;
  }

  private static Optional<KeyOrder> keyOrder(TableMetadata metadata) {
    return IcebergKeys.ordering(metadata.sortOrder())
        .flatMap(
            ordering ->
                Optional.ofNullable(
                        metadata.schema().findField(ordering.fields().getFirst().fieldId()))
                    .flatMap(lead -> IcebergKeys.keyType(lead.type()))
                    .map(type -> new KeyOrder(metadata.sortOrder().orderId(), ordering, type)));
  }
}
