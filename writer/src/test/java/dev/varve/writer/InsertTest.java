package dev.varve.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.port.SinkFactory.InsertTarget;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.TableSink.SinkResult;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.junit.jupiter.api.Test;

class InsertTest {
  static final Schema SCHEMA =
      Schema.of(
          new Field("k", DataType.BIGINT, false, 1), new Field("v", DataType.BIGINT, true, 2));

  private final InMemoryCatalog catalog = Tables.catalog();
  private final Tables.StagingIndex index = new Tables.StagingIndex();

  @Test
  void verifiesTheOrderAndRecordsItWithItsKeyRange() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of("k"), Map.of());
    SinkResult result;
    try (FakeWork work = FakeWork.of(2)) {
      result = Tables.insert(table, index, work, List.of(sorted(0, 8192), sorted(8192, 100)));
      assertThat(work.reserved()).isZero();
      assertThat(work.openReservations()).isZero();
    }
    assertThat(result.rows()).isEqualTo(8292);
    DataFile file = Tables.files(table).getFirst();
    assertThat(file.sortOrderId()).isEqualTo(table.sortOrder().orderId());
    assertThat(file.recordCount()).isEqualTo(8292);
    assertThat(table.currentSnapshot().snapshotId()).isEqualTo(result.snapshotId());
    assertThat(table.currentSnapshot().summary()).containsEntry("varve.query-id", "query-1");
    FileFacts facts = index.facts(file.location());
    assertThat(facts.sizeBytes()).isEqualTo(file.fileSizeInBytes());
    assertThat(facts.orderings()).hasSize(1);
    assertThat(facts.orderings().getFirst().trust()).isEqualTo(Trust.VERIFIED);
    assertThat(facts.orderings().getFirst().range().orElseThrow().lowerExact()).isTrue();
  }

  @Test
  void refusesToRecordTheOrderOfOneSwappedPair() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of("k"), Map.of());
    long[] keys = new long[8192];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i;
    }
    keys[5000] = 5001;
    keys[5001] = 5000;
    FailingIO io = new FailingIO(table.io(), Long.MAX_VALUE, "");
    Table watched = Tables.overriding(table, Map.of("io", () -> io));
    try (FakeWork work = FakeWork.of(2)) {
      assertThatThrownBy(
              () -> Tables.insert(watched, index, work, List.of(sorted(-10, 10), batch(keys))))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.ORDER_VIOLATED);
                assertThat(e).hasMessageContaining("row 5012").hasMessageContaining("(5000)");
              });
      assertThat(work.openReservations()).isZero();
    }
    assertThat(io.existing).isEmpty();
    table.refresh();
    assertThat(table.currentSnapshot()).isNull();
    assertThat(index.staged).isEmpty();
  }

  @Test
  void seesDisorderBetweenTwoBatches() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of("k"), Map.of());
    try (FakeWork work = FakeWork.of(2)) {
      assertThatThrownBy(
              () -> Tables.insert(table, index, work, List.of(sorted(10, 10), sorted(18, 10))))
          .hasMessageContaining("row 11")
          .hasMessageContaining("(18)")
          .hasMessageContaining("(19)");
    }
  }

  @Test
  void refusesANullInARequiredColumn() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of(), Map.of());
    Batch batch =
        new Batch(
            SCHEMA,
            List.of(
                new LongColumn(DataType.BIGINT, new long[] {1, 2}, new byte[] {1, 0}),
                new LongColumn(DataType.BIGINT, new long[] {1, 2}, null)),
            2);
    try (FakeWork work = FakeWork.of(2)) {
      assertCode(
          () -> Tables.insert(table, index, work, List.of(batch)), ErrorCode.NOT_NULL_VIOLATION);
    }
  }

  @Test
  void noRowsMakeNoSnapshot() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of("k"), Map.of());
    try (FakeWork work = FakeWork.of(2)) {
      assertThat(Tables.insert(table, index, work, List.of(Batch.empty(SCHEMA))).snapshotId())
          .isEqualTo(-1);
    }
    table.refresh();
    assertThat(table.currentSnapshot()).isNull();
  }

  @Test
  void createsTheTableOfCtasWithItsRowsOrWithout() throws Exception {
    for (int rows : new int[] {0, 100}) {
      TableIdentifier name = TableIdentifier.of("s", "ctas" + rows);
      Transaction transaction =
          catalog.buildTable(name, Tables.icebergSchema(SCHEMA)).createTransaction();
      try (FakeWork work = FakeWork.of(2);
          TableSink sink =
              new WriterSinkFactory(index)
                  .insert(new InsertTarget(transaction.table(), Optional.of(transaction), SCHEMA))
                  .open(work)) {
        sink.write(sorted(0, rows));
        assertThat(catalog.tableExists(name)).isFalse();
        sink.finish();
      }
      assertThat(Tables.files(catalog.loadTable(name))).hasSize(rows == 0 ? 0 : 1);
    }
  }

  @Test
  void aFailedCtasLeavesNoTableAndNoFile() throws Exception {
    TableIdentifier name = TableIdentifier.of("s", "ctas");
    Transaction transaction =
        catalog.buildTable(name, Tables.icebergSchema(SCHEMA)).createTransaction();
    try (FakeWork work = FakeWork.of(2);
        TableSink sink =
            new WriterSinkFactory(index)
                .insert(new InsertTarget(transaction.table(), Optional.of(transaction), SCHEMA))
                .open(work)) {
      sink.write(sorted(0, 10));
      work.canceled = true;
      assertThatThrownBy(sink::finish).hasMessageContaining("cancelled");
    }
    assertThat(catalog.tableExists(name)).isFalse();
  }

  @Test
  void aFullDiskCommitsNothingAndLeavesNoFile() throws Exception {
    failingWrites("No space left on device", ErrorCode.DISK_FULL);
  }

  @Test
  void anUploadThatFailsMidwayCommitsNothingAndLeavesNoFile() throws Exception {
    failingWrites("Connection reset", ErrorCode.IO_ERROR);
  }

  private void failingWrites(String message, ErrorCode code) throws Exception {
    Random random = new Random(1);
    for (long bytes : new long[] {0, 3, 1000, 20_000, 200_000}) {
      Table table =
          Tables.create(
              catalog,
              "t" + bytes,
              SCHEMA,
              List.of(),
              Map.of("write.parquet.row-group-row-limit", "20000"));
      FailingIO io = new FailingIO(table.io(), bytes, message);
      Table failing = Tables.overriding(table, Map.of("io", () -> io));
      try (FakeWork work = FakeWork.of(2)) {
        assertCode(() -> Tables.insert(failing, index, work, randomBatches(random, 20)), code);
        assertThat(io.fired).isTrue();
        assertThat(io.existing).isEmpty();
        assertThat(work.reserved()).isZero();
        assertThat(work.openReservations()).isZero();
      }
      table.refresh();
      assertThat(table.currentSnapshot()).isNull();
    }
  }

  @Test
  void aCancelLeavesNoFileNoReservationAndNoTask() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of(), Map.of());
    FailingIO io = new FailingIO(table.io(), Long.MAX_VALUE, "");
    Table watched = Tables.overriding(table, Map.of("io", () -> io));
    try (FakeWork work = FakeWork.of(1)) {
      try (TableSink sink =
          new WriterSinkFactory(index)
              .insert(new InsertTarget(watched, Optional.empty(), SCHEMA))
              .open(work)) {
        for (Batch batch : randomBatches(new Random(3), 5)) {
          sink.write(batch);
        }
        assertThat(io.existing).hasSize(1);
        work.canceled = true;
        assertCode(() -> sink.write(sorted(0, 10)), ErrorCode.QUERY_CANCELED);
      }
      assertThat(io.existing).isEmpty();
      assertThat(work.reserved()).isZero();
      assertThat(work.openReservations()).isZero();
    }
  }

  @Test
  void aConflictRemovesTheFilesAndSaysSo() throws Exception {
    commitFails(() -> new CommitFailedException("stale"), ErrorCode.COMMIT_CONFLICT, false);
  }

  @Test
  void anUnknownCommitRemovesNothing() throws Exception {
    commitFails(
        () -> new CommitStateUnknownException(new RuntimeException("timed out")),
        ErrorCode.COMMIT_STATE_UNKNOWN,
        true);
  }

  @Test
  void aFailureThatSaysNothingAboutTheTableIsUnknownToo() throws Exception {
    commitFails(
        () -> new IllegalArgumentException("what now"), ErrorCode.COMMIT_STATE_UNKNOWN, true);
  }

  @Test
  void aDiskThatIsFullForTheMetadataCommitsNothingAndLeavesNoFile() throws Exception {
    commitFails(
        () -> new VarveException(ErrorCode.DISK_FULL, "no space is left"),
        ErrorCode.DISK_FULL,
        false);
  }

  @Test
  void aTableThatIsDroppedMeanwhileIsNamed() throws Exception {
    commitFails(
        () -> new org.apache.iceberg.exceptions.NoSuchTableException("gone"),
        ErrorCode.UNDEFINED_TABLE,
        false);
  }

  @Test
  void ofTwoCtasOfOneNameTheSecondLosesItsFiles() throws Exception {
    TableIdentifier name = TableIdentifier.of("s", "raced");
    Transaction transaction =
        catalog.buildTable(name, Tables.icebergSchema(SCHEMA)).createTransaction();
    try (FakeWork work = FakeWork.of(2);
        TableSink sink =
            new WriterSinkFactory(index)
                .insert(new InsertTarget(transaction.table(), Optional.of(transaction), SCHEMA))
                .open(work)) {
      sink.write(sorted(0, 10));
      Tables.create(catalog, "raced", SCHEMA, List.of(), Map.of());
      assertThatThrownBy(sink::finish)
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isIn(ErrorCode.DUPLICATE_TABLE, ErrorCode.COMMIT_CONFLICT));
    }
    assertThat(Tables.files(catalog.loadTable(name))).isEmpty();
  }

  private void commitFails(Supplier<RuntimeException> failure, ErrorCode code, boolean filesStay)
      throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of(), Map.of());
    FailingIO io = new FailingIO(table.io(), Long.MAX_VALUE, "");
    AppendFiles append =
        (AppendFiles)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AppendFiles.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("commit")) {
                    throw failure.get();
                  }
                  return proxy;
                });
    Table failing = Tables.overriding(table, Map.of("io", () -> io, "newAppend", () -> append));
    try (FakeWork work = FakeWork.of(2)) {
      assertCode(() -> Tables.insert(failing, index, work, List.of(sorted(0, 10))), code);
    }
    assertThat(io.existing).hasSize(filesStay ? 1 : 0);
  }

  @Test
  void twoWritersAtOnceBothGetTheirRowsIn() throws Exception {
    Tables.create(catalog, "t", SCHEMA, List.of("k"), Map.of("commit.retry.num-retries", "20"));
    int writers = 4;
    CountDownLatch ready = new CountDownLatch(writers);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SinkResult>> results = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        int first = w * 100;
        results.add(
            threads.submit(
                () -> {
                  Table table = catalog.loadTable(TableIdentifier.of("s", "t"));
                  try (FakeWork work = new FakeWork("query-" + first, 2, Long.MAX_VALUE);
                      TableSink sink =
                          new WriterSinkFactory(index)
                              .insert(new InsertTarget(table, Optional.empty(), SCHEMA))
                              .open(work)) {
                    sink.write(sorted(first, 100));
                    ready.countDown();
                    ready.await();
                    return sink.finish();
                  }
                }));
      }
      for (Future<SinkResult> result : results) {
        assertThat(result.get().rows()).isEqualTo(100);
      }
    }
    Table table = catalog.loadTable(TableIdentifier.of("s", "t"));
    assertThat(Tables.files(table)).hasSize(writers);
    assertThat(Tables.files(table).stream().mapToLong(DataFile::recordCount).sum())
        .isEqualTo(100L * writers);
  }

  @Test
  void filesOfASplitInsertDoNotOverlapInKeys() throws Exception {
    Table table =
        Tables.create(
            catalog,
            "t",
            SCHEMA,
            List.of("k"),
            Map.of(
                "write.target-file-size-bytes",
                "500000",
                "write.parquet.row-group-row-limit",
                "50000"));
    List<Batch> batches = new ArrayList<>();
    Random random = new Random(4);
    for (int b = 0; b < 60; b++) {
      long[] keys = new long[8192];
      long[] values = new long[8192];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = (b * 8192L + i) / 3;
        values[i] = random.nextLong();
      }
      batches.add(batch(keys, values));
    }
    try (FakeWork work = FakeWork.of(2)) {
      Tables.insert(table, index, work, batches);
    }
    List<DataFile> files = Tables.files(table);
    assertThat(files).hasSizeGreaterThan(3);
    for (DataFile file : files) {
      assertThat(file.fileSizeInBytes()).isLessThan(1_700_000);
    }
    for (int i = 1; i < files.size(); i++) {
      var before = index.facts(files.get(i - 1).location()).orderings().getFirst();
      var after = index.facts(files.get(i).location()).orderings().getFirst();
      assertThat(before.range().orElseThrow().upper())
          .isLessThanOrEqualTo(after.range().orElseThrow().lower());
    }
  }

  @Test
  void staysWithinItsMemoryBySealingEarly() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of(), Map.of());
    long limit = 1_000_000;
    try (FakeWork work = new FakeWork("query-1", 2, limit)) {
      SinkResult result = Tables.insert(table, index, work, randomBatches(new Random(9), 60));
      assertThat(result.rows()).isEqualTo(60 * 8192L);
      assertThat(work.peak()).isLessThanOrEqualTo(limit);
      assertThat(work.metric("row_groups_sealed_early")).isPositive();
      assertThat(work.reserved()).isZero();
    }
  }

  @Test
  void tooLittleMemoryIsANamedError() throws Exception {
    Table table = Tables.create(catalog, "t", SCHEMA, List.of(), Map.of());
    try (FakeWork work = new FakeWork("query-1", 2, 10_000)) {
      assertCode(
          () -> Tables.insert(table, LayoutIndex.none(), work, randomBatches(new Random(9), 2)),
          ErrorCode.MEMORY_LIMIT_EXCEEDED);
      assertThat(work.openReservations()).isZero();
    }
  }

  static Batch sorted(long first, int rows) {
    long[] keys = new long[rows];
    for (int i = 0; i < rows; i++) {
      keys[i] = first + i;
    }
    return batch(keys);
  }

  static Batch batch(long[] keys) {
    return batch(keys, keys);
  }

  static Batch batch(long[] keys, long[] values) {
    return new Batch(
        SCHEMA,
        List.of(
            new LongColumn(DataType.BIGINT, keys, null),
            new LongColumn(DataType.BIGINT, values, null)),
        keys.length);
  }

  private static List<Batch> randomBatches(Random random, int count) {
    List<Batch> batches = new ArrayList<>();
    for (int b = 0; b < count; b++) {
      batches.add(batch(random.longs(8192).toArray(), random.longs(8192).toArray()));
    }
    return batches;
  }

  static void assertCode(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(VarveException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
