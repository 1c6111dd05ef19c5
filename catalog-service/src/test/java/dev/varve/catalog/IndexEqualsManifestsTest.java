package dev.varve.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.store.EmbeddedDatabase;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutAnswer.Complete;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After any history, the index's answer for any snapshot is what the manifests say, or "not
 * indexed"; with a range it has exactly the files whose bounds meet it.
 */
class IndexEqualsManifestsTest {
  private static final int HISTORIES = 6;
  private static final int STEPS = 25;

  @TempDir Path directory;
  private EmbeddedDatabase database;
  private LakeCatalog lake;

  @BeforeEach
  void open() {
    database = EmbeddedDatabase.open(directory.resolve("catalog"));
    lake =
        LakeCatalog.open(
            database.dataSource(),
            // A small cache, so that facts are read again as well.
            new CatalogSettings("lake", directory.resolve("warehouse").toString(), 20_000),
            new LocalFileIO());
    lake.catalog().createNamespace(Namespace.of("s"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void whateverHappensToATable() throws IOException {
    long seed = Long.getLong("varve.seed", new Random().nextLong());
    System.out.println("IndexEqualsManifestsTest: -Dvarve.seed=" + seed);
    int complete = 0;
    for (int history = 0; history < HISTORIES; history++) {
      Random random = new Random(seed + history);
      Table table =
          lake.catalog()
              .buildTable(TableIdentifier.of("s", "t" + history), TestFiles.SCHEMA)
              .withSortOrder(history % 2 == 0 ? TestFiles.BY_K : TestFiles.BY_K_DESC)
              .create();
      for (int step = 0; step < STEPS; step++) {
        String action = step(random, table);
        table.refresh();
        complete +=
            check(
                random,
                table,
                "seed %d, history %d, step %d: %s".formatted(seed, history, step, action));
      }
    }
    assertThat(complete).as("most snapshots are indexed").isGreaterThan(HISTORIES * STEPS);
  }

  private String step(Random random, Table table) throws IOException {
    List<DataFile> live = live(table, Optional.ofNullable(table.currentSnapshot()));
    Collections.shuffle(live, random);
    int some = live.isEmpty() ? 0 : 1 + random.nextInt(Math.min(3, live.size()));
    List<DataFile> chosen = live.subList(0, some);
    if (table.currentSnapshot() == null) {
      append(random, table, table.newAppend());
      return "first append";
    }
    switch (random.nextInt(10)) {
      case 0, 1, 2 ->
          append(random, table, random.nextBoolean() ? table.newAppend() : table.newFastAppend());
      case 3 -> {
        DeleteFiles delete = table.newDelete();
        chosen.forEach(delete::deleteFile);
        delete.commit();
        return "delete";
      }
      case 4 -> {
        OverwriteFiles overwrite = table.newOverwrite();
        chosen.forEach(overwrite::deleteFile);
        newFiles(random, table).forEach(overwrite::addFile);
        overwrite.commit();
        return "overwrite";
      }
      case 5 -> {
        if (chosen.isEmpty()) {
          return "nothing";
        }
        RewriteFiles rewrite =
            table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
        chosen.forEach(rewrite::deleteFile);
        // A rewrite may not add rows.
        newFiles(random, table).stream().limit(some).forEach(rewrite::addFile);
        rewrite.commit();
        return "rewrite";
      }
      case 6 -> {
        table
            .expireSnapshots()
            .retainLast(1 + random.nextInt(3))
            .expireOlderThan(Long.MAX_VALUE)
            .commit();
        return "expire";
      }
      case 7 -> {
        Long parent = table.currentSnapshot().parentId();
        if (parent == null || table.snapshot(parent) == null) {
          table.rewriteManifests().commit();
          return "rewrite manifests";
        }
        table.manageSnapshots().rollbackTo(parent).commit();
        return "roll back";
      }
      case 8 -> {
        return branch(random, table);
      }
      default -> {
        Transaction transaction = table.newTransaction();
        append(random, table, transaction.newAppend());
        DeleteFiles delete = transaction.newDelete();
        chosen.forEach(delete::deleteFile);
        delete.commit();
        transaction.commitTransaction();
        return "transaction";
      }
    }
    return "append";
  }

  private String branch(Random random, Table table) {
    if (table.refs().containsKey("side")) {
      table.manageSnapshots().removeBranch("side").commit();
    }
    table.manageSnapshots().createBranch("side", table.currentSnapshot().snapshotId()).commit();
    append(random, table, table.newAppend().toBranch("side"));
    if (random.nextBoolean()) {
      table.manageSnapshots().fastForwardBranch(SnapshotRef.MAIN_BRANCH, "side").commit();
      return "branch and fast forward";
    }
    return "branch";
  }

  private void append(Random random, Table table, AppendFiles append) {
    newFiles(random, table).forEach(append::appendFile);
    append.commit();
  }

  /** Some of the files are ours and staged, the others come from elsewhere. */
  private List<DataFile> newFiles(Random random, Table table) {
    List<DataFile> files = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      long low = random.nextInt(-500, 500);
      long high = low + random.nextInt(random.nextInt(10) == 0 ? 1000 : 30);
      DataFile file = TestFiles.file(table, low, high);
      if (random.nextBoolean()) {
        lake.layoutIndex()
            .stage(table.uuid().toString(), List.of(TestFiles.verified(file, low, high)));
      }
      files.add(file);
    }
    return files;
  }

  /** Returns how many snapshots the index knows. */
  private int check(Random random, Table table, String what) throws IOException {
    int complete = 0;
    for (Snapshot snapshot : table.snapshots()) {
      List<DataFile> expected = live(table, Optional.of(snapshot));
      LayoutAnswer answer = plan(table, snapshot, List.of());
      if (!(answer instanceof Complete all)) {
        assertThat(snapshot).as(what).isNotEqualTo(table.currentSnapshot());
        continue;
      }
      complete++;
      assertThat(all.files().stream().map(FileFacts::path))
          .as(what)
          .containsExactlyInAnyOrderElementsOf(expected.stream().map(DataFile::location).toList());
      assertThat(all.totalFiles()).as(what).isEqualTo(expected.size());
      assertThat(all.totalRows())
          .as(what)
          .isEqualTo(expected.stream().mapToLong(DataFile::recordCount).sum());
      assertThat(all.totalBytes())
          .as(what)
          .isEqualTo(expected.stream().mapToLong(DataFile::fileSizeInBytes).sum());
      ColumnRange range = range(random);
      Complete pruned = (Complete) plan(table, snapshot, List.of(range));
      assertThat(pruned.files().stream().map(FileFacts::path))
          .as("%s, k in %s", what, range)
          .containsExactlyInAnyOrderElementsOf(
              expected.stream()
                  .filter(file -> matches(file, range))
                  .map(DataFile::location)
                  .toList());
    }
    return complete;
  }

  private static ColumnRange range(Random random) {
    Optional<EncodedKey> from = Optional.of(KeyEncoding.encodeLong(random.nextInt(-600, 600)));
    Optional<EncodedKey> to =
        from.map(key -> KeyEncoding.encodeLong(decode(key) + random.nextInt(60)));
    return switch (random.nextInt(3)) {
      case 0 -> new ColumnRange(1, from, to, false);
      case 1 -> new ColumnRange(1, from, Optional.empty(), random.nextBoolean());
      default -> new ColumnRange(1, Optional.empty(), to, false);
    };
  }

  private static boolean matches(DataFile file, ColumnRange range) {
    return range.lower().map(key -> decode(key) <= bound(file.upperBounds())).orElse(true)
        && range.upper().map(key -> decode(key) >= bound(file.lowerBounds())).orElse(true);
  }

  private static long decode(EncodedKey key) {
    return (Long) KeyEncoding.decodeValue(KeyType.INTEGRAL, key);
  }

  private static long bound(Map<Integer, ByteBuffer> bounds) {
    return Objects.requireNonNull(bounds.get(1))
        .duplicate()
        .order(ByteOrder.LITTLE_ENDIAN)
        .getLong(0);
  }

  private LayoutAnswer plan(Table table, Snapshot snapshot, List<ColumnRange> ranges) {
    return lake.layoutIndex()
        .plan(
            new LayoutQuery(
                table.uuid().toString(), snapshot.snapshotId(), ranges, Optional.empty()));
  }

  private static List<DataFile> live(Table table, Optional<Snapshot> snapshot) throws IOException {
    List<DataFile> files = new ArrayList<>();
    if (snapshot.isPresent()) {
      try (CloseableIterable<FileScanTask> tasks =
          table
              .newScan()
              .useSnapshot(snapshot.get().snapshotId())
              .includeColumnStats()
              .planFiles()) {
        tasks.forEach(task -> files.add(task.file().copy()));
      }
    }
    return files;
  }
}
