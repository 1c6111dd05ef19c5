package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.TestFiles;
import dev.varve.catalog.store.Database;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.TableSummary;
import dev.varve.layout.Trust;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An index that chooses files in memory, from stored pages where there are any, answers as one that
 * asks the database, for whatever happened to the table, to its pages and to what is known of its
 * files.
 */
abstract class CachedIndexContract {
  private static final int HISTORIES = 3;
  private static final int STEPS = 25;
  private static final long AMPLE = 100 << 20;

  @TempDir Path directory;

  private Failing source;
  private Database database;
  private LakeCatalog lake;
  private JdbcLayoutIndex cached;
  private JdbcLayoutIndex scanty;
  private JdbcLayoutIndex asking;

  abstract DataSource freshDatabase() throws SQLException;

  @BeforeEach
  void open() throws SQLException {
    source = new Failing(freshDatabase());
    lake =
        LakeCatalog.open(
            source.dataSource(),
            new CatalogSettings("lake", directory.resolve("warehouse").toString(), AMPLE),
            new LocalFileIO());
    lake.catalog().createNamespace(Namespace.of("s"));
    database = new Database(source.dataSource());
    cached = new JdbcLayoutIndex(database, Clock.systemUTC(), AMPLE, 0);
    // Room for the files of a table and hardly a column.
    scanty = new JdbcLayoutIndex(database, Clock.systemUTC(), 8_000, 0);
    asking = new JdbcLayoutIndex(database, Clock.systemUTC(), 1_000, Integer.MAX_VALUE);
  }

  @AfterEach
  void close() {
    // What it does in the background ends before the database does.
    lake.close();
    closeDatabase();
  }

  void closeDatabase() {}

  private Table table(String name) {
    return lake.catalog()
        .buildTable(TableIdentifier.of("s", name), TestFiles.SCHEMA)
        .withSortOrder(TestFiles.BY_K)
        .create();
  }

  @Test
  void answersInMemoryAreThoseOfTheDatabase() throws Exception {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("CachedIndexContract: -Dvarve.seed=" + seed);
    for (int history = 0; history < HISTORIES; history++) {
      Random random = new Random(seed + history);
      Table table = table("t" + history);
      StatPacker packer = new StatPacker(database, 4, 1 + random.nextInt(6));
      for (int step = 0; step < STEPS; step++) {
        change(random, table);
        disturb(random, packer, table);
        table.refresh();
        for (Snapshot snapshot : table.snapshots()) {
          check(
              random,
              table,
              snapshot,
              "seed %d, history %d, step %d".formatted(seed, history, step));
        }
      }
    }
  }

  private void change(Random random, Table table) throws Exception {
    List<DataFile> live = live(table, table.currentSnapshot());
    switch (live.size() < 8 ? 0 : random.nextInt(8)) {
      case 0, 1, 2 -> append(random, table, 1 + random.nextInt(12));
      case 3, 4 -> {
        DeleteFiles delete = table.newDelete();
        live.stream().filter(file -> random.nextInt(4) == 0).forEach(delete::deleteFile);
        delete.commit();
      }
      case 5 -> {
        Long parent = table.currentSnapshot().parentId();
        if (parent != null && table.snapshot(parent) != null) {
          table.manageSnapshots().rollbackTo(parent).commit();
        }
      }
      case 6 ->
          table
              .expireSnapshots()
              .retainLast(1 + random.nextInt(4))
              .expireOlderThan(Long.MAX_VALUE)
              .commit();
      default -> {
        if (table.refs().containsKey("side")) {
          table.manageSnapshots().removeBranch("side").commit();
        }
        table.manageSnapshots().createBranch("side").commit();
        table.newAppend().appendFile(file(random, table)).toBranch("side").commit();
        if (random.nextBoolean()) {
          table.manageSnapshots().fastForwardBranch("main", "side").commit();
        }
      }
    }
  }

  private void append(Random random, Table table, int files) {
    var append = table.newAppend();
    for (int i = 0; i < files; i++) {
      append.appendFile(file(random, table));
    }
    append.commit();
  }

  private DataFile file(Random random, Table table) {
    long low = random.nextInt(-500, 500);
    long high = low + random.nextInt(60);
    DataFile file = TestFiles.file(table, low, high);
    if (random.nextBoolean()) {
      lake.layoutIndex()
          .stage(table.uuid().toString(), List.of(TestFiles.verified(file, low, high)));
    }
    return file;
  }

  /**
   * Pages are made, lost and made anew, and files are found to be otherwise than they were said.
   */
  private void disturb(Random random, StatPacker packer, Table table) throws Exception {
    long tableId = tableId(table);
    switch (random.nextInt(5)) {
      case 0, 1 -> packer.pack(tableId, () -> true);
      case 2 ->
          database.write(
              sql ->
                  sql.update(
                      "delete from lh_stat_page where table_id = ? and page = ?",
                      tableId,
                      random.nextInt(5)));
      case 3 -> {
        if (random.nextInt(3) == 0) {
          database.write(
              sql -> sql.update("delete from lh_page_files where table_id = ?", tableId));
          database.write(sql -> sql.update("delete from lh_stat_page where table_id = ?", tableId));
        }
      }
      default -> {
        table.refresh();
        List<DataFile> live = live(table, table.currentSnapshot());
        DataFile checked = live.get(random.nextInt(live.size()));
        lake.layoutIndex()
            .record(
                table.uuid().toString(),
                List.of(
                    new FileCheck(
                        checked.location(),
                        checked.fileSizeInBytes(),
                        Optional.empty(),
                        List.of(
                            new OrderingFact(
                                TestFiles.ORDER_BY_K, Trust.VIOLATED, Optional.empty())))));
      }
    }
  }

  private void check(Random random, Table table, Snapshot snapshot, String what) throws Exception {
    for (List<ColumnRange> ranges : List.of(List.<ColumnRange>of(), ranges(random))) {
      LayoutAnswer expected = plan(asking, table, snapshot, ranges);
      assertThat(plan(cached, table, snapshot, ranges))
          .as("%s: %s", what, ranges)
          .isEqualTo(expected);
      assertThat(plan(scanty, table, snapshot, ranges))
          .as("%s: %s", what, ranges)
          .isEqualTo(expected);
      if (ranges.isEmpty() && expected instanceof LayoutAnswer.Complete complete) {
        assertThat(complete.files().stream().map(FileFacts::path))
            .as(what)
            .containsExactlyInAnyOrderElementsOf(
                live(table, snapshot).stream().map(DataFile::location).toList());
      }
    }
    assertThat(scanty.cachedBytes()).as(what).isLessThanOrEqualTo(8_000 / 2);
  }

  private static List<ColumnRange> ranges(Random random) {
    List<ColumnRange> ranges = new ArrayList<>();
    EncodedKey from = KeyEncoding.encodeLong(random.nextInt(-520, 520));
    EncodedKey to = KeyEncoding.encodeLong(random.nextInt(-520, 520));
    switch (random.nextInt(4)) {
      case 0 -> ranges.add(new ColumnRange(1, Optional.of(from), Optional.empty(), false));
      case 1 ->
          ranges.add(
              from.compareTo(to) < 0
                  ? ColumnRange.of(1, List.of(from, to), false)
                  : new ColumnRange(1, Optional.of(to), Optional.of(from), true));
      default -> ranges.add(new ColumnRange(1, Optional.of(from), Optional.of(from), false));
    }
    if (random.nextInt(3) == 0) {
      ranges.add(ColumnRange.of(2, List.of(), random.nextBoolean()));
    }
    return ranges;
  }

  private static LayoutAnswer plan(
      JdbcLayoutIndex index, Table table, Snapshot snapshot, List<ColumnRange> ranges) {
    return index.plan(
        new LayoutQuery(table.uuid().toString(), snapshot.snapshotId(), ranges, Optional.empty()));
  }

  private static List<DataFile> live(Table table, Snapshot snapshot) throws Exception {
    List<DataFile> files = new ArrayList<>();
    if (snapshot != null) {
      try (CloseableIterable<FileScanTask> tasks =
          table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
        tasks.forEach(task -> files.add(task.file().copy()));
      }
    }
    return files;
  }

  @Test
  void readersOfOldSnapshotsAreNotDisturbedByCommits() throws Exception {
    Random random = new Random(7);
    Table table = table("busy");
    append(random, table, 40);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger checks = new AtomicInteger();
    Map<Long, LayoutAnswer> expected = new HashMap<>();
    expected.put(
        table.currentSnapshot().snapshotId(),
        plan(asking, table, table.currentSnapshot(), List.of()));
    try (ExecutorService readers = Executors.newFixedThreadPool(3)) {
      List<Future<?>> reading = new ArrayList<>();
      for (int r = 0; r < 3; r++) {
        Random own = new Random(r);
        reading.add(
            readers.submit(
                () -> {
                  while (!done.get()) {
                    List<Long> known;
                    synchronized (expected) {
                      known = List.copyOf(expected.keySet());
                    }
                    long snapshotId = known.get(own.nextInt(known.size()));
                    LayoutAnswer answer =
                        cached.plan(
                            new LayoutQuery(
                                table.uuid().toString(), snapshotId, List.of(), Optional.empty()));
                    synchronized (expected) {
                      assertThat(answer).isEqualTo(expected.get(snapshotId));
                    }
                    checks.incrementAndGet();
                  }
                }));
      }
      try {
        for (int i = 0; i < 25; i++) {
          if (i % 3 == 2) {
            DeleteFiles delete = table.newDelete();
            live(table, table.currentSnapshot()).stream().limit(5).forEach(delete::deleteFile);
            delete.commit();
          } else {
            append(random, table, 5);
          }
          LayoutAnswer now = plan(asking, table, table.currentSnapshot(), List.of());
          synchronized (expected) {
            expected.put(table.currentSnapshot().snapshotId(), now);
          }
        }
      } finally {
        done.set(true);
      }
      for (Future<?> reader : reading) {
        reader.get();
      }
    }
    assertThat(checks).hasPositiveValue();
  }

  @Test
  void columnsComeFromPagesWhereThereAreSome() throws Exception {
    Table table = table("packed");
    var append = table.newAppend();
    for (int i = 0; i < 40; i++) {
      append.appendFile(TestFiles.file(table, 10 * i, 10 * i + 9));
    }
    append.commit();
    long tableId = tableId(table);
    StatPacker packer = new StatPacker(database, 4, 6);
    assertThat(packer.pack(tableId, () -> true)).isTrue();
    assertThat(packer.pack(tableId, () -> true)).as("the last files make no page").isFalse();
    // With the facts gone, only a page can tell that a file holds nothing of the range.
    database.write(
        sql -> sql.update("update lh_file set stats = null where table_id = ?", tableId));
    assertThat(paths(table, 105)).as("one of 36 files, and those without a page").hasSize(5);
    database.write(sql -> sql.update("delete from lh_stat_page where page = 2"));
    assertThat(paths(table, 105)).as("nor is anything known of six files more").hasSize(11);
    database.write(sql -> sql.update("delete from lh_page_files"));
    assertThat(paths(table, 105)).as("nor of any").hasSize(40);
  }

  @Test
  void pagesAreMadeAnewWhenTooManyOfTheirFilesAreGone() throws Exception {
    Table table = table("worn");
    var append = table.newAppend();
    for (int i = 0; i < 40; i++) {
      append.appendFile(TestFiles.file(table, 10 * i, 10 * i + 9));
    }
    append.commit();
    StatPacker packer = new StatPacker(database, 4, 5);
    assertThat(packer.pack(tableId(table), () -> true)).isTrue();
    assertThat(paths(table, 105)).hasSize(1);
    DeleteFiles delete = table.newDelete();
    live(table, table.currentSnapshot()).stream().limit(20).forEach(delete::deleteFile);
    delete.commit();
    assertThat(packer.pack(tableId(table), () -> true))
        .as("the first snapshot still has them")
        .isFalse();
    table.expireSnapshots().retainLast(1).expireOlderThan(Long.MAX_VALUE).commit();
    new IndexUpkeep(database).run(tableId(table));
    assertThat(packer.pack(tableId(table), () -> true)).isTrue();
    assertThat(database.read(sql -> PageQueries.files(sql, tableId(table))).generation())
        .isEqualTo(1);
    for (int k : List.of(5, 105, 205, 395)) {
      assertThat(paths(table, k)).isEqualTo(paths(asking, table, k));
    }
  }

  private List<String> paths(Table table, long k) {
    // Asked twice, because a first question about the key is the database's.
    JdbcLayoutIndex index = new JdbcLayoutIndex(database, Clock.systemUTC(), AMPLE, 0);
    paths(index, table, k);
    return paths(index, table, k);
  }

  private List<String> paths(JdbcLayoutIndex index, Table table, long k) {
    Optional<EncodedKey> key = Optional.of(KeyEncoding.encodeLong(k));
    return ((LayoutAnswer.Complete)
            plan(
                index,
                table,
                table.currentSnapshot(),
                List.of(new ColumnRange(1, key, key, false))))
        .files().stream().map(FileFacts::path).toList();
  }

  private long tableId(Table table) {
    return database
        .read(sql -> IndexQueries.table(sql, table.uuid().toString()))
        .orElseThrow()
        .tableId();
  }

  @Test
  void aSampleStandsForTheTable() throws Exception {
    Table table = table("sampled");
    append(new Random(1), table, 50);
    JdbcLayoutIndex index = new JdbcLayoutIndex(database, Clock.systemUTC(), AMPLE, 10);
    TableSummary summary =
        index.summary(table.uuid().toString(), table.currentSnapshot().snapshotId()).orElseThrow();
    assertThat(summary.files()).isEqualTo(50);
    assertThat(summary.rows()).isEqualTo(500);
    assertThat(summary.isWhole()).isFalse();
    assertThat(summary.sample().stream().map(FileFacts::path).distinct()).hasSize(10);
    assertThat(live(table, table.currentSnapshot()).stream().map(DataFile::location))
        .containsAll(summary.sample().stream().map(FileFacts::path).toList());
    assertThat(cached.summary("no-table", 1)).isEmpty();
    assertThat(cached.summary(table.uuid().toString(), 1)).isEmpty();
  }

  @Test
  void whatTheDatabaseDoesNotAnswerIsNotIndexed() throws Exception {
    Table table = table("lost");
    append(new Random(2), table, 60);
    Snapshot snapshot = table.currentSnapshot();
    List<ColumnRange> ranges =
        List.of(
            new ColumnRange(1, Optional.of(KeyEncoding.encodeLong(0)), Optional.empty(), false));
    LayoutAnswer expected = plan(asking, table, snapshot, ranges);
    assertThat(expected).isInstanceOf(LayoutAnswer.Complete.class);
    int failed = 0;
    // Lost at every statement of a first answer in turn: what is half loaded must not serve.
    for (int statements = 0; statements < 100; statements++) {
      JdbcLayoutIndex index = new JdbcLayoutIndex(database, Clock.systemUTC(), AMPLE, 0);
      source.failAfter(statements);
      LayoutAnswer answer = plan(index, table, snapshot, ranges);
      source.recover();
      if (answer instanceof LayoutAnswer.Complete) {
        assertThat(answer).isEqualTo(expected);
        break;
      }
      failed++;
      assertThat(plan(index, table, snapshot, ranges)).isEqualTo(expected);
      assertThat(plan(index, table, snapshot, ranges)).isEqualTo(expected);
      source.failAfter(0);
      assertThat(index.summary(table.uuid().toString(), snapshot.snapshotId())).isEmpty();
      source.recover();
    }
    assertThat(failed).isBetween(5, 50);
  }

  /** A data source whose statements fail from some point on. */
  private static final class Failing {
    private final DataSource inner;
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

    Failing(DataSource inner) {
      this.inner = inner;
    }

    void failAfter(int statements) {
      left.set(statements);
    }

    void recover() {
      left.set(Integer.MAX_VALUE);
    }

    DataSource dataSource() {
      return (DataSource)
          Proxy.newProxyInstance(
              Failing.class.getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                Object result = invoke(inner, method, arguments);
                return result instanceof Connection connection ? failing(connection) : result;
              });
    }

    private Connection failing(Connection connection) {
      return (Connection)
          Proxy.newProxyInstance(
              Failing.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("prepareStatement")
                    && left.getAndUpdate(n -> n == Integer.MAX_VALUE ? n : n - 1) <= 0) {
                  throw new SQLNonTransientConnectionException("the connection is lost", "08006");
                }
                return invoke(connection, method, arguments);
              });
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments)
        throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
