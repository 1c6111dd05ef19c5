package dev.varve.catalog.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.TestFiles;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutAnswer.Complete;
import dev.varve.layout.LayoutAnswer.NotIndexed;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.key.KeyEncoding;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of commits that were not indexed when they came, on every database. */
abstract class BackgroundContract {
  private static final Namespace SHOP = Namespace.of("shop");

  @TempDir Path directory;

  private final SettableClock clock = new SettableClock();
  private DataSource dataSource;
  private LakeCatalog lake;
  private Table table;

  abstract DataSource freshDatabase() throws Exception;

  /** Time that stands still until a test moves it. */
  private static final class SettableClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void advance(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("nobody asks this clock for a zone");
    }
  }

  @BeforeEach
  void open() throws Exception {
    dataSource = freshDatabase();
    lake = openLake();
    lake.catalog().createNamespace(SHOP);
    table =
        lake.catalog()
            .buildTable(TableIdentifier.of(SHOP, "t"), TestFiles.SCHEMA)
            .withSortOrder(TestFiles.BY_K)
            .create();
  }

  private LakeCatalog openLake() {
    return LakeCatalog.open(
        dataSource,
        new CatalogSettings("lake", directory.resolve("warehouse").toString()),
        new LocalFileIO(),
        clock);
  }

  private BackgroundIndexer indexer(FooterReader footers) {
    return lake.backgroundIndexer(Optional.of(footers), Duration.ofMillis(20));
  }

  private BackgroundIndexer withoutFooters() {
    return lake.backgroundIndexer(Optional.empty(), Duration.ofMillis(20));
  }

  private DataFile append(long low, long high) {
    DataFile file = TestFiles.file(table, low, high);
    table.newAppend().appendFile(file).commit();
    return file;
  }

  /** As if the commit had found no time to index its snapshots. */
  private void forgetSnapshots() {
    update("delete from lh_snapshot");
  }

  private void update(String sql) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.executeUpdate();
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String single(String sql) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet result = statement.executeQuery()) {
      assertThat(result.next()).isTrue();
      return String.valueOf(result.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private LayoutAnswer plan() {
    table.refresh();
    return lake.layoutIndex()
        .plan(
            new LayoutQuery(
                table.uuid().toString(),
                table.currentSnapshot().snapshotId(),
                List.of(),
                Optional.empty()));
  }

  private FileFacts facts(DataFile file) {
    assertThat(plan()).isInstanceOf(Complete.class);
    return ((Complete) plan())
        .files().stream().filter(f -> f.path().equals(file.location())).findFirst().orElseThrow();
  }

  private long version() {
    return lake.layoutIndex().factsVersion(table.uuid().toString());
  }

  /** A footer with one row group, exact bounds and a claim of order. */
  private static FileFacts footer(String path, long size, long records) {
    ColumnFacts k =
        new ColumnFacts(
            1,
            new Bound.Exact(KeyEncoding.encodeLong(1)),
            new Bound.Exact(KeyEncoding.encodeLong(2)),
            OptionalLong.of(0),
            OptionalLong.empty(),
            OptionalLong.of(70));
    return new FileFacts(
        path,
        size,
        records,
        0,
        0,
        Map.of(1, k),
        List.of(new RowGroupFacts(4, records, Map.of(1, k))),
        List.of(new OrderingFact(TestFiles.ORDER_BY_K, Trust.ASSERTED, Optional.empty())));
  }

  private static FileFacts read(Table of, String path, long size, long records) {
    return footer(path, size, records);
  }

  @Test
  void aSnapshotThatItsCommitDidNotIndexIsFoundAndIndexed() {
    append(1, 2);
    append(3, 4);
    forgetSnapshots();
    assertThat(plan()).isInstanceOf(NotIndexed.class);
    long before = version();
    assertThat(withoutFooters().turn()).isTrue();
    assertThat(((Complete) plan()).files()).hasSize(2);
    assertThat(version()).isGreaterThan(before);
    assertThat(withoutFooters().turn()).as("nothing is left to do").isFalse();
    append(5, 6);
    assertThat(((Complete) plan()).files()).hasSize(3);
  }

  @Test
  void itIsFoundAfterARestartToo() throws Exception {
    append(1, 2);
    forgetSnapshots();
    lake = openLake();
    try (BackgroundIndexer indexer = indexer(BackgroundContract::read)) {
      indexer.start();
      awaitIndexed();
    }
  }

  private void awaitIndexed() throws InterruptedException {
    for (int i = 0; i < 500 && plan() instanceof NotIndexed; i++) {
      Thread.sleep(20);
    }
    assertThat(plan()).isInstanceOf(Complete.class);
  }

  @Test
  void pausedItDoesNothingUntilItIsResumed() throws Exception {
    append(1, 2);
    forgetSnapshots();
    try (BackgroundIndexer indexer = indexer(BackgroundContract::read)) {
      indexer.pause();
      indexer.start();
      assertThat(indexer.turn()).isFalse();
      Thread.sleep(100);
      assertThat(plan()).isInstanceOf(NotIndexed.class);
      indexer.resume();
      awaitIndexed();
    }
  }

  @Test
  void pausingWaitsForWhatIsBeingDone() throws Exception {
    append(1, 2);
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger reads = new AtomicInteger();
    try (BackgroundIndexer indexer =
        indexer(
            (of, path, size, records) -> {
              reads.incrementAndGet();
              reading.countDown();
              await(goOn);
              return footer(path, size, records);
            })) {
      indexer.start();
      assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
      Thread pauser = Thread.ofVirtual().start(indexer::pause);
      Thread.sleep(50);
      assertThat(pauser.isAlive()).isTrue();
      goOn.countDown();
      pauser.join();
      int done = reads.get();
      append(3, 4);
      Thread.sleep(100);
      assertThat(reads.get()).isEqualTo(done);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void footersCompleteWhatTheManifestSaid() {
    DataFile file = append(1, 2);
    assertThat(facts(file).rowGroups()).isEmpty();
    assertThat(facts(file).column(1).lower()).isInstanceOf(Bound.Inexact.class);
    long before = version();
    assertThat(indexer(BackgroundContract::read).turn()).isTrue();
    FileFacts read = facts(file);
    assertThat(read.rowGroups()).hasSize(1);
    assertThat(read.column(1).lower()).isInstanceOf(Bound.Exact.class);
    assertThat(read.column(1).nanCount()).as("only the manifest says").isPresent();
    assertThat(read.orderings())
        .extracting(OrderingFact::trust)
        .as("a footer asserts")
        .containsExactly(Trust.ASSERTED);
    assertThat(version()).isGreaterThan(before);
    assertThat(single("select stats_state from lh_file")).isEqualTo("1");
    assertThat(indexer(BackgroundContract::neverRead).turn()).isFalse();
  }

  private static FileFacts neverRead(Table of, String path, long size, long records) {
    throw new AssertionError(path + " is read again");
  }

  @Test
  void whatACheckFoundMeanwhileIsNotOverwrittenByAFootersClaim() {
    DataFile file = append(1, 2);
    indexer(
            (of, path, size, records) -> {
              lake.layoutIndex()
                  .record(
                      table.uuid().toString(),
                      List.of(
                          new FileCheck(
                              path,
                              size,
                              Optional.empty(),
                              List.of(
                                  new OrderingFact(
                                      TestFiles.ORDER_BY_K, Trust.VIOLATED, Optional.empty())))));
              return footer(path, size, records);
            })
        .turn();
    assertThat(facts(file).rowGroups()).hasSize(1);
    assertThat(facts(file).orderings())
        .extracting(OrderingFact::trust)
        .containsExactly(Trust.VIOLATED);
  }

  @Test
  void anUnreadableFooterIsTriedAgainLaterAndLater() {
    DataFile bad = append(1, 2);
    DataFile good = append(3, 4);
    AtomicInteger attempts = new AtomicInteger();
    FooterReader flaky =
        (of, path, size, records) -> {
          if (path.equals(bad.location()) && attempts.incrementAndGet() < 3) {
            throw new VarveException(ErrorCode.IO_ERROR, "the disk is away");
          }
          return footer(path, size, records);
        };
    indexer(flaky).turn();
    assertThat(facts(good).rowGroups()).as("one file does not keep the others").hasSize(1);
    assertThat(facts(bad).rowGroups()).isEmpty();
    assertThat(single("select error from lh_footer_failure")).contains("the disk is away");
    assertThat(indexer(flaky).turn()).as("not at once").isFalse();
    clock.advance(Duration.ofSeconds(2));
    indexer(flaky).turn();
    assertThat(attempts).hasValue(2);
    clock.advance(Duration.ofMillis(1_500));
    assertThat(indexer(flaky).turn()).as("waits twice as long").isFalse();
    clock.advance(Duration.ofSeconds(1));
    indexer(flaky).turn();
    assertThat(facts(bad).rowGroups()).hasSize(1);
    assertThat(single("select count(*) from lh_footer_failure")).isEqualTo("0");
  }

  @Test
  void aFileThatIsNoParquetFileKeepsItsManifestsWordForGood() {
    DataFile file = append(1, 2);
    AtomicInteger attempts = new AtomicInteger();
    FooterReader corrupt =
        (of, path, size, records) -> {
          attempts.incrementAndGet();
          throw new VarveException(ErrorCode.FILE_CORRUPT, "no Parquet file");
        };
    indexer(corrupt).turn();
    clock.advance(Duration.ofDays(1));
    indexer(corrupt).turn();
    assertThat(attempts).hasValue(1);
    assertThat(facts(file).column(1).lower()).isInstanceOf(Bound.Inexact.class);
    assertThat(single("select stats_state from lh_file")).isEqualTo("3");
  }

  @Test
  void aTableIsHeldByOneNodeAtATimeAndAKilledNodesLeaseRunsOut() throws Exception {
    append(1, 2);
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    BackgroundIndexer dying =
        indexer(
            (of, path, size, records) -> {
              reading.countDown();
              await(goOn);
              throw new VarveException(ErrorCode.IO_ERROR, "killed");
            });
    Thread node = Thread.ofVirtual().start(dying::turn);
    assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
    BackgroundIndexer other = indexer(BackgroundContract::read);
    assertThat(other.turn()).as("the table is held").isFalse();
    clock.advance(TableWork.LEASE.plusSeconds(1));
    assertThat(other.turn()).isTrue();
    assertThat(single("select stats_state from lh_file")).isEqualTo("1");
    goOn.countDown();
    node.join();
    assertThat(single("select stats_state from lh_file"))
        .as("a late node harms nothing")
        .isEqualTo("1");
  }

  @Test
  void commitsDuringTheWorkAreIndexedInTheirTurn() {
    append(1, 2);
    AtomicReference<DataFile> second = new AtomicReference<>();
    indexer(
            (of, path, size, records) -> {
              if (second.get() == null) {
                second.set(append(3, 4));
              }
              return footer(path, size, records);
            })
        .turn();
    indexer(BackgroundContract::read).turn();
    assertThat(((Complete) plan()).files()).hasSize(2);
    assertThat(facts(second.get()).rowGroups()).hasSize(1);
  }

  @Test
  void aTableWhoseManifestIsGoneIsTriedAgainAndKeepsNoOther() throws Exception {
    append(1, 2);
    Table other = lake.catalog().createTable(TableIdentifier.of(SHOP, "u"), TestFiles.SCHEMA);
    other.newAppend().appendFile(TestFiles.file(other, 1, 2)).commit();
    forgetSnapshots();
    String manifest = table.currentSnapshot().allManifests(table.io()).getFirst().path();
    Path hidden = directory.resolve("hidden");
    java.nio.file.Files.move(Path.of(manifest), hidden);
    withoutFooters().turn();
    assertThat(plan()).isInstanceOf(NotIndexed.class);
    assertThat(
            lake.layoutIndex()
                .plan(
                    new LayoutQuery(
                        other.uuid().toString(),
                        other.currentSnapshot().snapshotId(),
                        List.of(),
                        Optional.empty())))
        .isInstanceOf(Complete.class);
    assertThat(single("select max(attempts) from lh_index_work")).isEqualTo("1");
    java.nio.file.Files.move(hidden, Path.of(manifest));
    assertThat(withoutFooters().turn()).as("not at once").isFalse();
    clock.advance(Duration.ofSeconds(2));
    withoutFooters().turn();
    assertThat(plan()).isInstanceOf(Complete.class);
    assertThat(single("select max(attempts) from lh_index_work")).isEqualTo("0");
  }

  @Test
  void aDroppedTableLeavesNoWorkBehind() {
    append(1, 2);
    indexer(
            (of, path, size, records) -> {
              throw new VarveException(ErrorCode.IO_ERROR, "away");
            })
        .turn();
    lake.catalog().dropTable(TableIdentifier.of(SHOP, "t"), false);
    assertThat(single("select count(*) from lh_index_work")).isEqualTo("0");
    assertThat(single("select count(*) from lh_footer_failure")).isEqualTo("0");
    assertThat(indexer(BackgroundContract::neverRead).turn()).isFalse();
  }
}
