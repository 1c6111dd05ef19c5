package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexChange.Delta;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads from manifests what snapshots of one table change. Confined to one thread. */
final class SnapshotDeltas {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotDeltas.class);

  private final TableMetadata metadata;
  private final Table table;
  private final AddedFiles files;

  SnapshotDeltas(TableMetadata metadata, Table table, AddedFiles files) {
    this.metadata = metadata;
    this.table = table;
    this.files = files;
  }

  /**
   * What a snapshot changes; none when its summary says otherwise than the manifests that it wrote.
   */
  Optional<Delta> between(Snapshot snapshot, long parentId) {
    SnapshotChanges changes = SnapshotChanges.builderFor(table).snapshot(snapshot).build();
    List<DataFile> added = new ArrayList<>();
    changes.addedDataFiles().forEach(added::add);
    List<String> removed = new ArrayList<>();
    changes.removedDataFiles().forEach(file -> removed.add(file.location()));
    if (!agrees(snapshot, "added-data-files", added.size())
        || !agrees(snapshot, "deleted-data-files", removed.size())) {
      LOG.info(
          "snapshot {} of table {} says otherwise than its manifests what it changes",
          snapshot.snapshotId(),
          metadata.uuid());
      return Optional.empty();
    }
    return Optional.of(
        new Delta(
            snapshot.snapshotId(),
            OptionalLong.of(parentId),
            files.entries(added),
            removed,
            liveFiles(snapshot)));
  }

  /** All data files of a snapshot; none when they are more than {@code mostFiles}. */
  Optional<Delta> whole(Snapshot snapshot, long mostFiles) {
    List<DataFile> all = new ArrayList<>();
    for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
      try (ManifestReader<DataFile> reader =
          ManifestFiles.read(manifest, table.io(), metadata.specsById())) {
        for (DataFile file : reader) {
          if (all.size() == mostFiles) {
            LOG.warn(
                "snapshot {} of table {} is not indexed: it has more than {} files",
                snapshot.snapshotId(),
                metadata.uuid(),
                mostFiles);
            return Optional.empty();
          }
          all.add(file.copy());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return Optional.of(
        new Delta(
            snapshot.snapshotId(),
            OptionalLong.empty(),
            files.entries(all),
            List.of(),
            OptionalLong.empty()));
  }

  private static boolean agrees(Snapshot snapshot, String property, int count) {
    String said = snapshot.summary() == null ? null : snapshot.summary().get(property);
    return said == null || said.equals(Integer.toString(count));
  }

  /** How many files a snapshot has by its manifest list: a writer may drop a manifest unsaid. */
  private OptionalLong liveFiles(Snapshot snapshot) {
    long live = 0;
    for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
      Integer added = manifest.addedFilesCount();
      Integer existing = manifest.existingFilesCount();
      if (added == null || existing == null) {
        return OptionalLong.empty();
      }
      live += added + existing;
    }
    return OptionalLong.of(live);
  }
}
