package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.OwnFacts;
import dev.varve.catalog.index.StagedFacts.Staged;
import dev.varve.catalog.store.Database;
import dev.varve.layout.FileFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the facts of added files: those that our writer staged, those that we found out before,
 * the manifest's. Facts are of a file that has the path and the size. Confined to one thread.
 */
final class AddedFiles {
  private static final int LOOKUP_FILES = 1_000;

  private final Database database;
  private final OptionalLong tableId;
  private final String tableUuid;
  private final ManifestFacts manifest;
  private final Map<Integer, PartitionSpec> specs;
  private final List<Long> stagedIds = new ArrayList<>();

  AddedFiles(Database database, OptionalLong tableId, TableMetadata metadata) {
    this.database = database;
    this.tableId = tableId;
    this.tableUuid = metadata.uuid();
    this.manifest = new ManifestFacts(metadata);
    this.specs = metadata.specsById();
  }

  /** The staged facts of the files that were looked up. */
  List<Long> stagedIds() {
    return stagedIds;
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
    Map<String, OwnFacts> known = new HashMap<>();
    database.read(
        sql -> {
          if (tableId.isPresent()) {
            for (OwnFacts own : IndexQueries.ownFacts(sql, tableId.getAsLong(), hashes)) {
              known.put(own.facts().path(), own);
            }
          }
          for (Staged staged : StagedFacts.find(sql, tableUuid, hashes)) {
            known.put(staged.facts().path(), new OwnFacts(staged.facts(), StatsState.WRITER));
            stagedIds.add(staged.id());
          }
          return known;
        });
    List<FileEntry> entries = new ArrayList<>(files.size());
    for (DataFile file : files) {
      entries.add(entry(file, known.get(file.location())));
    }
    return entries;
  }

  private FileEntry entry(DataFile file, @Nullable OwnFacts known) {
    if (known != null
        && known.facts().sizeBytes() == file.fileSizeInBytes()
        && known.facts().recordCount() == file.recordCount()) {
      return entry(file, manifest.complete(known.facts()), known.state());
    }
    return entry(file, manifest.of(file), StatsState.MANIFEST);
  }

  private FileEntry entry(DataFile file, FileFacts facts, StatsState state) {
    PartitionSpec spec = specs.get(file.specId());
    return new FileEntry(
        facts,
        format(file.format()),
        file.sortOrderId(),
        file.dataSequenceNumber(),
        state,
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
