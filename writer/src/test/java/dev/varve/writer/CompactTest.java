package dev.varve.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.writer.compact.CompactProcedure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompactTest {
  private final InMemoryCatalog catalog = Tables.catalog();
  private final Tables.StagingIndex index = new Tables.StagingIndex();

  @Test
  void overlappingSortedFilesAreMergedIntoOneVerifiedFile() throws Exception {
    Table table = ordered();
    for (int f = 0; f < 5; f++) {
      insert(table, f, 1000, 5);
    }
    List<Long> before = keys(table);
    List<List<@Nullable Object>> rows = compact(table, null);
    assertThat(rows).hasSize(1);
    assertThat(rows.getFirst().subList(0, 3)).containsExactly(5L, 1L, 5000L);
    assertThat(rows.getFirst().subList(5, 8)).containsExactly(5L, 1L, true);
    assertThat((String) rows.getFirst().get(8)).contains("without a sort");
    List<DataFile> files = Tables.files(table);
    assertThat(files).hasSize(1);
    assertThat(files.getFirst().sortOrderId()).isEqualTo(table.sortOrder().orderId());
    OrderingFact fact = index.facts(files.getFirst().location()).orderings().getFirst();
    assertThat(fact.trust()).isEqualTo(Trust.VERIFIED);
    List<Long> after = keys(table);
    assertThat(after).isSorted();
    Collections.sort(before);
    assertThat(after).isEqualTo(before);
    assertThat(table.currentSnapshot().operation()).isEqualTo("replace");
    assertThat(table.currentSnapshot().summary()).containsEntry("varve.query-id", "compaction");
  }

  @Test
  void aSecondCallFindsNothingToDo() throws Exception {
    Table table = ordered();
    insert(table, 0, 100, 1);
    insert(table, 50, 100, 1);
    compact(table, null);
    Snapshot snapshot = table.currentSnapshot();
    List<List<@Nullable Object>> rows = compact(table, null);
    assertThat((String) rows.getFirst().get(8)).contains("nothing to do");
    assertThat(table.currentSnapshot()).isEqualTo(snapshot);
  }

  @Test
  void filesThatOnlyTouchDoNotOverlapAndLargeOnesStay() throws Exception {
    Table table = ordered();
    insert(table, 0, 101, 1);
    insert(table, 100, 101, 1);
    List<List<@Nullable Object>> rows = compact(table, "min_file_bytes=0");
    assertThat(rows.getFirst().get(5)).isEqualTo(1L);
    assertThat((String) rows.getFirst().get(8)).contains("nothing to do");
    assertThat(Tables.files(table)).hasSize(2);
  }

  @Test
  void smallNeighboursArePutTogetherInKeyOrder() throws Exception {
    Table table = ordered();
    insert(table, 2000, 500, 1);
    insert(table, 0, 500, 1);
    insert(table, 1000, 500, 1);
    List<List<@Nullable Object>> rows = compact(table, null);
    assertThat(rows.getFirst().subList(5, 7)).containsExactly(1L, 1L);
    assertThat(keys(table)).isSorted().hasSize(1500);
    assertThat(Tables.files(table)).hasSize(1);
  }

  @Test
  void unverifiedFilesAreLeftAloneWithAReason() throws Exception {
    Table table = ordered();
    insert(table, 0, 100, 1);
    insert(table, 50, 100, 1);
    String stranger = Tables.files(table).getFirst().location();
    FileFacts facts = index.facts(stranger);
    index.staged.put(
        stranger,
        new FileFacts(
            facts.path(),
            facts.sizeBytes(),
            facts.recordCount(),
            facts.specId(),
            facts.schemaId(),
            facts.columns(),
            facts.rowGroups(),
            List.of(
                new OrderingFact(
                    facts.orderings().getFirst().ordering(),
                    Trust.ASSERTED,
                    facts.orderings().getFirst().range()))));
    List<List<@Nullable Object>> rows = compact(table, null);
    assertThat((String) rows.getFirst().get(8))
        .contains("not verified")
        .contains(stranger.substring(stranger.lastIndexOf('/') + 1));
    assertThat(Tables.files(table)).hasSize(2);
  }

  @Test
  void smallFilesOfATableWithoutOrderAreConcatenated() throws Exception {
    Table table = Tables.create(catalog, "t", InsertTest.SCHEMA, List.of(), Map.of());
    for (int f = 0; f < 4; f++) {
      insert(table, 100 - f, 50, 1);
    }
    List<List<@Nullable Object>> rows = compact(table, null);
    assertThat(rows.getFirst().get(7)).isEqualTo(false);
    assertThat(Tables.files(table)).hasSize(1);
    assertThat(keys(table)).hasSize(200);
  }

  @Test
  void deepOverlapIsMergedInRoundsUntilNoneIsLeft() throws Exception {
    Table table = ordered();
    for (int f = 0; f < 9; f++) {
      insert(table, f, 300, 9);
    }
    compact(table, "max_merge_files=2, min_file_bytes=0");
    List<DataFile> files = Tables.files(table);
    assertThat(keys(table)).hasSize(2700);
    List<OrderingFact> facts =
        new ArrayList<>(
            files.stream().map(f -> index.facts(f.location()).orderings().getFirst()).toList());
    facts.sort(
        (a, b) -> a.range().orElseThrow().lower().compareTo(b.range().orElseThrow().lower()));
    for (int i = 1; i < facts.size(); i++) {
      assertThat(facts.get(i - 1).range().orElseThrow().upper())
          .isLessThanOrEqualTo(facts.get(i).range().orElseThrow().lower());
    }
  }

  @Test
  void aCommitOfAnotherThatTakesAFileWinsAndTheRestIsDone() throws Exception {
    Table table = ordered();
    for (int f = 0; f < 4; f++) {
      insert(table, f, 100, 4);
    }
    DataFile victim = Tables.files(table).getFirst();
    List<List<@Nullable Object>> rows;
    try (FakeProcedure context = new FakeProcedure(table, index, Long.MAX_VALUE)) {
      context.beforeRead(
          () ->
              catalog
                  .loadTable(org.apache.iceberg.catalog.TableIdentifier.of("s", "t"))
                  .newDelete()
                  .deleteFile(victim)
                  .commit());
      rows = call(context, null);
      assertThat(context.metric("compaction_conflicts")).isEqualTo(1);
      assertThat(context.openReservations()).isZero();
    }
    assertThat(rows.getFirst().subList(0, 3)).containsExactly(3L, 1L, 300L);
    assertThat(keys(table)).hasSize(300);
  }

  @Test
  void anAppendMeanwhileIsNoConflict() throws Exception {
    Table table = ordered();
    insert(table, 0, 100, 2);
    insert(table, 1, 100, 2);
    try (FakeProcedure context = new FakeProcedure(table, index, Long.MAX_VALUE)) {
      context.beforeRead(
          () -> {
            try {
              insert(
                  catalog.loadTable(org.apache.iceberg.catalog.TableIdentifier.of("s", "t")),
                  5000,
                  10,
                  1);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      call(context, null);
      assertThat(context.metric("compaction_conflicts")).isZero();
    }
    assertThat(keys(table)).hasSize(210);
  }

  @Test
  void equalityDeletesThatComeMeanwhileStillApply() throws Exception {
    Table table = ordered();
    insert(table, 0, 100, 2);
    insert(table, 1, 100, 2);
    long read = table.currentSnapshot().sequenceNumber();
    try (FakeProcedure context = new FakeProcedure(table, index, Long.MAX_VALUE)) {
      context.beforeRead(
          () -> {
            Table other =
                catalog.loadTable(org.apache.iceberg.catalog.TableIdentifier.of("s", "t"));
            DeleteFile delete =
                FileMetadata.deleteFileBuilder(other.spec())
                    .ofEqualityDeletes(1)
                    .withPath(other.location() + "/data/delete.parquet")
                    .withFormat(FileFormat.PARQUET)
                    .withFileSizeInBytes(100)
                    .withRecordCount(1)
                    .build();
            other.newRowDelta().addDeletes(delete).commit();
          });
      call(context, null);
    }
    table.refresh();
    for (DataFile file : Tables.files(table)) {
      assertThat(file.dataSequenceNumber()).isLessThanOrEqualTo(read);
    }
    try (var tasks = table.newScan().planFiles()) {
      tasks.forEach(task -> assertThat(task.deletes()).hasSize(1));
    }
  }

  @Test
  void aCancelLeavesTheTableAsItWas() throws Exception {
    Table table = ordered();
    insert(table, 0, 1000, 2);
    insert(table, 1, 1000, 2);
    Snapshot before = table.currentSnapshot();
    FailingIO io = new FailingIO(table.io(), Long.MAX_VALUE, "");
    Table watched = Tables.overriding(table, Map.of("io", () -> io));
    try (FakeProcedure context = new FakeProcedure(watched, index, Long.MAX_VALUE)) {
      context.beforeRead(() -> context.canceled = true);
      InsertTest.assertCode(() -> call(context, null), ErrorCode.QUERY_CANCELED);
      assertThat(context.openReservations()).isZero();
      assertThat(io.existing).isEmpty();
    }
    table.refresh();
    assertThat(table.currentSnapshot()).isEqualTo(before);
  }

  @Test
  void runsInLittleMemoryBySealingRowGroupsEarly() throws Exception {
    Table table = ordered();
    Random random = new Random(8);
    for (int f = 0; f < 4; f++) {
      long[] keys = random.longs(100_000).sorted().toArray();
      List<Batch> batches = new ArrayList<>();
      for (int from = 0; from < keys.length; from += 5000) {
        batches.add(
            InsertTest.batch(
                Arrays.copyOfRange(keys, from, from + 5000), random.longs(5000).toArray()));
      }
      try (FakeWork work = FakeWork.of(2)) {
        Tables.insert(table, index, work, batches);
      }
    }
    long limit = 3_000_000;
    try (FakeProcedure context = new FakeProcedure(table, index, limit)) {
      call(context, null);
      assertThat(context.metric("row_groups_sealed_early")).isPositive();
      assertThat(context.peak()).isLessThanOrEqualTo(limit);
      assertThat(context.reserved()).isZero();
    }
    assertThat(keys(table)).isSorted().hasSize(400_000);
  }

  @Test
  void wrongOptionsAreNamed() throws Exception {
    Table table = ordered();
    insert(table, 0, 10, 1);
    InsertTest.assertCode(() -> compact(table, "min_file_byte=1"), ErrorCode.INVALID_PARAMETER);
    InsertTest.assertCode(() -> compact(table, "min_file_bytes"), ErrorCode.INVALID_PARAMETER);
    InsertTest.assertCode(() -> compact(table, "max_merge_files=1"), ErrorCode.INVALID_PARAMETER);
  }

  @Test
  void anEmptyTableHasNothingToCompact() throws Exception {
    assertThat((String) compact(ordered(), null).getFirst().get(8)).contains("no rows");
  }

  private Table ordered() {
    return Tables.create(catalog, "t", InsertTest.SCHEMA, List.of("k"), Map.of());
  }

  private void insert(Table table, long first, int rows, int step) throws Exception {
    long[] keys = new long[rows];
    for (int i = 0; i < rows; i++) {
      keys[i] = first + (long) i * step;
    }
    try (FakeWork work = FakeWork.of(2)) {
      Tables.insert(table, index, work, List.of(InsertTest.batch(keys)));
    }
  }

  private List<List<@Nullable Object>> compact(Table table, @Nullable String options)
      throws Exception {
    try (FakeProcedure context = new FakeProcedure(table, index, Long.MAX_VALUE)) {
      return call(context, options);
    }
  }

  private static List<List<@Nullable Object>> call(
      FakeProcedure context, @Nullable String options) {
    Batch batch = new CompactProcedure().call(Arrays.asList("t", options), context);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int c = 0; c < batch.schema().size(); c++) {
        values.add(batch.column(c).value(row));
      }
      rows.add(values);
    }
    return rows;
  }

  /** The keys of all files, in the order of the files' key ranges. */
  private List<Long> keys(Table table) throws Exception {
    List<List<Long>> files = new ArrayList<>();
    for (DataFile file : Tables.files(table)) {
      files.add(FileReader.read(table, file.location()).stream().map(row -> row[0]).toList());
    }
    files.sort((a, b) -> Long.compare(a.getFirst(), b.getFirst()));
    List<Long> keys = new ArrayList<>();
    files.forEach(keys::addAll);
    return keys;
  }
}
