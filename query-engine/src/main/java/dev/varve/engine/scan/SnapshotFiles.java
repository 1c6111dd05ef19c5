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
import java.util.function.Consumer;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data files of one snapshot: from the layout index where it knows the snapshot, else from the
 * manifests. Each is read at most once, when it is needed. Safe for concurrent use.
 */
final class SnapshotFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotFiles.class);

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

  /** Of all data files, by path; empty if nothing is deleted. Null until it is known. */
  private volatile @Nullable Map<String, FileDeletes> deletes;

  private volatile @Nullable Boolean anyDeletes;

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
      case LayoutAnswer.Complete complete when areInManifests(complete.files()) -> complete.files();
      case LayoutAnswer.Complete _, LayoutAnswer.NotIndexed _ -> facts();
    };
  }

  private List<FileFacts> load() {
    noteVersion();
    LayoutQuery query =
        new LayoutQuery(table.uuid().toString(), snapshotId, List.of(), Optional.empty());
    if (layoutIndex.plan(query) instanceof LayoutAnswer.Complete complete
        && areInManifests(complete.files())) {
      return complete.files();
    }
    unsettled = true;
    return fromManifests().stream().map(f -> IcebergFacts.of(table, f)).toList();
  }

  /** Which delete files apply to a data file of the snapshot. */
  FileDeletes deletes(FileFacts file) {
    Map<String, FileDeletes> known = allDeletes();
    if (known.isEmpty()) {
      return FileDeletes.NONE;
    }
    FileDeletes own = known.get(file.path());
    if (own == null) {
      throw new IllegalStateException(
          file.path() + " is not in the manifests of snapshot " + snapshotId + " of " + name);
    }
    return own;
  }

  private Map<String, FileDeletes> allDeletes() {
    Map<String, FileDeletes> known = deletes;
    return known != null ? known : loadDeletes();
  }

  private synchronized Map<String, FileDeletes> loadDeletes() {
    Map<String, FileDeletes> known = deletes;
    if (known == null) {
      Map<String, FileDeletes> found = new HashMap<>();
      if (hasDeletes()) {
        plan(table.newScan().useSnapshot(snapshotId), task -> addDeletes(task, found));
      }
      known = Map.copyOf(found);
      deletes = known;
    }
    return known;
  }

  /** Whether any rows may be deleted; the snapshot's summary says it without a read, mostly. */
  boolean hasDeletes() {
    Boolean known = anyDeletes;
    if (known == null) {
      known = snapshotId != IcebergTableSource.NO_SNAPSHOT && hasDeletes(snapshot());
      anyDeletes = known;
    }
    return known;
  }

  private boolean hasDeletes(Snapshot snapshot) {
    Map<String, String> said = snapshot.summary();
    return (said == null || !"0".equals(said.get("total-delete-files")))
        && snapshot.deleteManifests(table.io()).stream()
            .anyMatch(manifest -> manifest.hasAddedFiles() || manifest.hasExistingFiles());
  }

  /**
   * Whether it is known of each of these files what is deleted from it: always, unless the index
   * names a file that the snapshot does not have.
   */
  private boolean areInManifests(List<FileFacts> indexed) {
    Map<String, FileDeletes> known = allDeletes();
    if (known.isEmpty()) {
      return true;
    }
    for (FileFacts file : indexed) {
      if (!known.containsKey(file.path())) {
        LOG.warn(
            "the index names {}, which is not in the manifests of snapshot {} of {}",
            file.path(),
            snapshotId,
            name);
        return false;
      }
    }
    return true;
  }

  private static void addDeletes(FileScanTask task, Map<String, FileDeletes> found) {
    List<DeleteFile> positions = new ArrayList<>();
    List<DeleteFile> equality = new ArrayList<>();
    for (DeleteFile delete : task.deletes()) {
      (delete.content() == FileContent.EQUALITY_DELETES ? equality : positions).add(delete);
    }
    found.put(
        task.file().location(),
        task.deletes().isEmpty()
            ? FileDeletes.NONE
            : new FileDeletes(
                ScanDeletes.sequenceNumber(task.file().dataSequenceNumber()), positions, equality));
  }

  private void plan(TableScan scan, Consumer<FileScanTask> action) {
    try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
      tasks.forEach(action);
    } catch (IOException e) {
      throw new VarveException(
          ErrorCode.IO_ERROR, "cannot read the manifests of table " + name + ": " + e, e);
    }
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
    boolean withDeletes = hasDeletes();
    Map<String, FileDeletes> found = new HashMap<>();
    plan(
        table.newScan().useSnapshot(snapshotId).includeColumnStats(),
        task -> {
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
          if (withDeletes) {
            addDeletes(task, found);
          }
        });
    deletes = Map.copyOf(found);
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
