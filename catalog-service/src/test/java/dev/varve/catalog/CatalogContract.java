package dev.varve.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.Bound;
import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutAnswer.Complete;
import dev.varve.layout.LayoutAnswer.NotIndexed;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the catalog promises on every database. */
abstract class CatalogContract {
  private static final Namespace SHOP = Namespace.of("shop");

  @TempDir Path directory;

  private LakeCatalog lake;

  /** A fresh database without tables. */
  abstract DataSource freshDatabase() throws Exception;

  /** Closes what {@link #freshDatabase} opened. */
  abstract void closeDatabases();

  private final List<LakeCatalog> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(LakeCatalog::close);
    closeDatabases();
  }

  private DataSource dataSource;

  @BeforeEach
  void open() throws Exception {
    dataSource = freshDatabase();
    lake = open(dataSource);
    lake.catalog().createNamespace(SHOP);
  }

  private LakeCatalog open(DataSource source) {
    LakeCatalog catalog =
        LakeCatalog.open(source, new CatalogSettings("lake", warehouse()), new LocalFileIO());
    opened.add(catalog);
    return catalog;
  }

  private String warehouse() {
    return directory.resolve("warehouse").toString();
  }

  private Table create(String name) {
    return lake.catalog()
        .buildTable(TableIdentifier.of(SHOP, name), TestFiles.SCHEMA)
        .withSortOrder(TestFiles.BY_K)
        .create();
  }

  private Table load(String name) {
    return lake.catalog().loadTable(TableIdentifier.of(SHOP, name));
  }

  @Test
  void namespacesHaveLevelsAndProperties() {
    Namespace inner = Namespace.of("shop", "eu");
    lake.catalog().createNamespace(inner, Map.of("owner", "ada"));
    assertThat(lake.catalog().listNamespaces()).containsExactly(SHOP);
    assertThat(lake.catalog().listNamespaces(SHOP)).containsExactly(inner);
    assertThat(lake.catalog().setProperties(inner, Map.of("owner", "bob", "tier", "1"))).isTrue();
    assertThat(lake.catalog().removeProperties(inner, Set.of("tier", "none"))).isTrue();
    assertThat(lake.catalog().loadNamespaceMetadata(inner)).isEqualTo(Map.of("owner", "bob"));
    assertThatThrownBy(() -> lake.catalog().dropNamespace(SHOP))
        .isInstanceOf(NamespaceNotEmptyException.class);
    assertThatThrownBy(() -> lake.catalog().createNamespace(inner))
        .isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> lake.catalog().createNamespace(Namespace.of("no", "parent")))
        .isInstanceOf(NoSuchNamespaceException.class);
    assertThat(lake.catalog().dropNamespace(inner)).isTrue();
    assertThat(lake.catalog().dropNamespace(inner)).isFalse();
    assertThatThrownBy(() -> lake.catalog().loadNamespaceMetadata(inner))
        .isInstanceOf(NoSuchNamespaceException.class);
  }

  @Test
  void tablesAreCreatedLoadedRenamedAndDropped() {
    Table table = create("t");
    assertThat(((BaseTable) table).operations().current().formatVersion()).isEqualTo(2);
    assertThat(table.location()).startsWith(warehouse() + "/shop/t-");
    assertThatThrownBy(() -> create("t")).isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> lake.catalog().dropNamespace(SHOP))
        .isInstanceOf(NamespaceNotEmptyException.class);
    create("other");
    TableIdentifier from = TableIdentifier.of(SHOP, "t");
    TableIdentifier to = TableIdentifier.of(SHOP, "u");
    assertThatThrownBy(() -> lake.catalog().renameTable(from, TableIdentifier.of(SHOP, "other")))
        .isInstanceOf(AlreadyExistsException.class);
    lake.catalog().renameTable(from, to);
    assertThat(lake.catalog().listTables(SHOP))
        .containsExactly(TableIdentifier.of(SHOP, "other"), to);
    assertThat(lake.catalog().tableExists(from)).isFalse();
    assertThat(load("u").uuid()).isEqualTo(table.uuid());
    assertThat(lake.catalog().dropTable(to, false)).isTrue();
    assertThat(lake.catalog().dropTable(to, false)).isFalse();
    assertThatThrownBy(() -> load("u")).isInstanceOf(NoSuchTableException.class);
    assertThatThrownBy(
            () -> lake.catalog().createTable(TableIdentifier.of("nowhere", "t"), TestFiles.SCHEMA))
        .isInstanceOf(NoSuchNamespaceException.class);
  }

  @Test
  void purgingDeletesTheFiles() throws Exception {
    Table table = create("t");
    table.newAppend().appendFile(TestFiles.file(table, 1, 2)).commit();
    lake.catalog().dropTable(TableIdentifier.of(SHOP, "t"), true);
    assertThat(files()).isEmpty();
  }

  @Test
  void aTableOutsideTheWarehouseIsRefused() {
    for (String location : new String[] {"/elsewhere", warehouse() + "/../x", "s3://b/x"}) {
      assertThatThrownBy(
              () ->
                  lake.catalog()
                      .buildTable(TableIdentifier.of(SHOP, "t"), TestFiles.SCHEMA)
                      .withLocation(location)
                      .create())
          .isInstanceOf(ForbiddenException.class)
          .hasMessageContaining(location);
    }
    Table table = create("t");
    assertThatThrownBy(
            () -> table.updateProperties().set("write.metadata.path", "/elsewhere").commit())
        .isInstanceOf(ForbiddenException.class);
  }

  @Test
  void oneOfTwoWritersAtOnceWinsAndTheOtherTriesAgain() {
    Table first = create("t");
    Table second = load("t");
    AppendFiles a = first.newAppend().appendFile(TestFiles.file(first, 1, 2));
    AppendFiles b = second.newAppend().appendFile(TestFiles.file(second, 3, 4));
    a.commit();
    b.commit();
    assertThat(manifestPaths(load("t"))).hasSize(2);
    assertThat(indexPaths(load("t"))).isEqualTo(manifestPaths(load("t")));
  }

  @Test
  void aStaleCommitConflictsAndLeavesNoMetadataFile() throws Exception {
    Table table = create("t");
    TableOperations stale = ((BaseTable) load("t")).operations();
    TableMetadata base = stale.current();
    table.updateProperties().set("a", "1").commit();
    Set<Path> before = files();
    assertThatThrownBy(() -> stale.commit(base, base.replaceProperties(Map.of("b", "2"))))
        .isInstanceOf(CommitFailedException.class)
        .hasMessageContaining("shop.t");
    assertThat(files()).isEqualTo(before);
    assertThat(load("t").properties()).containsEntry("a", "1").doesNotContainKey("b");
  }

  @Test
  void manyThreadsAppendAndEveryFileIsThereOnce() throws Exception {
    create("t");
    int threads = 4;
    int appends = 6;
    Set<String> written = new HashSet<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<List<String>>> futures = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int base = thread * 1000;
        Callable<List<String>> work =
            () -> {
              List<String> paths = new ArrayList<>();
              Table table = load("t");
              for (int i = 0; i < appends; i++) {
                DataFile file = TestFiles.file(table, base + i, base + i);
                retrying(() -> table.newFastAppend().appendFile(file).commit());
                paths.add(file.location());
              }
              return paths;
            };
        futures.add(pool.submit(work));
      }
      for (Future<List<String>> future : futures) {
        written.addAll(future.get());
      }
    }
    Table table = load("t");
    assertThat(written).hasSize(threads * appends);
    assertThat(manifestPathList(table)).containsExactlyInAnyOrderElementsOf(written);
    assertThat(indexPathList(table)).containsExactlyInAnyOrderElementsOf(written);
  }

  /** Iceberg's own retries are few; a conflict that outlives them is for the caller to repeat. */
  private static void retrying(Runnable commit) {
    for (int attempt = 0; ; attempt++) {
      try {
        commit.run();
        return;
      } catch (CommitFailedException e) {
        if (attempt == 20) {
          throw e;
        }
      }
    }
  }

  @Test
  void aCommitWhoseAnswerIsLostIsFoundWhenItWasDone() {
    Table table = create("t");
    LossyDataSource lossy = new LossyDataSource(dataSource);
    Table throughLossy = open(lossy).catalog().loadTable(TableIdentifier.of(SHOP, "t"));
    lossy.loseAfterCommit();
    throughLossy.newAppend().appendFile(TestFiles.file(table, 1, 2)).commit();
    assertThat(lossy.fired()).isTrue();
    assertThat(manifestPaths(load("t"))).hasSize(1);
    assertThat(indexPaths(load("t"))).hasSize(1);
  }

  @Test
  void aCommitThatWasLostBeforeItWasDoneIsTriedAgain() throws Exception {
    Table table = create("t");
    LossyDataSource lossy = new LossyDataSource(dataSource);
    Table throughLossy = open(lossy).catalog().loadTable(TableIdentifier.of(SHOP, "t"));
    lossy.loseBeforeCommit();
    throughLossy.newAppend().appendFile(TestFiles.file(table, 1, 2)).commit();
    assertThat(lossy.fired()).isTrue();
    assertThat(manifestPaths(load("t"))).hasSize(1);
    assertThat(indexPaths(load("t"))).hasSize(1);
    // The metadata file of the first attempt is gone.
    assertThat(files().stream().filter(path -> path.toString().endsWith(".metadata.json")))
        .hasSize(2);
  }

  @Test
  void aCommitThatTheDatabaseIsStillAtIsWaitedFor() {
    Table table = create("t");
    LossyDataSource lossy = new LossyDataSource(dataSource);
    Table throughLossy = open(lossy).catalog().loadTable(TableIdentifier.of(SHOP, "t"));
    lossy.commitLate();
    throughLossy.newAppend().appendFile(TestFiles.file(table, 1, 2)).commit();
    assertThat(lossy.fired()).isTrue();
    assertThat(manifestPaths(load("t"))).hasSize(1);
    assertThat(indexPaths(load("t"))).hasSize(1);
    LossyDataSource creating = new LossyDataSource(dataSource);
    LakeCatalog lossyLake = open(creating);
    creating.commitLate();
    lossyLake.catalog().createTable(TableIdentifier.of(SHOP, "late"), TestFiles.SCHEMA);
    assertThat(creating.fired()).isTrue();
    assertThat(load("late").currentSnapshot()).isNull();
  }

  @Test
  void anUnknownCommitDeletesNothing() throws Exception {
    Table table = create("t");
    table.updateProperties().set("commit.status-check.num-retries", "0").commit();
    LossyDataSource lossy = new LossyDataSource(dataSource);
    Table throughLossy = open(lossy).catalog().loadTable(TableIdentifier.of(SHOP, "t"));
    Set<Path> before = files();
    lossy.loseBeforeCommitAndStayAway();
    assertThatThrownBy(
            () -> throughLossy.newAppend().appendFile(TestFiles.file(table, 1, 2)).commit())
        .isInstanceOf(CommitStateUnknownException.class);
    assertThat(lossy.fired()).isTrue();
    Set<Path> added = files();
    added.removeAll(before);
    // The metadata file, the manifest list and the manifest are all still there.
    assertThat(added.stream().map(Path::toString))
        .anyMatch(path -> path.endsWith(".metadata.json"))
        .anyMatch(path -> path.contains("/snap-"))
        .hasSize(3);
  }

  @Test
  void stagedFactsBecomeLiveWithTheCommitAndOnlyThen() {
    Table table = create("t");
    DataFile ours = TestFiles.file(table, 1, 10);
    DataFile foreign = TestFiles.file(table, 11, 20);
    FileFacts facts = TestFiles.verified(ours, 1, 10);
    lake.layoutIndex().stage(table.uuid().toString(), List.of(facts));
    table.newAppend().appendFile(ours).appendFile(foreign).commit();
    Map<String, FileFacts> indexed = new HashMap<>();
    for (FileFacts file : complete(table).files()) {
      indexed.put(file.path(), file);
    }
    FileFacts back = Objects.requireNonNull(indexed.get(ours.location()));
    assertThat(back.orderings()).isEqualTo(facts.orderings());
    assertThat(back.rowGroups()).isEqualTo(facts.rowGroups());
    assertThat(back.column(1).lower()).isEqualTo(facts.column(1).lower());
    FileFacts other = Objects.requireNonNull(indexed.get(foreign.location()));
    assertThat(other.orderings()).isEmpty();
    assertThat(other.column(1).lower()).isInstanceOf(Bound.Inexact.class);
    // Facts of a file that turned out otherwise are not taken.
    DataFile changed = TestFiles.file(table, 21, 30);
    FileFacts wrong = TestFiles.verified(TestFiles.file(table, "other", 5, 6), 5, 6);
    lake.layoutIndex()
        .stage(
            table.uuid().toString(),
            List.of(
                new FileFacts(
                    changed.location(),
                    changed.fileSizeInBytes() + 1,
                    10,
                    0,
                    0,
                    wrong.columns(),
                    List.of(),
                    wrong.orderings())));
    table.newAppend().appendFile(changed).commit();
    assertThat(complete(table).files())
        .filteredOn(file -> file.path().equals(changed.location()))
        .singleElement()
        .satisfies(file -> assertThat(file.orderings()).isEmpty());
  }

  @Test
  void aCheckChangesTheTrustOfTheFileThatItRead() {
    Table table = create("t");
    DataFile file =
        DataFiles.builder(PartitionSpec.unpartitioned())
            .copy(TestFiles.file(table, 1, 10))
            .withSortOrder(table.sortOrder())
            .build();
    table.newAppend().appendFile(file).commit();
    String uuid = table.uuid().toString();
    FileFacts asserted = complete(table).files().getFirst();
    assertThat(asserted.orderings()).singleElement().matches(o -> o.trust() == Trust.ASSERTED);
    long version = lake.layoutIndex().factsVersion(uuid);
    OrderingFact verified = TestFiles.verified(file, 1, 10).orderings().getFirst();
    // A file of another size is another file.
    FileCheck other =
        new FileCheck(
            file.location(), file.fileSizeInBytes() + 1, Optional.empty(), List.of(verified));
    assertThat(lake.layoutIndex().record(uuid, List.of(other))).isZero();
    assertThat(lake.layoutIndex().factsVersion(uuid)).isEqualTo(version);
    assertThat(complete(table).files().getFirst()).isEqualTo(asserted);
    FileCheck check =
        new FileCheck(file.location(), file.fileSizeInBytes(), Optional.empty(), List.of(verified));
    assertThat(lake.layoutIndex().record(uuid, List.of(check))).isEqualTo(1);
    assertThat(lake.layoutIndex().factsVersion(uuid)).isGreaterThan(version);
    assertThat(complete(table).files().getFirst().orderings()).containsExactly(verified);
    // Another node sees it, and so does a snapshot that takes the same file in again.
    LakeCatalog node = open(dataSource);
    assertThat(plan(node, table).files().getFirst().orderings()).containsExactly(verified);
    table.newDelete().deleteFile(file).commit();
    table.newAppend().appendFile(file).commit();
    assertThat(complete(table).files().getFirst().orderings()).containsExactly(verified);
    OrderingFact violated = new OrderingFact(verified.ordering(), Trust.VIOLATED, Optional.empty());
    FileCheck recheck =
        new FileCheck(file.location(), file.fileSizeInBytes(), Optional.empty(), List.of(violated));
    assertThat(lake.layoutIndex().record(uuid, List.of(recheck))).isPositive();
    assertThat(plan(node, table).files().getFirst().orderings()).containsExactly(violated);
    assertThat(complete(table).files().getFirst().orderings()).containsExactly(violated);
  }

  private Complete plan(LakeCatalog node, Table table) {
    return (Complete)
        node.layoutIndex()
            .plan(
                new LayoutQuery(
                    table.uuid().toString(),
                    table.currentSnapshot().snapshotId(),
                    List.of(),
                    Optional.empty()));
  }

  @Test
  void branchesAreIndexedAsTheyAreWrittenAndForeignSnapshotsAreNot() {
    Table table = create("t");
    DataFile first = TestFiles.file(table, 1, 2);
    table.newAppend().appendFile(first).commit();
    table.manageSnapshots().createBranch("dev", table.currentSnapshot().snapshotId()).commit();
    table.newAppend().appendFile(TestFiles.file(table, 3, 4)).toBranch("dev").commit();
    // Now the histories part; the branch then drops a file that both have.
    table.newAppend().appendFile(TestFiles.file(table, 5, 6)).commit();
    table.newDelete().deleteFile(first).toBranch("dev").commit();
    table.refresh();
    assertThat(((Complete) plan(table, table.snapshot("dev").snapshotId())).files())
        .singleElement()
        .matches(file -> !file.path().equals(first.location()));
    assertThat(indexPaths(table)).isEqualTo(manifestPaths(table)).hasSize(2);
    table.newFastAppend().appendFile(TestFiles.file(table, 7, 8)).stageOnly().commit();
    table.refresh();
    for (var snapshot : table.snapshots()) {
      assertThat(plan(table, snapshot.snapshotId())).isInstanceOf(Complete.class);
    }
    assertThat(plan(table, 12345)).isInstanceOf(NotIndexed.class);
    assertThat(lake.layoutIndex().plan(new LayoutQuery("no-table", 1, List.of(), Optional.empty())))
        .isInstanceOf(NotIndexed.class);
  }

  @Test
  void afterARollbackTheNextCommitStandsOnTheOlderSnapshot() {
    Table table = create("t");
    table.newAppend().appendFile(TestFiles.file(table, 1, 2)).commit();
    long first = table.currentSnapshot().snapshotId();
    table.newAppend().appendFile(TestFiles.file(table, 3, 4)).commit();
    long second = table.currentSnapshot().snapshotId();
    table.manageSnapshots().rollbackTo(first).commit();
    assertThat(indexPaths(table)).isEqualTo(manifestPaths(table)).hasSize(1);
    table.newAppend().appendFile(TestFiles.file(table, 5, 6)).commit();
    assertThat(indexPaths(table)).isEqualTo(manifestPaths(table)).hasSize(2);
    assertThat(((Complete) plan(table, second)).files()).hasSize(2);
    assertThat(((Complete) plan(table, first)).files()).hasSize(1);
  }

  @Test
  void aRegisteredTableIsIndexedFromItsManifests() {
    Table table = create("t");
    table.newAppend().appendFile(TestFiles.file(table, 1, 2)).commit();
    table.newAppend().appendFile(TestFiles.file(table, 3, 4)).commit();
    String location = ((BaseTable) table).operations().current().metadataFileLocation();
    TableIdentifier name = TableIdentifier.of(SHOP, "t");
    assertThatThrownBy(
            () -> lake.catalog().registerTable(TableIdentifier.of(SHOP, "again"), location))
        .isInstanceOf(AlreadyExistsException.class);
    assertThat(Path.of(location)).exists();
    lake.catalog().dropTable(name, false);
    assertThat(plan(table, table.currentSnapshot().snapshotId())).isInstanceOf(NotIndexed.class);
    Table registered = lake.catalog().registerTable(name, location);
    assertThat(indexPaths(registered)).isEqualTo(manifestPaths(registered)).hasSize(2);
  }

  @Test
  void aTransactionOfSeveralStepsIndexesEachSnapshot() {
    Table table = create("t");
    DataFile file = TestFiles.file(table, 1, 2);
    Transaction transaction = table.newTransaction();
    transaction.newAppend().appendFile(file).commit();
    transaction.newOverwrite().deleteFile(file).addFile(TestFiles.file(table, 3, 4)).commit();
    transaction.commitTransaction();
    table.refresh();
    for (var snapshot : table.snapshots()) {
      assertThat(plan(table, snapshot.snapshotId())).isInstanceOf(Complete.class);
    }
    assertThat(indexPaths(table)).isEqualTo(manifestPaths(table)).hasSize(1);
  }

  Complete complete(Table table) {
    table.refresh();
    LayoutAnswer answer = plan(table, table.currentSnapshot().snapshotId());
    assertThat(answer).isInstanceOf(Complete.class);
    return (Complete) answer;
  }

  LayoutAnswer plan(Table table, long snapshotId) {
    return lake.layoutIndex()
        .plan(new LayoutQuery(table.uuid().toString(), snapshotId, List.of(), Optional.empty()));
  }

  private Set<String> indexPaths(Table table) {
    return new HashSet<>(indexPathList(table));
  }

  private List<String> indexPathList(Table table) {
    Complete answer = complete(table);
    assertThat(answer.totalFiles()).isEqualTo(answer.files().size());
    assertThat(answer.totalRows())
        .isEqualTo(answer.files().stream().mapToLong(FileFacts::recordCount).sum());
    assertThat(answer.totalBytes())
        .isEqualTo(answer.files().stream().mapToLong(FileFacts::sizeBytes).sum());
    return answer.files().stream().map(FileFacts::path).toList();
  }

  private static Set<String> manifestPaths(Table table) {
    return new HashSet<>(manifestPathList(table));
  }

  private static List<String> manifestPathList(Table table) {
    table.refresh();
    List<String> paths = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      tasks.forEach(task -> paths.add(task.file().location()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return paths;
  }

  private Set<Path> files() throws IOException {
    Path root = Path.of(warehouse());
    if (!Files.exists(root)) {
      return new HashSet<>();
    }
    try (Stream<Path> all = Files.walk(root)) {
      Set<Path> files = new HashSet<>();
      all.filter(Files::isRegularFile).forEach(files::add);
      return files;
    }
  }
}
