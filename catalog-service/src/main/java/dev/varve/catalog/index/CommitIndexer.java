package dev.varve.catalog.index;

import dev.varve.catalog.index.FileEntry.Origin;
import dev.varve.catalog.index.IndexChange.Anchor;
import dev.varve.catalog.index.IndexChange.Delta;
import dev.varve.catalog.index.IndexChange.KeyOrder;
import dev.varve.catalog.index.StagedFacts.Staged;
import dev.varve.catalog.store.Database;
import dev.varve.layout.FileFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, before the commit's transaction, what its new snapshots add and remove: only the manifests
 * that those snapshots wrote. A failure to read leaves the snapshot out of the index; it never
 * stops a commit. Safe for concurrent use.
 */
public final class CommitIndexer {
  private static final Logger LOG = LoggerFactory.getLogger(CommitIndexer.class);

  /** Snapshots that one commit may bring before the last is read as a whole instead. */
  private static final int MAX_STEPS = 100;

  /** Files that a commit may read as a whole; a larger table stays out of the index. */
  private static final long MAX_REBUILD_FILES = 200_000;

  private static final int LOOKUP_FILES = 1_000;

  private final Database database;

  public CommitIndexer(Database database) {
    this.database = database;
  }

  /**
   * The change that a commit from {@code base} (none for a new table) to {@code next} makes.
   *
   * @param table the table as {@code next} has it
   */
  public IndexChange prepare(
      OptionalLong tableId, @Nullable TableMetadata base, TableMetadata next, Table table) {
    List<Long> forgotten = forgotten(base, next);
    Snapshot current = next.currentSnapshot();
    if (current == null) {
      return IndexChange.none(forgotten);
    }
    try {
      List<Snapshot> steps = new ArrayList<>();
      Optional<Anchor> anchor = Optional.empty();
      for (Snapshot at = current; at != null && steps.size() < MAX_STEPS; ) {
        anchor = anchor(tableId, at.snapshotId());
        if (anchor.isPresent()) {
          break;
        }
        steps.addFirst(at);
        if (at.parentId() == null) {
          return incremental(tableId, anchor, steps, next, table, forgotten);
        }
        at = next.snapshot(at.parentId());
      }
      if (steps.isEmpty()) {
        return IndexChange.none(forgotten);
      }
      // Without a known ancestor, the history below is unknown: the newest snapshot is read whole.
      return incremental(
          tableId, anchor, anchor.isPresent() ? steps : List.of(current), next, table, forgotten);
    } catch (RuntimeException e) {
      LOG.warn(
          "snapshot {} of table {} is not indexed: its changes cannot be read",
          current.snapshotId(),
          next.uuid(),
          e);
      return IndexChange.none(forgotten);
    }
  }

  /** The change that indexes the current snapshot from all its manifests, in a line of its own. */
  public IndexChange rebuild(
      OptionalLong tableId, @Nullable TableMetadata base, TableMetadata next, Table table) {
    List<Long> forgotten = forgotten(base, next);
    Snapshot current = next.currentSnapshot();
    if (current == null) {
      return IndexChange.none(forgotten);
    }
    try {
      return incremental(tableId, Optional.empty(), List.of(current), next, table, forgotten);
    } catch (RuntimeException e) {
      LOG.warn(
          "snapshot {} of table {} is not indexed: its manifests cannot be read",
          current.snapshotId(),
          next.uuid(),
          e);
      return IndexChange.none(forgotten);
    }
  }

  private IndexChange incremental(
      OptionalLong tableId,
      Optional<Anchor> anchor,
      List<Snapshot> steps,
      TableMetadata next,
      Table table,
      List<Long> forgotten) {
    Facts facts = new Facts(tableId, next);
    List<Delta> deltas = new ArrayList<>(steps.size());
    for (Snapshot step : steps) {
      if (anchor.isEmpty() && deltas.isEmpty()) {
        Optional<List<DataFile>> all = liveFiles(step, next, table);
        if (all.isEmpty()) {
          return IndexChange.none(forgotten);
        }
        deltas.add(new Delta(step.snapshotId(), facts.entries(all.get()), List.of()));
        continue;
      }
      SnapshotChanges changes = SnapshotChanges.builderFor(table).snapshot(step).build();
      List<DataFile> added = new ArrayList<>();
      changes.addedDataFiles().forEach(added::add);
      List<String> removed = new ArrayList<>();
      changes.removedDataFiles().forEach(file -> removed.add(file.location()));
      if (!agrees(step, "added-data-files", added.size())
          || !agrees(step, "deleted-data-files", removed.size())) {
        LOG.info(
            "snapshot {} of table {} says otherwise than its manifests what it changes",
            step.snapshotId(),
            next.uuid());
        return incremental(
            tableId, Optional.empty(), List.of(steps.getLast()), next, table, forgotten);
      }
      deltas.add(new Delta(step.snapshotId(), facts.entries(added), removed));
    }
    return new IndexChange(anchor, deltas, keyOrder(next), facts.used, forgotten);
  }

  /** All data files of a snapshot; none when they are too many to be read in a commit. */
  private static Optional<List<DataFile>> liveFiles(
      Snapshot snapshot, TableMetadata metadata, Table table) {
    List<DataFile> files = new ArrayList<>();
    for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
      try (ManifestReader<DataFile> reader =
          ManifestFiles.read(manifest, table.io(), metadata.specsById())) {
        for (DataFile file : reader) {
          if (files.size() == MAX_REBUILD_FILES) {
            LOG.warn(
                "snapshot {} of table {} is not indexed: it has more than {} files",
                snapshot.snapshotId(),
                metadata.uuid(),
                MAX_REBUILD_FILES);
            return Optional.empty();
          }
          files.add(file.copy());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return Optional.of(files);
  }

  private static boolean agrees(Snapshot snapshot, String property, int count) {
    String said = snapshot.summary() == null ? null : snapshot.summary().get(property);
    return said == null || said.equals(Integer.toString(count));
  }

  private Optional<Anchor> anchor(OptionalLong tableId, long snapshotId) {
    return tableId.isEmpty()
        ? Optional.empty()
        : database.read(sql -> IndexQueries.anchor(sql, tableId.getAsLong(), snapshotId));
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

  /** Chooses the facts of added files: our writer's, those known already, the manifest's. */
  private final class Facts {
    private final OptionalLong tableId;
    private final String tableUuid;
    private final ManifestFacts manifest;
    private final Map<Integer, PartitionSpec> specs;
    private final List<Long> used = new ArrayList<>();

    Facts(OptionalLong tableId, TableMetadata metadata) {
      this.tableId = tableId;
      this.tableUuid = metadata.uuid();
      this.manifest = new ManifestFacts(metadata);
      this.specs = metadata.specsById();
    }

    List<FileEntry> entries(List<DataFile> files) {
      List<FileEntry> entries = new ArrayList<>(files.size());
      for (int from = 0; from < files.size(); from += LOOKUP_FILES) {
        entries.addAll(chunk(files.subList(from, Math.min(files.size(), from + LOOKUP_FILES))));
      }
      return entries;
    }

    private List<FileEntry> chunk(List<DataFile> files) {
      long[] hashes = files.stream().mapToLong(file -> PathHash.of(file.location())).toArray();
      Map<String, FileFacts> known = new HashMap<>();
      database.read(
          sql -> {
            if (tableId.isPresent()) {
              for (FileFacts facts : IndexQueries.ownFacts(sql, tableId.getAsLong(), hashes)) {
                known.put(facts.path(), facts);
              }
            }
            for (Staged staged : StagedFacts.find(sql, tableUuid, hashes)) {
              known.put(staged.facts().path(), staged.facts());
              used.add(staged.id());
            }
            return known;
          });
      List<FileEntry> entries = new ArrayList<>(files.size());
      for (DataFile file : files) {
        entries.add(entry(file, known.get(file.location())));
      }
      return entries;
    }

    private FileEntry entry(DataFile file, @Nullable FileFacts known) {
      if (known != null
          && known.sizeBytes() == file.fileSizeInBytes()
          && known.recordCount() == file.recordCount()) {
        return entry(file, manifest.complete(known), Origin.WRITER);
      }
      return entry(file, manifest.of(file), Origin.MANIFEST);
    }

    private FileEntry entry(DataFile file, FileFacts facts, Origin origin) {
      PartitionSpec spec = specs.get(file.specId());
      return new FileEntry(
          facts,
          format(file.format()),
          file.sortOrderId(),
          file.dataSequenceNumber(),
          origin,
          spec == null ? null : TaskBlob.of(file, spec));
    }

    private static int format(FileFormat format) {
      return switch (format) {
        case PARQUET -> 0;
        case ORC -> 1;
        case AVRO -> 2;
        default -> 3;
      };
    }
  }
}
