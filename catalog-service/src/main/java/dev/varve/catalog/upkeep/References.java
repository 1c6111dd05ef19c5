package dev.varve.catalog.upkeep;

import dev.varve.catalog.store.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadataParser;
import org.jspecify.annotations.Nullable;

/**
 * What all tables and views of the catalog name, as the pointers stand when it is asked. Nothing
 * may be removed if one of them cannot be read, so a failure passes through. Confined to one
 * thread.
 */
final class References {
  private final Database database;
  private final FileIO io;
  private final NamePrefixes prefixes;
  private final Runnable checkCanceled;

  References(Database database, FileIO io, NamePrefixes prefixes, Runnable checkCanceled) {
    this.database = database;
    this.io = io;
    this.prefixes = prefixes;
    this.checkCanceled = checkCanceled;
  }

  /** A state of a table with the snapshots of it that count. */
  record Kept(TableMetadata metadata, Set<Long> snapshots) {}

  /**
   * Takes out of {@code candidates} (by {@link FileNames}) whatever a table or view names, and what
   * some snapshots of other states name.
   *
   * @param without snapshots that do not count, by their table's uuid
   */
  void retain(Map<String, ?> candidates, List<Kept> more, Map<String, Set<Long>> without) {
    if (candidates.isEmpty()) {
      return;
    }
    @Nullable String common = null;
    for (String name : candidates.keySet()) {
      common = NamePrefixes.common(common, name);
    }
    String wanted = String.valueOf(common);
    Consumer<String> named = location -> candidates.remove(FileNames.of(location));
    for (String location : locations("lh_view")) {
      view(location, candidates);
    }
    for (String location : locations("lh_table")) {
      checkCanceled.run();
      TableMetadata metadata = TableMetadataParser.read(io, location);
      named.accept(location);
      metadata.previousFiles().forEach(previous -> named.accept(previous.file()));
      Set<Long> going = without.getOrDefault(metadata.uuid(), Set.of());
      for (Snapshot snapshot : metadata.snapshots()) {
        if (!going.contains(snapshot.snapshotId())) {
          snapshot(metadata, snapshot, wanted, named);
        }
      }
      // Statistics of snapshots that are gone may still be named by the metadata.
      metadata.statisticsFiles().stream()
          .filter(file -> !going.contains(file.snapshotId()))
          .forEach(file -> named.accept(file.path()));
      metadata.partitionStatisticsFiles().stream()
          .filter(file -> !going.contains(file.snapshotId()))
          .forEach(file -> named.accept(file.path()));
    }
    for (Kept state : more) {
      for (Snapshot snapshot : state.metadata.snapshots()) {
        if (state.snapshots.contains(snapshot.snapshotId())) {
          snapshot(state.metadata, snapshot, wanted, named);
        }
      }
    }
  }

  private List<String> locations(String table) {
    List<String> all = new ArrayList<>();
    database.read(
        sql ->
            sql.list("select metadata_location from " + table, row -> all.add(row.getString(1))));
    return all;
  }

  private void view(String location, Map<String, ?> candidates) {
    candidates.remove(FileNames.of(location));
    // Older versions of a view have files of their own, which nothing lists: its folder is kept.
    String folder =
        FileNames.of(ViewMetadataParser.read(io.newInputFile(location)).location()) + "/";
    candidates.keySet().removeIf(name -> name.startsWith(folder));
  }

  private void snapshot(
      TableMetadata metadata, Snapshot snapshot, String wanted, Consumer<String> named) {
    String list = snapshot.manifestListLocation();
    if (list != null && !prefixes.mayMeet(list, wanted)) {
      return;
    }
    String[] common = new String[1];
    new SnapshotFileWalk(io, false, checkCanceled)
        .walk(
            metadata,
            Set.of(snapshot.snapshotId()),
            (kind, location) -> {
              common[0] = NamePrefixes.common(common[0], FileNames.of(location));
              named.accept(location);
            });
    if (list != null && common[0] != null) {
      prefixes.put(list, common[0]);
    }
  }
}
