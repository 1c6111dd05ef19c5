package dev.varve.catalog.upkeep;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.LakeUpkeep.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionStatisticsFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;

/**
 * Every file that some snapshots of a table name: what they consist of, then what leads there, each
 * once. Confined to one thread.
 */
final class SnapshotFileWalk {
  private final FileIO io;
  private final Runnable checkCanceled;
  private final boolean tolerant;

  /** Manifests that were read by this walk. */
  private final Set<String> read = new HashSet<>();

  /**
   * @param tolerant whether manifests that are gone are passed over: whoever removes files may have
   *     been stopped on the way
   */
  SnapshotFileWalk(FileIO io, boolean tolerant, Runnable checkCanceled) {
    this.io = io;
    this.tolerant = tolerant;
    this.checkCanceled = checkCanceled;
  }

  /** Walks over some snapshots of a table's state. */
  void walk(TableMetadata metadata, Set<Long> snapshots, BiConsumer<Kind, String> file) {
    List<String> manifests = new ArrayList<>();
    List<String> lists = new ArrayList<>();
    for (Snapshot snapshot : metadata.snapshots()) {
      if (!snapshots.contains(snapshot.snapshotId())) {
        continue;
      }
      checkCanceled.run();
      for (ManifestFile manifest : manifests(snapshot)) {
        if (read.add(manifest.path())) {
          content(metadata, manifest, file);
          manifests.add(manifest.path());
        }
      }
      if (snapshot.manifestListLocation() != null) {
        lists.add(snapshot.manifestListLocation());
      }
    }
    for (StatisticsFile statistics : metadata.statisticsFiles()) {
      if (snapshots.contains(statistics.snapshotId())) {
        file.accept(Kind.STATISTICS, statistics.path());
      }
    }
    for (PartitionStatisticsFile statistics : metadata.partitionStatisticsFiles()) {
      if (snapshots.contains(statistics.snapshotId())) {
        file.accept(Kind.STATISTICS, statistics.path());
      }
    }
    manifests.forEach(path -> file.accept(Kind.MANIFEST, path));
    lists.forEach(path -> file.accept(Kind.MANIFEST_LIST, path));
  }

  private List<ManifestFile> manifests(Snapshot snapshot) {
    try {
      return snapshot.allManifests(io);
    } catch (RuntimeException e) {
      if (tolerant && isGone(e)) {
        return List.of();
      }
      throw e;
    }
  }

  private void content(
      TableMetadata metadata, ManifestFile manifest, BiConsumer<Kind, String> file) {
    boolean deletes = manifest.content() == ManifestContent.DELETES;
    try (ManifestReader<? extends ContentFile<?>> reader =
        deletes
            ? ManifestFiles.readDeleteManifest(manifest, io, metadata.specsById())
            : ManifestFiles.read(manifest, io, metadata.specsById())) {
      int count = 0;
      for (ContentFile<?> entry : reader.select(List.of("file_path"))) {
        file.accept(deletes ? Kind.DELETE_FILE : Kind.DATA_FILE, entry.location());
        if (++count % 10_000 == 0) {
          checkCanceled.run();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      if (!tolerant || !isGone(e)) {
        throw e;
      }
    }
  }

  static boolean isGone(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotFoundException
          || (cause instanceof VarveException known && known.code() == ErrorCode.FILE_NOT_FOUND)) {
        return true;
      }
    }
    return false;
  }
}
