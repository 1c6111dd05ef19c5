package dev.varve.service.writers;

import dev.varve.engine.testing.IcebergFiles;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.service.home.Home;
import dev.varve.service.home.RunningServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * A program with some of Iceberg's Java clients: each appends, overwrites, rewrites and deletes its
 * own rows, and commits to two tables at once, through whichever of the catalogs answers.
 *
 * <p>Arguments: a seed, the directory of journals, the number of this life, the writers' names,
 * then the catalogs' homes. It runs until it is killed or a file {@code stop} is in the directory.
 */
final class IcebergWriter {
  private final String name;
  private final Random random;
  private final Path directory;
  private final List<Home> homes;
  private final Journal journal;
  private long nextId;
  private int commits;

  /** Own files whose rows were never deleted, with their rows. */
  private final Map<DataFile, List<Long>> clean = new HashMap<>();

  private IcebergWriter(String name, long seed, Path directory, List<Home> homes, int life) {
    this.name = name;
    this.random = new Random(seed);
    this.directory = directory;
    this.homes = homes;
    this.journal = new Journal(directory.resolve(name + "-" + life + ".journal"));
    this.nextId = Long.parseLong(name) * 1_000_000_000L + life * 1_000_000L;
  }

  public static void main(String[] arguments) throws Exception {
    long seed = Long.parseLong(arguments[0]);
    Path directory = Path.of(arguments[1]);
    int life = Integer.parseInt(arguments[2]);
    List<Home> homes =
        List.of(arguments).subList(4, arguments.length).stream()
            .map(home -> new Home(Path.of(home)))
            .toList();
    List<Thread> threads = new ArrayList<>();
    for (String name : arguments[3].split(",")) {
      IcebergWriter writer =
          new IcebergWriter(name, seed + name.hashCode(), directory, homes, life);
      threads.add(Thread.ofPlatform().start(writer::run));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.exit(0);
  }

  private void run() {
    while (!directory.resolve("stop").toFile().exists()) {
      Home home = homes.get(random.nextInt(homes.size()));
      RunningServer server = RunningServer.find(home).orElse(null);
      if (server == null) {
        sleep();
        continue;
      }
      try (RESTCatalog catalog = new RESTCatalog()) {
        catalog.initialize(
            "lake",
            Map.of(
                "uri",
                server.url() + "/iceberg",
                "token",
                server.token(),
                "io-impl",
                LocalFileIO.class.getName(),
                // A catalog that is gone does not come back on its port.
                "rest.client.max-retries",
                "1"));
        for (int i = 0; i < 6; i++) {
          if (directory.resolve("stop").toFile().exists() || !commit(catalog)) {
            break;
          }
        }
      } catch (Exception e) {
        // The catalog was killed, or is not up yet: another is asked.
        sleep();
      }
    }
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** False if the catalog had better be asked anew. */
  private boolean commit(RESTCatalog catalog) {
    String table = random.nextInt(3) == 0 ? "u" : "t";
    Table t = catalog.loadTable(TableIdentifier.of("w", table));
    List<DataFile> own =
        clean.keySet().stream().filter(file -> file.location().startsWith(t.location())).toList();
    // Among a writer's first commits is one to several tables.
    boolean several = ++commits % 8 == 3;
    int kind = several ? 7 : own.size() < 2 ? 0 : random.nextInt(8);
    return switch (kind) {
      case 0, 1, 2 -> append(t, table);
      case 3 -> overwrite(t, table, own);
      case 4 -> rewrite(t, table, own.get(0), own.get(1));
      case 5, 6 -> delete(t, table, own.get(random.nextInt(own.size())));
      default -> both(catalog);
    };
  }

  private List<Long> newIds() {
    List<Long> ids = new ArrayList<>();
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      ids.add(nextId++);
    }
    return ids;
  }

  private DataFile file(Table table, List<Long> ids) {
    return new IcebergFiles(table)
        .data(ids.stream().map(id -> List.of(id, name, (int) (id % 7))).toList());
  }

  private boolean append(Table table, String in) {
    List<Long> ids = newIds();
    DataFile file = file(table, ids);
    boolean done =
        make(
            "append",
            List.of(in),
            ids,
            List.of(),
            () -> table.newAppend().appendFile(file).commit());
    if (done) {
      clean.put(file, ids);
    }
    return done;
  }

  /**
   * Replaces the rows of a file by a condition on them: a file that is named would be passed over
   * without a word where a compaction has replaced it, a file with other rows too is refused.
   */
  private boolean overwrite(Table table, String in, List<DataFile> own) {
    DataFile old =
        own.stream().filter(file -> isOneRange(clean.get(file))).findFirst().orElse(null);
    if (old == null) {
      return append(table, in);
    }
    List<Long> removed = clean.remove(old);
    List<Long> ids = newIds();
    DataFile file = file(table, ids);
    boolean done =
        make(
            "overwrite",
            List.of(in),
            ids,
            removed,
            () ->
                table
                    .newOverwrite()
                    .overwriteByRowFilter(
                        Expressions.and(
                            Expressions.greaterThanOrEqual("id", removed.getFirst()),
                            Expressions.lessThanOrEqual("id", removed.getLast())))
                    .addFile(file)
                    .commit());
    if (done) {
      clean.put(file, ids);
    }
    return done;
  }

  private static boolean isOneRange(List<Long> ids) {
    return ids.getLast() - ids.getFirst() == ids.size() - 1;
  }

  private boolean rewrite(Table table, String in, DataFile one, DataFile other) {
    List<Long> ids = new ArrayList<>(clean.remove(one));
    ids.addAll(clean.remove(other));
    DataFile file = file(table, ids);
    long snapshot = table.currentSnapshot().snapshotId();
    boolean done =
        make(
            "rewrite",
            List.of(in),
            List.of(),
            List.of(),
            () ->
                table
                    .newRewrite()
                    .validateFromSnapshot(snapshot)
                    .rewriteFiles(Set.of(one, other), Set.of(file))
                    .commit());
    if (done) {
      clean.put(file, ids);
    }
    return done;
  }

  private boolean delete(Table table, String in, DataFile from) {
    List<Long> ids = clean.remove(from);
    List<Long> removed = ids.subList(0, 1 + random.nextInt(ids.size()));
    var deletes =
        new IcebergFiles(table)
            .equality(
                PartitionSpec.unpartitioned(),
                null,
                List.of("id"),
                removed.stream().map(id -> List.of(id)).toList());
    return make(
        "delete",
        List.of(in),
        List.of(),
        removed,
        () -> table.newRowDelta().addDeletes(deletes).commit());
  }

  private boolean both(RESTCatalog catalog) {
    List<Long> ids = newIds();
    // Not one order for all: the catalog must not be able to wait for itself.
    List<String> tables = random.nextBoolean() ? List.of("t", "u", "v") : List.of("v", "u", "t");
    Map<String, DataFile> files = new HashMap<>();
    for (String table : tables) {
      files.put(table, file(catalog.loadTable(TableIdentifier.of("w", table)), ids));
    }
    return make("several", tables, ids, List.of(), () -> commit(catalog, tables, files));
  }

  /** Iceberg tries commits to one table again, but not those to several. */
  private static void commit(
      RESTCatalog catalog, List<String> tables, Map<String, DataFile> files) {
    for (int attempt = 0; ; attempt++) {
      List<TableCommit> commits = new ArrayList<>();
      for (String table : tables) {
        TableIdentifier identifier = TableIdentifier.of("w", table);
        Transaction change = catalog.loadTable(identifier).newTransaction();
        change.newFastAppend().appendFile(files.get(table)).commit();
        commits.add(
            TableCommit.create(
                identifier,
                ((BaseTransaction) change).startMetadata(),
                ((BaseTransaction) change).currentMetadata()));
      }
      try {
        catalog.commitTransaction(commits);
        return;
      } catch (CommitFailedException e) {
        if (attempt == 30) {
          throw e;
        }
      }
    }
  }

  /** Whether it was acknowledged. */
  private boolean make(
      String kind, List<String> tables, List<Long> added, List<Long> removed, Runnable commit) {
    int change = journal.begin(kind, tables, added, removed);
    Journal.Outcome outcome;
    try {
      commit.run();
      outcome = Journal.Outcome.ACKNOWLEDGED;
    } catch (CommitFailedException | ValidationException e) {
      outcome = Journal.Outcome.REFUSED;
    } catch (RuntimeException e) {
      // No answer, or one that leaves it open.
      outcome = Journal.Outcome.UNKNOWN;
    }
    journal.end(change, outcome);
    return outcome == Journal.Outcome.ACKNOWLEDGED;
  }
}
