package dev.varve.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two catalogs over one PostgreSQL that is killed and started again while they commit, to one table
 * and to two at once: what was acknowledged is there once, what was refused is not there, and what
 * nobody knows is there wholly or not at all.
 */
@Timeout(300)
class DatabaseLostTest {
  private static final Namespace SHOP = Namespace.of("shop");
  private static final List<String> TABLES = List.of("a", "b");
  private static final int KILLS = Integer.getInteger("varve.kills", 3);

  private enum Outcome {
    ACKNOWLEDGED,
    REFUSED,
    UNKNOWN
  }

  @TempDir Path directory;

  /** By the files' paths, those of one commit together. */
  private final Map<Set<String>, Outcome> outcomes = new ConcurrentHashMap<>();

  @Test
  void commitsSurviveADatabaseThatIsKilledAndComesBack() throws Exception {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("DatabaseLostTest: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    try (KillablePostgres postgres = new KillablePostgres(directory);
        HikariDataSource first = pool(postgres);
        HikariDataSource second = pool(postgres)) {
      List<LakeCatalog> lakes = List.of(open(first), open(second));
      lakes.getFirst().catalog().createNamespace(SHOP);
      for (String name : TABLES) {
        lakes
            .getFirst()
            .catalog()
            .buildTable(TableIdentifier.of(SHOP, name), TestFiles.SCHEMA)
            .withProperty("commit.retry.num-retries", "10")
            .withProperty("commit.retry.min-wait-ms", "5")
            .create();
      }
      AtomicBoolean stop = new AtomicBoolean();
      try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
        List<Future<?>> running = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
          LakeCatalog lake = lakes.get(writer % 2);
          Random own = new Random(random.nextLong());
          running.add(
              writers.submit(
                  () -> {
                    while (!stop.get()) {
                      commit(lake, own);
                    }
                  }));
        }
        try {
          for (int kill = 0; kill < KILLS; kill++) {
            awaitAcknowledged(running);
            Thread.sleep(random.nextInt(50));
            postgres.kill();
            Thread.sleep(random.nextInt(500));
            postgres.restart();
          }
          awaitAcknowledged(running);
        } finally {
          stop.set(true);
        }
        for (Future<?> writer : running) {
          writer.get();
        }
      }
      for (LakeCatalog lake : lakes) {
        check(lake);
        lake.close();
      }
    }
    Map<Outcome, Long> counts =
        outcomes.values().stream()
            .collect(Collectors.groupingBy(o -> o, TreeMap::new, Collectors.counting()));
    System.out.println("DatabaseLostTest: " + KILLS + " kills, " + counts);
    assertThat(counts.getOrDefault(Outcome.REFUSED, 0L) + counts.getOrDefault(Outcome.UNKNOWN, 0L))
        .isPositive();
  }

  /** Waits until some more commits are done: the database is in use, or in use again. */
  private void awaitAcknowledged(List<Future<?>> writers) throws Exception {
    long wanted = acknowledged() + 6;
    while (acknowledged() < wanted) {
      for (Future<?> writer : writers) {
        if (writer.isDone()) {
          writer.get();
        }
      }
      Thread.sleep(10);
    }
  }

  private long acknowledged() {
    return outcomes.values().stream().filter(o -> o == Outcome.ACKNOWLEDGED).count();
  }

  private static HikariDataSource pool(KillablePostgres postgres) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(postgres.url());
    config.setConnectionTimeout(1_000);
    config.setMaximumPoolSize(8);
    return new HikariDataSource(config);
  }

  private LakeCatalog open(HikariDataSource pool) {
    return LakeCatalog.open(
        pool,
        new CatalogSettings("lake", directory.resolve("warehouse").toString()),
        new LocalFileIO());
  }

  private void commit(LakeCatalog lake, Random random) {
    List<String> names = new ArrayList<>(TABLES);
    Collections.shuffle(names, random);
    names = names.subList(0, 1 + random.nextInt(2));
    List<UpdateTableRequest> changes = new ArrayList<>();
    Set<String> paths = new HashSet<>();
    try {
      Table one = null;
      DataFile file = null;
      for (String name : names) {
        TableIdentifier identifier = TableIdentifier.of(SHOP, name);
        one = lake.catalog().loadTable(identifier);
        file = TestFiles.file(one, random.nextInt(1000), 1000);
        paths.add(file.location());
        if (names.size() > 1) {
          Transaction change = one.newTransaction();
          change.newFastAppend().appendFile(file).commit();
          TableCommit commit =
              TableCommit.create(
                  identifier,
                  ((BaseTransaction) change).startMetadata(),
                  ((BaseTransaction) change).currentMetadata());
          changes.add(
              UpdateTableRequest.create(identifier, commit.requirements(), commit.updates()));
        }
      }
      if (names.size() > 1) {
        lake.catalog().commitTransaction(changes);
      } else if (one != null && file != null) {
        one.newFastAppend().appendFile(file).commit();
      }
      outcomes.put(paths, Outcome.ACKNOWLEDGED);
    } catch (CommitStateUnknownException e) {
      outcomes.put(paths, Outcome.UNKNOWN);
    } catch (CommitFailedException e) {
      outcomes.put(paths, Outcome.REFUSED);
    } catch (VarveException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR);
      outcomes.put(paths, Outcome.REFUSED);
    }
  }

  private void check(LakeCatalog lake) throws Exception {
    List<String> there = new ArrayList<>();
    for (String name : TABLES) {
      Table table = lake.catalog().loadTable(TableIdentifier.of(SHOP, name));
      for (ManifestFile manifest : table.currentSnapshot().allManifests(table.io())) {
        assertThat(table.io().newInputFile(manifest.path()).exists()).isTrue();
      }
      List<String> files = new ArrayList<>();
      try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
        tasks.forEach(task -> files.add(task.file().location()));
      }
      LayoutAnswer answer =
          lake.layoutIndex()
              .plan(
                  new LayoutQuery(
                      table.uuid().toString(),
                      table.currentSnapshot().snapshotId(),
                      List.of(),
                      Optional.empty()));
      assertThat(answer).isInstanceOf(LayoutAnswer.Complete.class);
      assertThat(((LayoutAnswer.Complete) answer).files())
          .extracting(FileFacts::path)
          .containsExactlyInAnyOrderElementsOf(files);
      there.addAll(files);
    }
    assertThat(there).doesNotHaveDuplicates();
    Set<String> all = new HashSet<>(there);
    outcomes.forEach(
        (paths, outcome) -> {
          long found = paths.stream().filter(all::remove).count();
          switch (outcome) {
            case ACKNOWLEDGED -> assertThat(found).as("acknowledged").isEqualTo(paths.size());
            case REFUSED -> assertThat(found).as("refused %s", paths).isZero();
            case UNKNOWN -> assertThat(found).as("unknown").isIn(0L, (long) paths.size());
          }
        });
    assertThat(all).as("files that nobody committed").isEmpty();
  }
}
