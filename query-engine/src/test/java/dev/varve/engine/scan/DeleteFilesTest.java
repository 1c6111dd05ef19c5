package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ArithmeticExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.parquet.RowRanges;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.IcebergFiles;
import dev.varve.engine.testing.IcebergFiles.Place;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows that delete files take away, and what that must not do to the rest. */
class DeleteFilesTest {
  private static final PartitionSpec WHOLE = PartitionSpec.unpartitioned();

  private final ScanServices services = ScanServices.create();
  private final InMemoryCatalog catalog = new InMemoryCatalog();

  @BeforeEach
  void openCatalog() {
    catalog.initialize("lake", Map.of());
    catalog.createNamespace(Namespace.of("s"));
  }

  @AfterEach
  void closeCatalog() throws IOException {
    catalog.close();
  }

  private Table create(int version, Types.NestedField... columns) {
    return catalog
        .buildTable(TableIdentifier.of("s", "t"), new Schema(columns))
        .withProperty("format-version", Integer.toString(version))
        .create();
  }

  private static Types.NestedField column(int id, String name, org.apache.iceberg.types.Type type) {
    return Types.NestedField.optional(id, name, type);
  }

  private static DataFile append(
      Table table, List<? extends List<? extends @Nullable Object>> rows) {
    DataFile file = new IcebergFiles(table).data(rows);
    table.newAppend().appendFile(file).commit();
    return file;
  }

  private static void deleteEqual(
      Table table, List<String> columns, List<? extends List<? extends @Nullable Object>> values) {
    table
        .newRowDelta()
        .addDeletes(new IcebergFiles(table).equality(WHOLE, null, columns, values))
        .commit();
  }

  private IcebergTableSource source(Table table) {
    return source(table, LayoutIndex.none());
  }

  private IcebergTableSource source(Table table, LayoutIndex index) {
    table.refresh();
    return new IcebergTableSource(
        table,
        table.currentSnapshot().snapshotId(),
        index,
        new ObjectName("lake", "s", "t"),
        services);
  }

  private static PhysicalPlan scan(IcebergTableSource source, String... columns) {
    return source.scan(
        new ScanRequest(
            Arrays.stream(columns).map(c -> source.schema().indexOf(c)).toList(),
            Settings.DEFAULTS));
  }

  private List<List<@Nullable Object>> rows(Table table, String... columns) {
    return PlanRunner.rows(scan(source(table), columns), Settings.DEFAULTS);
  }

  private static List<@Nullable Object> row(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  @Test
  void theOrderOfKeyColumnsInADeleteFileDoesNotMatter() {
    Table table =
        create(
            2,
            column(1, "id", Types.LongType.get()),
            column(2, "part", Types.LongType.get()),
            column(3, "payload", Types.StringType.get()));
    append(table, List.of(row(1L, 2L, "kept"), row(2L, 1L, "gone"), row(2L, 2L, "kept")));
    deleteEqual(table, List.of("part", "id"), List.of(row(1L, 2L)));
    assertThat(rows(table, "payload")).containsExactly(row("kept"), row("kept"));
  }

  @Test
  void aFilterOnOtherColumnsResurrectsNoRow() {
    Table table =
        create(
            2, column(1, "id", Types.LongType.get()), column(2, "void", Types.BooleanType.get()));
    append(table, IntStream.rangeClosed(20, 24).mapToObj(i -> row((long) i, i % 2 == 0)).toList());
    deleteEqual(table, List.of("id"), List.of(row(21L), row(22L)));
    IcebergTableSource source = source(table);
    PhysicalPlan plan = scan(source, "id").handleChildPushdownResult(List.of(), List.of()).plan();
    assertThat(PlanRunner.rows(plan, Settings.DEFAULTS))
        .containsExactly(row(20L), row(23L), row(24L));
    PhysicalPlan both = scan(source, "id", "void");
    PhysicalPlan filtered =
        both.handleChildPushdownResult(
                List.of(new NotExpr(ColumnExpr.of(both.schema(), 1))), List.of())
            .plan();
    assertThat(PlanRunner.rows(filtered, Settings.DEFAULTS)).containsExactly(row(23L, false));
  }

  @Test
  void manyEqualityDeletesLoseNoOtherRow() {
    Table table =
        create(2, column(1, "id", Types.LongType.get()), column(2, "v", Types.StringType.get()));
    int rows = 50_000;
    append(table, LongStream.range(0, rows).mapToObj(i -> row(i, "v" + i)).toList());
    List<List<@Nullable Object>> deleted =
        LongStream.range(0, rows).filter(i -> i % 10_000 != 7).mapToObj(i -> row(i)).toList();
    assertThat(deleted).hasSize(49_995);
    deleteEqual(table, List.of("id"), deleted.subList(0, 30_000));
    deleteEqual(table, List.of("id"), deleted.subList(30_000, deleted.size()));
    assertThat(rows(table, "v"))
        .containsExactly(row("v7"), row("v10007"), row("v20007"), row("v30007"), row("v40007"));
  }

  @Test
  void keysAreFoundByFieldIdThroughDropReAddRenameAndSwap() {
    Table table =
        create(
            2,
            column(1, "a", Types.LongType.get()),
            column(2, "b", Types.LongType.get()),
            column(3, "v", Types.StringType.get()));
    append(table, List.of(row(1L, 9L, "by a"), row(9L, 1L, "by b"), row(3L, 3L, "kept")));
    deleteEqual(table, List.of("a"), List.of(row(1L)));
    table.updateSchema().renameColumn("a", "x").commit();
    table.updateSchema().renameColumn("b", "a").commit();
    table.updateSchema().renameColumn("x", "b").commit();
    assertThat(rows(table, "v")).containsExactly(row("by b"), row("kept"));
    deleteEqual(table, List.of("a"), List.of(row(1L)));
    assertThat(rows(table, "v")).containsExactly(row("kept"));
    // What is deleted by a column stays so when the column is dropped and its name given anew.
    table.updateSchema().deleteColumn("a").deleteColumn("b").commit();
    table.updateSchema().addColumn("a", Types.LongType.get()).commit();
    assertThat(rows(table, "a", "v")).containsExactly(row(null, "kept"));
    append(table, List.of(row("new", 1L)));
    assertThat(rows(table, "a", "v")).containsExactlyInAnyOrder(row(null, "kept"), row(1L, "new"));
    deleteEqual(table, List.of("a"), List.of(row((Object) null)));
    assertThat(rows(table, "v")).containsExactly(row("new"));
  }

  @Test
  void deletesApplyToOlderFilesOnly() {
    Table table = create(2, column(1, "k", Types.LongType.get()));
    append(table, List.of(row(1L), row(2L)));
    deleteEqual(table, List.of("k"), List.of(row(1L)));
    append(table, List.of(row(1L)));
    assertThat(rows(table, "k")).containsExactlyInAnyOrder(row(2L), row(1L));
    // A file and the delete of one commit do not meet.
    IcebergFiles files = new IcebergFiles(table);
    table
        .newRowDelta()
        .addRows(files.data(List.of(row(2L))))
        .addDeletes(files.equality(WHOLE, null, List.of("k"), List.of(row(2L))))
        .commit();
    assertThat(rows(table, "k")).containsExactlyInAnyOrder(row(1L), row(2L));
  }

  @Test
  void nullsAndNansAreEqualToThemselves() {
    Table table =
        create(2, column(1, "d", Types.DoubleType.get()), column(2, "s", Types.StringType.get()));
    append(
        table,
        List.of(
            row(null, "a"), row(null, null), row(Double.NaN, "a"), row(1.0, "a"), row(2.0, "")));
    deleteEqual(
        table, List.of("d", "s"), List.of(row(null, null), row(Double.NaN, "a"), row(2.0, "")));
    assertThat(rows(table, "d", "s")).containsExactly(row(null, "a"), row(1.0, "a"));
  }

  @Test
  void aFilterThatCanFailDoesNotSeeDeletedRows() {
    Table table = create(2, column(1, "k", Types.IntegerType.get()));
    append(table, List.of(row(0), row(1), row(2)));
    deleteEqual(table, List.of("k"), List.of(row(0)));
    IcebergTableSource source = source(table);
    ColumnExpr k = ColumnExpr.of(source.schema(), 0);
    PhysicalExpr quotient =
        new ArithmeticExpr(ArithmeticOp.DIVIDE, new LiteralExpr(2, k.type()), k, k.type());
    PhysicalExpr filter =
        new ComparisonExpr(ComparisonOp.EQ, quotient, new LiteralExpr(2, k.type()));
    PhysicalPlan plan =
        scan(source, "k").handleChildPushdownResult(List.of(filter), List.of()).plan();
    assertThat(plan.toString()).contains("filters=");
    assertThat(PlanRunner.rows(plan, Settings.DEFAULTS)).containsExactly(row(1));
  }

  private static Table vectorTable(DeleteFilesTest test, int rows, List<Long> deleted) {
    Table table = test.create(3, column(1, "k", Types.LongType.get()));
    DataFile file = append(table, LongStream.range(0, rows).mapToObj(i -> row(i)).toList());
    List<Place> places = deleted.stream().map(at -> new Place(file.location(), at)).toList();
    var result = new IcebergFiles(table).vectors(places, Map.of(file.location(), file), Map.of());
    var delta = table.newRowDelta();
    result.deleteFiles().forEach(delta::addDeletes);
    delta.commit();
    return table;
  }

  @Test
  void aDeletionVectorTakesRowsAwayAndSkipsPagesOfThem() {
    List<Long> deleted =
        LongStream.concat(LongStream.range(3_000, 60_000), LongStream.of(1, 99_999))
            .boxed()
            .toList();
    Table table = vectorTable(this, 100_000, deleted);
    PhysicalPlan plan = scan(source(table), "k");
    List<List<@Nullable Object>> rows = PlanRunner.rows(plan, Settings.DEFAULTS);
    assertThat(rows).hasSize(100_000 - deleted.size());
    assertThat(rows).doesNotContain(row(1L), row(3_000L), row(59_999L), row(99_999L));
    assertThat(rows).contains(row(0L), row(2_999L), row(60_000L), row(99_998L));
    assertThat(plan.metrics().snapshot()).containsEntry("rows_deleted", (long) deleted.size());
  }

  @Test
  void explainNamesTheDeletesAndCountsAreNotExact() {
    Table table = vectorTable(this, 100, List.of(5L));
    deleteEqual(table, List.of("k"), List.of(row(7L)));
    IcebergTableSource source = source(table);
    PhysicalPlan plan = scan(source, "k");
    assertThat(plan.toString()).contains("deletes=[1 deletion vector, 1 equality file]");
    assertThat(plan.statistics().rowCount().isExact()).isFalse();
    assertThat(plan.statistics().rowCount().known()).hasValue(99L);
    assertThat(plan.statistics().columns().getFirst().min().isExact()).isFalse();
    assertThat(source.statistics().rowCount().isExact()).isFalse();
    assertThat(PlanRunner.rows(scan(source), Settings.DEFAULTS)).hasSize(98);
    Table clean = catalog.createTable(TableIdentifier.of("s", "clean"), table.schema());
    append(clean, List.of(row(1L)));
    assertThat(scan(source(clean), "k").statistics().rowCount().isExact()).isTrue();
    assertThat(scan(source(clean), "k").toString()).doesNotContain("deletes=");
  }

  @Test
  void aDamagedDeletionVectorIsAnErrorThatNamesIt() throws IOException {
    Table table = vectorTable(this, 100, List.of(5L, 6L));
    DeleteFile vector = table.currentSnapshot().addedDeleteFiles(table.io()).iterator().next();
    byte[] bytes;
    try (var in = table.io().newInputFile(vector.location()).newStream()) {
      bytes = in.readAllBytes();
    }
    bytes[(int) (vector.contentOffset() + vector.contentSizeInBytes() - 1)] ^= 1;
    table.io().deleteFile(vector.location());
    try (PositionOutputStream out = table.io().newOutputFile(vector.location()).create()) {
      out.write(bytes);
    }
    assertThatThrownBy(() -> rows(table, "k"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT))
        .hasMessageContaining(vector.location())
        .hasMessageContaining("CRC");
  }

  @Test
  void deletesThatDoNotFitIntoMemoryAreAnError() {
    Table table = create(2, column(1, "id", Types.LongType.get()));
    append(table, LongStream.range(0, 60_000).mapToObj(i -> row(i)).toList());
    deleteEqual(table, List.of("id"), LongStream.range(0, 50_000).mapToObj(i -> row(i)).toList());
    MemoryPool pool = MemoryPools.greedy(700_000);
    TaskContext task = PlanRunner.task(Settings.DEFAULTS, pool);
    try (BatchStream stream = scan(source(table), "id").execute(0, task)) {
      assertThatThrownBy(stream::next)
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED))
          .hasMessageContaining("deletes of lake.s.t");
    }
    task.query().close();
    assertThat(pool.reserved()).isZero();
  }

  @Test
  void allThatDeletesHoldIsGivenBack() {
    Table table = vectorTable(this, 1_000, List.of(5L));
    deleteEqual(table, List.of("k"), List.of(row(7L)));
    MemoryPool pool = MemoryPools.greedy(Long.MAX_VALUE);
    TaskContext task = PlanRunner.task(Settings.DEFAULTS, pool);
    try (BatchStream stream = scan(source(table), "k").execute(0, task)) {
      long rows = 0;
      for (var batch = stream.next(); batch != null; batch = stream.next()) {
        rows += batch.rowCount();
      }
      assertThat(rows).isEqualTo(998);
    }
    task.query().close();
    assertThat(pool.peak()).isPositive();
    assertThat(pool.reserved()).isZero();
  }

  @Test
  void deletesOfAnotherFormatAndOfColumnsWeCannotCompareAreRefused() {
    Table table =
        create(
            3,
            column(1, "t", Types.TimestampNanoType.withoutZone()),
            column(2, "k", Types.LongType.get()));
    append(table, List.of(row(null, 1L)));
    deleteEqual(table, List.of("t"), List.of(row((Object) null)));
    assertThatThrownBy(() -> rows(table, "k"))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FEATURE_NOT_SUPPORTED))
        .hasMessageContaining("column 't'");
    Table other =
        catalog.createTable(
            TableIdentifier.of("s", "other"),
            new Schema(column(1, "a", Types.LongType.get()), column(2, "k", Types.LongType.get())));
    append(other, List.of(row(null, 1L)));
    other
        .newRowDelta()
        .addDeletes(
            FileMetadata.deleteFileBuilder(WHOLE)
                .ofEqualityDeletes(2)
                .withPath(other.location() + "/d.avro")
                .withFormat("avro")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build())
        .commit();
    assertThatThrownBy(() -> rows(other, "k"))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FEATURE_NOT_SUPPORTED))
        .hasMessageContaining("d.avro");
  }

  /** An index that knows the data files, and perhaps one that the snapshot does not have. */
  private static LayoutIndex index(List<FileFacts> files) {
    return new LayoutIndex() {
      @Override
      public LayoutAnswer plan(LayoutQuery query) {
        return new LayoutAnswer.Complete(query.snapshotId(), files, files.size(), 0, 0);
      }

      @Override
      public void stage(String tableUuid, List<FileFacts> staged) {
        throw new IllegalStateException("nothing is written here");
      }
    };
  }

  @Test
  void filesOfTheIndexAreJoinedWithTheDeletesOfTheManifests() {
    Table table = vectorTable(this, 10, List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L));
    List<FileFacts> files = source(table).files();
    IcebergTableSource indexed = source(table, index(files));
    assertThat(PlanRunner.rows(scan(indexed, "k"), Settings.DEFAULTS))
        .containsExactly(row(8L), row(9L));
    assertThat(indexed.files()).isEqualTo(files);
    // Read by a list of files, as compaction does, without asking for all of them.
    IcebergTableSource lent = source(table, index(files));
    assertThat(PlanRunner.rows(lent.read(files, List.of(), Settings.DEFAULTS), Settings.DEFAULTS))
        .containsExactly(row(8L), row(9L));
    FileFacts file = files.getFirst();
    List<FileFacts> wrong = new ArrayList<>(files);
    wrong.add(
        new FileFacts(
            "elsewhere/" + file.path(),
            file.sizeBytes(),
            file.recordCount(),
            file.specId(),
            file.schemaId(),
            Map.of(),
            List.of(),
            List.of()));
    assertThat(source(table, index(wrong)).files()).isEqualTo(files);
  }

  @Test
  void inSmallBatchesTheSameRowsAreGone() {
    Table table =
        vectorTable(
            this, 1_000, LongStream.range(0, 1_000).filter(i -> i % 3 != 0).boxed().toList());
    Settings small = Settings.DEFAULTS.with(EngineSettings.BATCH_SIZE, 5);
    IcebergTableSource source = source(table);
    PhysicalPlan plan = source.scan(new ScanRequest(List.of(0), small));
    assertThat(PlanRunner.rows(plan, small)).hasSize(334).startsWith(row(0L), row(3L));
    PhysicalPlan limited = plan.withFetch(7).orElseThrow();
    assertThat(PlanRunner.rows(limited, small)).hasSize(7).endsWith(row(18L));
  }

  @Test
  void aPositionBehindTheEndOfItsFileDeletesNothing() {
    Table table = create(2, column(1, "k", Types.LongType.get()));
    DataFile file = append(table, List.of(row(1L), row(2L)));
    table
        .newRowDelta()
        .addDeletes(
            new IcebergFiles(table)
                .positions(
                    WHOLE,
                    null,
                    List.of(
                        new Place("another.parquet", 1),
                        new Place(file.location(), 0),
                        new Place(file.location(), 64))))
        .commit();
    assertThat(rows(table, "k")).containsExactly(row(2L));
  }

  @Test
  void deletedRowsLeaveLongRunsOut() {
    DeletedRows rows = new DeletedRows(10_000);
    LongStream.range(100, 200).forEach(rows::delete);
    LongStream.range(3_000, 5_000).forEach(rows::delete);
    LongStream.range(9_000, 10_000).forEach(rows::delete);
    assertThat(rows.without(RowRanges.all(9_000), 0).ranges())
        .extracting(r -> r.from() + "-" + r.to())
        .containsExactly("0-3000", "5000-9000");
    assertThat(rows.without(RowRanges.all(1_000), 9_000).isEmpty()).isTrue();
    assertThat(rows.without(RowRanges.all(1_000), 4_500).ranges())
        .extracting(r -> r.from() + "-" + r.to())
        .containsExactly("0-1000");
    int[] selection = new int[10];
    assertThat(rows.select(95, 10, selection)).isEqualTo(5);
    assertThat(selection).startsWith(0, 1, 2, 3, 4);
  }
}
