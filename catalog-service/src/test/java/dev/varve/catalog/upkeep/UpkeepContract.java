package dev.varve.catalog.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.TestFiles;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.upkeep.LakeUpkeep.Finding;
import dev.varve.layout.upkeep.LakeUpkeep.Kind;
import dev.varve.layout.upkeep.LakeUpkeep.Outcome;
import dev.varve.layout.upkeep.SnapshotPins;
import dev.varve.layout.upkeep.UploadLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may be removed, and what never is. The catalog's clock is ten days ahead of the files'. */
abstract class UpkeepContract {
  private static final Namespace SHOP = Namespace.of("shop");
  private static final TableIdentifier T = TableIdentifier.of(SHOP, "t");
  private static final TableIdentifier U = TableIdentifier.of(SHOP, "u");

  @TempDir Path directory;

  private DataSource dataSource;
  private LakeCatalog lake;
  private volatile boolean refuseDeletes;

  abstract DataSource freshDatabase() throws Exception;

  @BeforeEach
  void open() throws Exception {
    dataSource = freshDatabase();
    lake = process();
    lake.catalog().createNamespace(SHOP);
  }

  private static Clock later(Duration by) {
    return Clock.offset(Clock.systemUTC(), by);
  }

  /** Another process over the same database and warehouse. */
  private LakeCatalog process() {
    return process(later(Duration.ofDays(10)));
  }

  private LakeCatalog process(Clock clock) {
    return LakeCatalog.open(
        dataSource,
        new CatalogSettings(
            "lake", directory.resolve("warehouse").toString(), List.of(), Duration.ofDays(1)),
        new Refusing(),
        clock);
  }

  /** Deletes nothing while it is told so. */
  private final class Refusing implements org.apache.iceberg.io.DelegateFileIO {
    private static final long serialVersionUID = 1L;
    private final transient LocalFileIO io = new LocalFileIO();

    @Override
    public org.apache.iceberg.io.InputFile newInputFile(String location) {
      return io.newInputFile(location);
    }

    @Override
    public org.apache.iceberg.io.OutputFile newOutputFile(String location) {
      return io.newOutputFile(location);
    }

    @Override
    public void deleteFile(String location) {
      if (refuseDeletes) {
        throw new UncheckedIOException(new IOException("not now"));
      }
      io.deleteFile(location);
    }

    @Override
    public void deleteFiles(Iterable<String> locations) throws BulkDeletionFailureException {
      if (refuseDeletes) {
        throw new BulkDeletionFailureException(1);
      }
      io.deleteFiles(locations);
    }

    @Override
    public Iterable<org.apache.iceberg.io.FileInfo> listPrefix(String prefix) {
      return io.listPrefix(prefix);
    }

    @Override
    public void deletePrefix(String prefix) {
      throw new UnsupportedOperationException("maintenance deletes files, never prefixes");
    }
  }

  private Table create(TableIdentifier name) {
    return lake.catalog().buildTable(name, TestFiles.SCHEMA).create();
  }

  /** A data file with bytes behind it, appended. */
  private DataFile append(Table table, String name) {
    DataFile file = written(table, name);
    table.newAppend().appendFile(file).commit();
    return file;
  }

  private DataFile written(Table table, String name) {
    DataFile file = TestFiles.file(table, name, 1, 2);
    write(Path.of(file.location()));
    return file;
  }

  private static void write(Path path) {
    try {
      Files.createDirectories(path.getParent());
      Files.writeString(path, "x");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Set<String> dataFiles() {
    return files(".parquet");
  }

  private Set<String> files(String suffix) {
    try (Stream<Path> all = Files.walk(directory.resolve("warehouse"))) {
      return all.filter(f -> f.toString().endsWith(suffix))
          .map(f -> f.getFileName().toString())
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Finding> expire(Table table, int retain, boolean dryRun) {
    return lake.upkeep()
        .expireSnapshots(
            table.uuid().toString(),
            Optional.of(Instant.now().plus(Duration.ofDays(2))),
            OptionalInt.of(retain),
            dryRun,
            () -> {});
  }

  private List<Finding> orphans(Optional<Table> table, boolean dryRun) {
    return lake.upkeep()
        .removeOrphanFiles(
            table.map(t -> t.uuid().toString()),
            Instant.now().plus(Duration.ofDays(2)),
            dryRun,
            () -> {});
  }

  private static long count(List<Finding> findings, Kind kind, Outcome outcome) {
    return findings.stream()
        .filter(f -> f.kind() == kind && f.outcome() == outcome)
        .mapToLong(Finding::files)
        .sum();
  }

  private long rows(String table) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select count(*) from " + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void expiryRemovesWhatOnlyExpiredSnapshotsName() throws Exception {
    Table table = create(T);
    append(table, "a.parquet");
    append(table, "b.parquet");
    table.newDelete().deleteFile(table.location() + "/data/a.parquet").commit();
    append(table, "c.parquet");
    Set<String> manifests = files(".avro");

    List<Finding> dry = expire(table, 1, true);
    assertThat(count(dry, Kind.SNAPSHOT, Outcome.WOULD_BE_REMOVED)).isEqualTo(3);
    assertThat(count(dry, Kind.DATA_FILE, Outcome.WOULD_BE_REMOVED)).isEqualTo(1);
    assertThat(dry)
        .filteredOn(f -> f.kind() == Kind.DATA_FILE)
        .allSatisfy(f -> assertThat(f.location().orElseThrow()).endsWith("a.parquet"));
    assertThat(dataFiles()).containsExactlyInAnyOrder("a.parquet", "b.parquet", "c.parquet");
    assertThat(files(".avro")).isEqualTo(manifests);
    assertThat(rows("lh_removed_snapshot")).isZero();

    List<Finding> done = expire(table, 1, false);
    assertThat(count(done, Kind.SNAPSHOT, Outcome.REMOVED)).isEqualTo(3);
    assertThat(count(done, Kind.DATA_FILE, Outcome.REMOVED)).isEqualTo(1);
    assertThat(count(done, Kind.MANIFEST_LIST, Outcome.REMOVED)).isEqualTo(3);
    assertThat(count(done, Kind.MANIFEST, Outcome.REMOVED))
        .isEqualTo(count(dry, Kind.MANIFEST, Outcome.WOULD_BE_REMOVED));
    assertThat(dataFiles()).containsExactlyInAnyOrder("b.parquet", "c.parquet");
    assertThat(rows("lh_discarded")).isZero();
    Table now = lake.catalog().loadTable(T);
    assertThat(now.snapshots()).hasSize(1);
    assertThat(liveFiles(now)).containsExactlyInAnyOrder("b.parquet", "c.parquet");
    assertThat(expire(now, 1, false)).isEmpty();
  }

  private static Set<String> liveFiles(Table table) {
    try (var tasks = table.newScan().planFiles()) {
      return Stream.iterate(tasks.iterator(), i -> i.hasNext(), i -> i)
          .map(i -> Path.of(i.next().file().location()).getFileName().toString())
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void branchesAndTagsKeepTheirSnapshots() {
    Table table = create(T);
    append(table, "a.parquet");
    table.manageSnapshots().createTag("first", table.currentSnapshot().snapshotId()).commit();
    table.newDelete().deleteFile(table.location() + "/data/a.parquet").commit();
    append(table, "b.parquet");
    table.manageSnapshots().createBranch("side", table.currentSnapshot().snapshotId()).commit();
    table.newDelete().deleteFile(table.location() + "/data/b.parquet").commit();
    append(table, "c.parquet");
    expire(table, 1, false);
    assertThat(dataFiles()).containsExactlyInAnyOrder("a.parquet", "b.parquet", "c.parquet");
    table.manageSnapshots().removeTag("first").removeBranch("side").commit();
    expire(table, 1, false);
    assertThat(dataFiles()).containsExactly("c.parquet");
  }

  @Test
  void aSnapshotThatIsReadStaysUntilTheReaderEnds() throws Exception {
    Table table = create(T);
    append(table, "a.parquet");
    long read = table.currentSnapshot().snapshotId();
    table.newDelete().deleteFile(table.location() + "/data/a.parquet").commit();
    append(table, "b.parquet");
    String uuid = table.uuid().toString();
    SnapshotPins.Pin pin = lake.pins().pin(uuid, read).orElseThrow();
    SnapshotPins.Pin second = lake.pins().pin(uuid, read).orElseThrow();
    List<Finding> first = expire(table, 1, false);
    assertThat(count(first, Kind.SNAPSHOT, Outcome.IN_USE)).isEqualTo(1);
    assertThat(dataFiles()).contains("a.parquet");
    pin.close();
    pin.close();
    expire(table, 1, false);
    assertThat(dataFiles()).contains("a.parquet");
    second.close();
    expire(table, 1, false);
    assertThat(dataFiles()).containsExactly("b.parquet");
    // Who looked the table up before sees that it is too late, and looks again.
    assertThat(lake.pins().pin(uuid, read)).isEmpty();
    assertThat(lake.pins().pin(uuid, table.currentSnapshot().snapshotId())).isPresent();
  }

  @Test
  void aFileThatAnotherTableNamesStays() {
    Table table = create(T);
    Table other = create(U);
    DataFile shared = append(table, "shared.parquet");
    append(table, "own.parquet");
    other.newAppend().appendFile(shared).commit();
    table
        .newDelete()
        .deleteFile(shared)
        .deleteFile(table.location() + "/data/own.parquet")
        .commit();
    append(table, "last.parquet");
    expire(table, 1, false);
    assertThat(dataFiles()).containsExactlyInAnyOrder("shared.parquet", "last.parquet");
    lake.catalog().dropTable(T, true);
    assertThat(dataFiles()).containsExactly("shared.parquet");
    lake.catalog().dropTable(U, true);
    assertThat(dataFiles()).isEmpty();
  }

  @Test
  void aDroppedTableIsRemovedWithAllItsFilesAndOneThatIsOnlyForgottenIsNot() throws Exception {
    append(create(T), "a.parquet");
    Table kept = create(U);
    append(kept, "b.parquet");
    lake.catalog().dropTable(T, true);
    assertThat(dataFiles()).containsExactly("b.parquet");
    assertThat(rows("lh_discarded")).isZero();
    lake.catalog().dropTable(U, false);
    orphans(Optional.empty(), false);
    assertThat(dataFiles()).containsExactly("b.parquet");
    assertThat(files(".metadata.json")).hasSize(2);
  }

  @Test
  void aTableDroppedWhileItIsReadLosesItsFilesWhenTheReaderEnds() throws Exception {
    Table table = create(T);
    append(table, "a.parquet");
    String uuid = table.uuid().toString();
    SnapshotPins.Pin pin =
        lake.pins().pin(uuid, table.currentSnapshot().snapshotId()).orElseThrow();
    lake.catalog().dropTable(T, true);
    assertThat(lake.catalog().tableExists(T)).isFalse();
    assertThat(dataFiles()).containsExactly("a.parquet");
    assertThat(orphans(Optional.empty(), false)).isNotEmpty();
    assertThat(dataFiles()).containsExactly("a.parquet");
    pin.close();
    orphans(Optional.empty(), false);
    assertThat(dataFiles()).isEmpty();
    assertThat(files(".metadata.json")).isEmpty();
    assertThat(rows("lh_discarded")).isZero();
  }

  @Test
  void whatTheStoreDoesNotRemoveIsTriedAgain() throws Exception {
    Table table = create(T);
    append(table, "a.parquet");
    table.newDelete().deleteFile(table.location() + "/data/a.parquet").commit();
    append(table, "b.parquet");
    refuseDeletes = true;
    List<Finding> failed = expire(table, 1, false);
    assertThat(count(failed, Kind.DATA_FILE, Outcome.FAILED)).isEqualTo(1);
    assertThat(count(failed, Kind.SNAPSHOT, Outcome.REMOVED)).isEqualTo(2);
    assertThat(dataFiles()).contains("a.parquet");
    assertThat(rows("lh_discarded")).isEqualTo(1);
    refuseDeletes = false;
    List<Finding> again = orphans(Optional.empty(), false);
    assertThat(count(again, Kind.DATA_FILE, Outcome.REMOVED)).isEqualTo(1);
    assertThat(dataFiles()).containsExactly("b.parquet");
    assertThat(rows("lh_discarded")).isZero();
  }

  @Test
  void whatIsYoungIsRefused() {
    Table table = create(T);
    Instant young = Instant.now().plus(Duration.ofDays(10)).minusSeconds(60);
    assertThatThrownBy(
            () ->
                lake.upkeep()
                    .expireSnapshots(
                        table.uuid().toString(),
                        Optional.of(young),
                        OptionalInt.empty(),
                        false,
                        () -> {}))
        .isInstanceOf(VarveException.class)
        .hasMessageContaining("older_than");
    assertThatThrownBy(
            () ->
                lake.upkeep()
                    .removeOrphanFiles(
                        Optional.of(table.uuid().toString()), young, false, () -> {}))
        .isInstanceOf(VarveException.class);
  }

  @Test
  void anUploadIsForgottenByItsCommit() throws Exception {
    Table table = create(T);
    String upload = UUID.randomUUID().toString();
    DataFile file = TestFiles.file(table, "a.parquet", 1, 2);
    lake.uploads().begin(table.uuid().toString(), upload, List.of(file.location(), "/never/x"));
    write(Path.of(file.location()));
    assertThat(rows("lh_upload")).isEqualTo(2);
    table.newAppend().appendFile(file).set(UploadLog.UPLOAD_ID, upload).commit();
    assertThat(rows("lh_upload")).isZero();
    String aborted = UUID.randomUUID().toString();
    lake.uploads().begin(table.uuid().toString(), aborted, List.of("/some/file"));
    lake.uploads().forget(aborted);
    assertThat(rows("lh_upload")).isZero();
  }

  @Test
  void filesOfAKilledWriterAreFoundWithoutListing() throws Exception {
    Table table = create(T);
    append(table, "kept.parquet");
    DataFile lost = written(table, "lost.parquet");
    DataFile working = written(table, "working.parquet");
    // A writer that was killed twelve days before this process looks; one that still works.
    LakeCatalog killed = process(later(Duration.ofDays(-2)));
    killed
        .uploads()
        .begin(table.uuid().toString(), UUID.randomUUID().toString(), List.of(lost.location()));
    lake.uploads()
        .begin(table.uuid().toString(), UUID.randomUUID().toString(), List.of(working.location()));
    List<Finding> dry = orphans(Optional.empty(), true);
    assertThat(count(dry, Kind.UPLOAD, Outcome.WOULD_BE_REMOVED)).isEqualTo(1);
    assertThat(dataFiles()).contains("lost.parquet");
    orphans(Optional.empty(), false);
    assertThat(dataFiles()).containsExactlyInAnyOrder("kept.parquet", "working.parquet");
    assertThat(rows("lh_upload")).isEqualTo(1);
    killed.close();
  }

  @Test
  void anUploadOfAnUnknownCommitIsSettledByTheTable() throws Exception {
    Table table = create(T);
    DataFile there = written(table, "there.parquet");
    DataFile lost = written(table, "lost.parquet");
    LakeCatalog before = process(later(Duration.ofDays(-2)));
    for (DataFile file : List.of(there, lost)) {
      String upload = UUID.randomUUID().toString();
      before.uploads().begin(table.uuid().toString(), upload, List.of(file.location()));
      before.uploads().leave(upload);
    }
    // The commit was done, but who made it does not know.
    table.newAppend().appendFile(there).commit();
    assertThat(rows("lh_upload")).isEqualTo(2);
    before.close();
    orphans(Optional.empty(), false);
    assertThat(dataFiles()).containsExactly("there.parquet");
    assertThat(rows("lh_upload")).isZero();
  }

  @Test
  void listingFindsWhatNobodyNotedAndNothingElse() throws Exception {
    Table table = create(T);
    append(table, "kept.parquet");
    Table other = create(U);
    DataFile foreign = written(table, "of-another-table.parquet");
    other.newAppend().appendFile(foreign).commit();
    write(Path.of(table.location(), "data", "stray.parquet"));
    write(Path.of(table.location(), "metadata", "stray-m0.avro"));
    Path young = Path.of(table.location(), "data", "young.parquet");
    write(young);
    Files.setLastModifiedTime(young, FileTime.from(Instant.now().plus(Duration.ofDays(3))));
    DataFile working = written(table, "working.parquet");
    lake.uploads()
        .begin(table.uuid().toString(), UUID.randomUUID().toString(), List.of(working.location()));
    Set<String> metadata = files(".metadata.json");
    List<Finding> dry = orphans(Optional.of(table), true);
    assertThat(dry)
        .filteredOn(f -> f.kind() == Kind.UNKNOWN_FILE)
        .extracting(f -> Path.of(f.location().orElseThrow()).getFileName().toString())
        .containsExactlyInAnyOrder("stray.parquet", "stray-m0.avro");
    orphans(Optional.of(table), false);
    assertThat(dataFiles())
        .containsExactlyInAnyOrder(
            "kept.parquet", "of-another-table.parquet", "young.parquet", "working.parquet");
    assertThat(files(".avro")).doesNotContain("stray-m0.avro");
    assertThat(files(".metadata.json")).isEqualTo(metadata);
    assertThat(liveFiles(lake.catalog().loadTable(T))).containsExactly("kept.parquet");
  }

  @Test
  void nothingIsRemovedWhileATableCannotBeRead() throws Exception {
    Table table = create(T);
    append(table, "a.parquet");
    Table broken = create(U);
    append(broken, "b.parquet");
    write(Path.of(table.location(), "data", "stray.parquet"));
    for (var manifest : broken.currentSnapshot().allManifests(broken.io())) {
      Files.delete(Path.of(manifest.path()));
    }
    assertThatThrownBy(() -> orphans(Optional.of(table), false))
        .isInstanceOf(RuntimeException.class);
    assertThat(dataFiles()).contains("stray.parquet");
  }

  @Test
  void aFolderOfAViewIsKept() {
    Table table = create(T);
    lake.catalog()
        .buildView(TableIdentifier.of(SHOP, "v"))
        .withSchema(TestFiles.SCHEMA)
        .withDefaultNamespace(SHOP)
        .withQuery("varve", "select 1")
        .withLocation(table.location() + "/views/v")
        .create();
    lake.catalog()
        .loadView(TableIdentifier.of(SHOP, "v"))
        .updateProperties()
        .set("a", "b")
        .commit();
    Set<String> before = files(".metadata.json");
    orphans(Optional.of(table), false);
    assertThat(files(".metadata.json")).isEqualTo(before);
  }

  /** Only where two processes can share the database. */
  void anotherProcessKeepsWhatItReads() {
    Table table = create(T);
    append(table, "a.parquet");
    long read = table.currentSnapshot().snapshotId();
    table.newDelete().deleteFile(table.location() + "/data/a.parquet").commit();
    append(table, "b.parquet");
    LakeCatalog other = process();
    SnapshotPins.Pin pin = other.pins().pin(table.uuid().toString(), read).orElseThrow();
    assertThat(count(expire(table, 1, false), Kind.SNAPSHOT, Outcome.IN_USE)).isEqualTo(1);
    assertThat(dataFiles()).contains("a.parquet");
    pin.close();
    other.close();
    expire(table, 1, false);
    assertThat(dataFiles()).containsExactly("b.parquet");
    assertThat(process().pins().pin(table.uuid().toString(), read)).isEmpty();
    // A process that died while it read does so for no longer than its lease.
    append(table, "c.parquet");
    long second = table.currentSnapshot().snapshotId();
    append(table, "d.parquet");
    LakeCatalog dead = process(later(Duration.ofDays(9)));
    assertThat(dead.pins().pin(table.uuid().toString(), second)).isPresent();
    assertThat(count(expire(table, 1, false), Kind.SNAPSHOT, Outcome.IN_USE)).isZero();
    dead.close();
  }
}
