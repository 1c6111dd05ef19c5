package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.TransactionFailure;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutAnswer.Complete;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After any history, the index's answer for any snapshot that is left is what the manifests say, or
 * "not indexed", and that hardly ever; with a range it has exactly the files whose bounds meet it.
 * {@code -Dvarve.histories=} and {@code -Dvarve.steps=} make it longer, {@code -Dvarve.seed=}
 * repeats one.
 */
abstract class IndexEqualsManifests {
  private static final int HISTORIES = Integer.getInteger("varve.histories", 6);
  private static final int STEPS = Integer.getInteger("varve.steps", 25);

  @TempDir Path directory;
  private LakeCatalog lake;
  private LayoutIndex inMemory;
  private Database database;
  private IndexUpkeep upkeep;

  private final Map<Long, List<DataFile>> expected = new HashMap<>();
  private int complete;
  private int asked;

  abstract DataSource freshDatabase() throws Exception;

  @BeforeEach
  void open() throws Exception {
    DataSource source = freshDatabase();
    lake =
        LakeCatalog.open(
            source,
            // A small cache, so that facts are read again as well.
            new CatalogSettings("lake", directory.resolve("warehouse").toString(), 20_000),
            new LocalFileIO());
    // This test says when the upkeep runs, and lets it split small tables, a few rows at a time.
    lake.close();
    database = new Database(source);
    upkeep = new IndexUpkeep(database, 2, 8);
    // A node that chooses from memory whatever the table's size, beside one that asks the database.
    inMemory = new JdbcLayoutIndex(database, Clock.systemUTC(), 50_000, 0);
    lake.catalog().createNamespace(Namespace.of("s"));
  }

  /** When the background work runs. */
  private enum Upkeep {
    NEVER,
    BETWEEN_STEPS,
    ALL_THE_TIME
  }

  @Test
  void whateverHappensToATable() throws Exception {
    long seed = Long.getLong("varve.seed", new Random().nextLong());
    System.out.println(getClass().getSimpleName() + ": -Dvarve.seed=" + seed);
    for (int history = 0; history < HISTORIES; history++) {
      Upkeep when = Upkeep.values()[history % 3];
      RandomHistory steps =
          new RandomHistory(
              new Random(seed + history), lake, TableIdentifier.of("s", "t" + history));
      if (when == Upkeep.ALL_THE_TIME) {
        try (Background background = new Background(tableId(steps.table()))) {
          follow(steps, when, seed, history);
          background.check();
        }
      } else {
        follow(steps, when, seed, history);
      }
    }
    System.out.println(complete + " of " + asked + " answers were complete");
    assertThat(complete).as("complete answers of %d", asked).isGreaterThan(asked * 97 / 100);
  }

  private void follow(RandomHistory steps, Upkeep when, long seed, int history) throws IOException {
    Random random = new Random(seed ^ history);
    for (int step = 0; step < STEPS; step++) {
      String action = steps.step();
      if (when == Upkeep.BETWEEN_STEPS && random.nextInt(3) == 0) {
        upkeep.run(tableId(steps.table()));
      }
      check(
          random,
          steps.table(),
          "seed %d, history %d (upkeep %s), step %d: %s"
              .formatted(seed, history, when, step, action));
    }
  }

  private long tableId(Table table) {
    return database.read(
        sql -> IndexQueries.table(sql, table.uuid().toString()).orElseThrow().tableId());
  }

  /** Upkeep in a thread of its own; what it is refused for a commit's sake it tries again. */
  private final class Background implements AutoCloseable {
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean ended;

    Background(long tableId) {
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!ended && failure.get() == null) {
                      try {
                        upkeep.run(tableId);
                        Thread.sleep(5);
                      } catch (TransactionFailure e) {
                        if (e.kind() != TransactionFailure.Kind.CONFLICT) {
                          failure.set(e);
                        }
                      } catch (Throwable e) {
                        failure.set(e);
                      }
                    }
                  });
    }

    void check() {
      assertThat(failure.get()).as("upkeep in the background").isNull();
    }

    @Override
    public void close() throws InterruptedException {
      ended = true;
      thread.join();
    }
  }

  private void check(Random random, Table table, String what) throws IOException {
    for (Snapshot snapshot : table.snapshots()) {
      List<DataFile> files = expected.get(snapshot.snapshotId());
      if (files == null) {
        files = live(table, snapshot);
        expected.put(snapshot.snapshotId(), files);
      }
      for (LayoutIndex index : List.of(lake.layoutIndex(), inMemory)) {
        check(random, index, table, snapshot, files, what);
      }
    }
  }

  private void check(
      Random random,
      LayoutIndex index,
      Table table,
      Snapshot snapshot,
      List<DataFile> files,
      String what) {
    asked++;
    if (!(plan(index, table, snapshot, List.of()) instanceof Complete all)) {
      return;
    }
    complete++;
    assertThat(all.files().stream().map(FileFacts::path))
        .as(what)
        .containsExactlyInAnyOrderElementsOf(files.stream().map(DataFile::location).toList());
    assertThat(all.totalFiles()).as(what).isEqualTo(files.size());
    assertThat(all.totalRows())
        .as(what)
        .isEqualTo(files.stream().mapToLong(DataFile::recordCount).sum());
    assertThat(all.totalBytes())
        .as(what)
        .isEqualTo(files.stream().mapToLong(DataFile::fileSizeInBytes).sum());
    ColumnRange range = range(random);
    assertThat(plan(index, table, snapshot, List.of(range))).as(what).isInstanceOf(Complete.class);
    Complete pruned = (Complete) plan(index, table, snapshot, List.of(range));
    assertThat(pruned.files().stream().map(FileFacts::path))
        .as("%s, k in %s", what, range)
        .containsExactlyInAnyOrderElementsOf(
            files.stream().filter(file -> matches(file, range)).map(DataFile::location).toList());
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

  private static LayoutAnswer plan(
      LayoutIndex index, Table table, Snapshot snapshot, List<ColumnRange> ranges) {
    return index.plan(
        new LayoutQuery(table.uuid().toString(), snapshot.snapshotId(), ranges, Optional.empty()));
  }

  /** What Iceberg itself plans for a snapshot. */
  static List<DataFile> live(Table table, Snapshot snapshot) throws IOException {
    List<DataFile> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks =
        table.newScan().useSnapshot(snapshot.snapshotId()).includeColumnStats().planFiles()) {
      tasks.forEach(task -> files.add(task.file().copy()));
    }
    return files;
  }
}
