package dev.varve.engine.scan;

import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.TableSummary;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;

/**
 * The data files of one snapshot: from the layout index where it knows the snapshot, else from the
 * manifests. Each is read at most once, when it is needed. Safe for concurrent use.
 */
final class SnapshotFiles {
  private final Table table;
  private final long snapshotId;
  private final LayoutIndex layoutIndex;
  private final String name;

  /**
   * Files of a table that are loaded whole: to ask for some of them would cost more than it saves.
   */
  private static final int LOADED_WHOLE = 1_000;

  /** Files whose facts are kept for the next statement. */
  private static final int KEPT = 100_000;

  // Volatile, so that who only asks how things are does not wait for one who loads.
  private volatile @Nullable List<FileFacts> files;
  private volatile boolean unsettled;
  private volatile @Nullable Optional<TableSummary> summary;
  private volatile @Nullable Long factsVersion;
  private @Nullable List<DataFile> manifestFiles;
  private @Nullable Map<String, DataFile> byPath;

  SnapshotFiles(Table table, long snapshotId, LayoutIndex layoutIndex, String name) {
    this.table = table;
    this.snapshotId = snapshotId;
    this.layoutIndex = layoutIndex;
    this.name = name;
  }

  /**
   * Whether the index would say the same again: it knew the snapshot when the facts were read, and
   * has taken up no check of a file since. True as well before they are read.
   */
  boolean isUpToDate() {
    Long read = factsVersion;
    return !unsettled
        && (read == null || read == layoutIndex.factsVersion(table.uuid().toString()));
  }

  /** To be called before facts are read, so that a change from then on shows as one. */
  private void noteVersion() {
    if (factsVersion == null) {
      factsVersion = layoutIndex.factsVersion(table.uuid().toString());
    }
  }

  /** Of how many files facts are held by now. */
  int held() {
    List<FileFacts> known = files;
    Optional<TableSummary> sampled = summary;
    return (known == null ? 0 : known.size())
        + (sampled == null ? 0 : sampled.map(s -> s.sample().size()).orElse(0));
  }

  /** The facts of all files. */
  synchronized List<FileFacts> facts() {
    List<FileFacts> known = files;
    if (known == null) {
      known = snapshotId == IcebergTableSource.NO_SNAPSHOT ? List.of() : load();
      if (known.size() <= KEPT) {
        files = known;
      }
    }
    return known;
  }

  /**
   * Whether the files are so many that a statement had better load facts of those only that it
   * needs, and the index can tell which.
   */
  boolean areMany() {
    return summary().filter(s -> s.files() > LOADED_WHOLE).isPresent();
  }

  /** How many there are. */
  long count() {
    return summary().map(TableSummary::files).orElseGet(() -> (long) facts().size());
  }

  /**
   * What is to be estimated from: all files, or some that stand for all.
   *
   * @param rows of all
   */
  record Sample(List<FileFacts> files, long rows) {}

  Sample sample() {
    Optional<TableSummary> many = summary().filter(s -> !s.isWhole());
    if (many.isPresent()) {
      return new Sample(many.get().sample(), many.get().rows());
    }
    List<FileFacts> all = facts();
    return new Sample(all, all.stream().mapToLong(FileFacts::recordCount).sum());
  }

  private synchronized Optional<TableSummary> summary() {
    Optional<TableSummary> known = summary;
    if (known == null) {
      known = Optional.empty();
      if (snapshotId != IcebergTableSource.NO_SNAPSHOT && files == null) {
        refuseDeletes();
        noteVersion();
        known = layoutIndex.summary(table.uuid().toString(), snapshotId);
        known.filter(TableSummary::isWhole).ifPresent(s -> files = s.sample());
      }
      summary = known;
    }
    return known;
  }

  /**
   * At least the files that can hold rows within all of the ranges. Only the index chooses; without
   * it, these are all files.
   */
  List<FileFacts> within(List<ColumnRange> ranges) {
    if (ranges.isEmpty() || !areMany()) {
      return facts();
    }
    LayoutQuery query =
        new LayoutQuery(table.uuid().toString(), snapshotId, ranges, Optional.empty());
    return switch (layoutIndex.plan(query)) {
      case LayoutAnswer.Complete complete -> complete.files();
      case LayoutAnswer.NotIndexed _ -> facts();
    };
  }

  private List<FileFacts> load() {
    refuseDeletes();
    noteVersion();
    LayoutQuery query =
        new LayoutQuery(table.uuid().toString(), snapshotId, List.of(), Optional.empty());
    return switch (layoutIndex.plan(query)) {
      case LayoutAnswer.Complete complete -> complete.files();
      case LayoutAnswer.NotIndexed _ -> {
        unsettled = true;
        yield fromManifests().stream().map(f -> IcebergFacts.of(table, f)).toList();
      }
    };
  }

  /** The snapshot's summary says it without a read, if it says it at all. */
  private void refuseDeletes() {
    Snapshot snapshot = snapshot();
    Map<String, String> summary = snapshot.summary();
    if (summary != null && "0".equals(summary.get("total-delete-files"))) {
      return;
    }
    for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
      if (manifest.hasAddedFiles() || manifest.hasExistingFiles()) {
        throw deletes();
      }
    }
  }

  private VarveException deletes() {
    return new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED,
        "table "
            + name
            + " has position deletes, equality deletes or deletion vectors in snapshot "
            + snapshotId
            + ", which are not supported yet");
  }

  private Snapshot snapshot() {
    Snapshot snapshot = table.snapshot(snapshotId);
    if (snapshot == null) {
      throw new VarveException(
          ErrorCode.NOT_FOUND, "table " + name + " has no snapshot " + snapshotId);
    }
    return snapshot;
  }

  private synchronized List<DataFile> fromManifests() {
    List<DataFile> known = manifestFiles;
    if (known != null) {
      return known;
    }
    List<DataFile> read = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks =
        table.newScan().useSnapshot(snapshotId).includeColumnStats().planFiles()) {
      for (FileScanTask task : tasks) {
        if (!task.deletes().isEmpty()) {
          throw deletes();
        }
        DataFile file = task.file();
        if (file.format() != FileFormat.PARQUET) {
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED,
              "table "
                  + name
                  + " has a file in format "
                  + file.format()
                  + ", which is not supported: "
                  + file.location());
        }
        read.add(file.copy());
      }
    } catch (IOException e) {
      throw new VarveException(
          ErrorCode.IO_ERROR, "cannot read the manifests of table " + name + ": " + e, e);
    }
    // Manifests are read in parallel: their order is not that of the last time.
    read.sort(java.util.Comparator.comparing(DataFile::location));
    manifestFiles = read;
    return read;
  }

  /**
   * The value of a column in a file that is partitioned by it: such a file need not have the
   * column. Empty if it is not.
   */
  synchronized Optional<Partitioned> partitionValue(FileFacts file, int fieldId) {
    if (table.specs().values().stream().noneMatch(spec -> position(spec, fieldId) >= 0)) {
      return Optional.empty();
    }
    Map<String, DataFile> paths = byPath;
    if (paths == null) {
      paths = new HashMap<>();
      for (DataFile data : fromManifests()) {
        paths.put(data.location(), data);
      }
      byPath = paths;
    }
    DataFile data = paths.get(file.path());
    PartitionSpec spec = data == null ? null : table.specs().get(data.specId());
    int position = spec == null ? -1 : position(spec, fieldId);
    if (data == null || position < 0) {
      return Optional.empty();
    }
    StructLike partition = data.partition();
    return Optional.of(new Partitioned(partition.get(position, Object.class)));
  }

  /** A partition value, which may be null. */
  record Partitioned(@Nullable Object value) {}

  private static int position(PartitionSpec spec, int fieldId) {
    List<PartitionField> fields = spec.fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).sourceId() == fieldId && fields.get(i).transform().isIdentity()) {
        return i;
      }
    }
    return -1;
  }
}
