package dev.varve.service.writers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.LakeCatalog;
import dev.varve.engine.testing.IcebergFiles;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutQuery;
import dev.varve.service.home.Home;
import dev.varve.service.writers.Journal.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;

/**
 * The eight writers, four of each kind, and what must hold after them. Iceberg's are in two
 * processes of their own.
 */
public final class EightWriters implements AutoCloseable {
  public static final List<String> TABLES = List.of("t", "u", "v");

  private static final List<String> OURS = List.of("1", "2", "3", "4");
  private static final List<String> ICEBERG = List.of("5,6", "7,8");

  private final Path directory;
  private final List<Home> homes;
  private final long seed;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<Thread> ours = new ArrayList<>();
  private final List<Process> iceberg = new ArrayList<>();
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private int lives;

  public EightWriters(Path directory, List<Home> homes, long seed) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.homes = homes;
    this.seed = seed;
  }

  public void start() throws IOException {
    for (String name : OURS) {
      OurWriter writer = new OurWriter(name, seed + name.hashCode(), directory, homes, stop, wrong);
      ours.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, failure) -> wrong.add(failure.toString()))
              .start(writer));
    }
    for (String names : ICEBERG) {
      iceberg.add(launch(names));
    }
  }

  private Process launch(String names) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                IcebergWriter.class.getName(),
                Long.toString(seed + lives),
                directory.toString(),
                Integer.toString(lives++),
                names));
    homes.forEach(home -> command.add(home.root().toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Files.createTempFile(directory, "iceberg", ".log").toFile())
        .start();
  }

  /** SIGKILL to one of the processes with Iceberg's writers; another takes its place. */
  public void killOne(Random random) throws Exception {
    int victim = random.nextInt(iceberg.size());
    iceberg.get(victim).destroyForcibly().waitFor();
    iceberg.set(victim, launch(ICEBERG.get(victim)));
  }

  /** Lets every writer end what it has begun. */
  public void stop() throws Exception {
    stop.set(true);
    Files.createFile(directory.resolve("stop"));
    for (Thread writer : ours) {
      writer.join();
    }
    for (Process writer : iceberg) {
      assertThat(writer.waitFor(120, TimeUnit.SECONDS)).isTrue();
    }
  }

  public void check(LakeCatalog lake) throws IOException {
    List<Journal.Change> changes = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".journal")).sorted().toList()) {
        changes.addAll(Journal.read(file));
      }
    }
    Ledger ledger = new Ledger(changes);
    System.out.println("EightWritersTest: " + ledger.counts());
    System.out.printf(
        "EightWritersTest: %d commits acknowledged, %d conflicts, %d unknown or killed%n",
        ledger.count(Outcome.ACKNOWLEDGED),
        ledger.count(Outcome.REFUSED),
        ledger.count(Outcome.UNKNOWN));
    assertThat(wrong).isEmpty();
    assertThat(ledger.counts())
        .containsKeys("insert ACKNOWLEDGED", "append ACKNOWLEDGED", "several ACKNOWLEDGED");
    Map<String, Map<Long, Integer>> rows = new HashMap<>();
    for (String table : TABLES) {
      Map<Long, Integer> counts = new HashMap<>();
      ids(lake, table).forEach(id -> counts.merge(id, 1, Integer::sum));
      rows.put(table, counts);
    }
    ledger.check(rows);
    for (String table : TABLES) {
      checkFiles(lake.catalog().loadTable(TableIdentifier.of("w", table)));
      checkIndex(lake, lake.catalog().loadTable(TableIdentifier.of("w", table)));
    }
  }

  /** The ids of a table's rows, as Iceberg's own reader gives them. */
  public static List<Long> ids(LakeCatalog lake, String name) {
    Table table = lake.catalog().loadTable(TableIdentifier.of("w", name));
    Snapshot snapshot = table.currentSnapshot();
    return snapshot == null
        ? List.of()
        : IcebergFiles.rows(table, snapshot.snapshotId(), List.of("id")).stream()
            .map(row -> Long.valueOf(row.substring(1, row.length() - 1)))
            .sorted()
            .toList();
  }

  /** Every file that the pointer leads to is there, those of older snapshots too. */
  private static void checkFiles(Table table) throws IOException {
    List<String> paths = new ArrayList<>();
    paths.add(((HasTableOperations) table).operations().current().metadataFileLocation());
    for (Snapshot snapshot : table.snapshots()) {
      paths.add(snapshot.manifestListLocation());
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        paths.add(manifest.path());
      }
      try (CloseableIterable<FileScanTask> tasks =
          table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
        for (FileScanTask task : tasks) {
          paths.add(task.file().location());
          task.deletes().stream().map(DeleteFile::location).forEach(paths::add);
        }
      }
    }
    assertThat(paths.stream().distinct())
        .allMatch(path -> table.io().newInputFile(path).exists(), "is there");
  }

  private static void checkIndex(LakeCatalog lake, Table table) {
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null) {
      return;
    }
    Map<String, String> manifests = new HashMap<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        DataFile file = task.file();
        manifests.put(file.location(), file.recordCount() + " rows " + file.fileSizeInBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    LayoutAnswer answer =
        lake.layoutIndex()
            .plan(
                new LayoutQuery(
                    table.uuid().toString(), snapshot.snapshotId(), List.of(), Optional.empty()));
    assertThat(answer).isInstanceOf(LayoutAnswer.Complete.class);
    Map<String, String> index = new HashMap<>();
    for (FileFacts file : ((LayoutAnswer.Complete) answer).files()) {
      index.put(file.path(), file.recordCount() + " rows " + file.sizeBytes());
    }
    assertThat(index).isEqualTo(manifests);
  }

  @Override
  public void close() {
    stop.set(true);
    iceberg.forEach(Process::destroyForcibly);
  }
}
