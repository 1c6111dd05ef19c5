package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.IcebergFiles;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.engine.testing.SharedData;
import dev.varve.engine.type.DataType;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class IcebergTableSourceTest {
  private static final ObjectName NAME = new ObjectName("lake", "s", "t");

  private final ScanServices services = ScanServices.create();

  @TempDir Path folder;

  private IcebergTableSource source(Table table) {
    Snapshot snapshot = table.currentSnapshot();
    return new IcebergTableSource(
        table,
        snapshot == null ? IcebergTableSource.NO_SNAPSHOT : snapshot.snapshotId(),
        LayoutIndex.none(),
        NAME,
        services);
  }

  private List<List<@Nullable Object>> rows(Table table, PhysicalExpr... filters) {
    return rows(source(table), filters);
  }

  private static List<List<@Nullable Object>> rows(
      IcebergTableSource source, PhysicalExpr... filters) {
    List<Integer> all =
        IntStream.range(0, source.schema().size())
            .filter(i -> source.schema().type(i) != DataType.NULL)
            .boxed()
            .toList();
    PhysicalPlan scan = source.scan(new ScanRequest(all, Settings.DEFAULTS));
    PhysicalPlan filtered = scan.handleChildPushdownResult(List.of(filters), List.of()).plan();
    return PlanRunner.rows(filtered, Settings.DEFAULTS);
  }

  private Table create(Schema schema, PartitionSpec spec, SortOrder order) {
    return new HadoopTables(new Configuration())
        .create(schema, spec, order, Map.of("format-version", "2"), folder.resolve("t").toString());
  }

  private void append(Table table, String name, String schema, List<? extends List<?>> rows) {
    Path path = folder.resolve(name);
    ParquetFile.of(schema).write(path, rows);
    table.newAppend().appendFile(dataFile(path, rows.size())).commit();
  }

  private static DataFile dataFile(Path path, int rows) {
    try {
      return DataFiles.builder(PartitionSpec.unpartitioned())
          .withPath(path.toString())
          .withFormat("parquet")
          .withFileSizeInBytes(Files.size(path))
          .withRecordCount(rows)
          .build();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ComparisonExpr compare(
      IcebergTableSource source, String column, ComparisonOp op, Object value) {
    ColumnExpr expr = column(source, column);
    return new ComparisonExpr(op, expr, new LiteralExpr(value, expr.type()));
  }

  private static ColumnExpr column(IcebergTableSource source, String column) {
    return ColumnExpr.of(source.schema(), source.schema().indexOf(column));
  }

  @Test
  void aTableWithoutSnapshotIsEmpty() {
    Table table =
        create(
            new Schema(Types.NestedField.optional(1, "k", Types.LongType.get())),
            PartitionSpec.unpartitioned(),
            SortOrder.unsorted());
    IcebergTableSource source = source(table);
    assertThat(source.files()).isEmpty();
    assertThat(rows(table)).isEmpty();
    assertThat(source.statistics().rowCount().known()).hasValue(0L);
  }

  @Test
  void columnsAreFoundByIdThroughRenameDropAndReAdd() {
    Table table =
        create(
            new Schema(
                Types.NestedField.optional(1, "a", Types.IntegerType.get()),
                Types.NestedField.optional(2, "b", Types.StringType.get())),
            PartitionSpec.unpartitioned(),
            SortOrder.unsorted());
    append(
        table,
        "f1.parquet",
        "message m { optional int32 a = 1; optional binary b (STRING) = 2; }",
        List.of(List.of(1, "one"), List.of(2, "two")));
    table.updateSchema().renameColumn("a", "c").deleteColumn("b").commit();
    table.updateSchema().addColumn("b", Types.StringType.get()).commit();
    assertThat(source(table).schema().fields()).extracting("name").containsExactly("c", "b");
    assertThat(rows(table)).containsExactly(row(1, null), row(2, null));
  }

  private static List<@Nullable Object> row(@Nullable Object... values) {
    return java.util.Arrays.asList(values);
  }

  @Test
  void promotedColumnsReadAndPruneOldFiles() {
    Table table =
        create(
            new Schema(
                Types.NestedField.optional(1, "x", Types.IntegerType.get()),
                Types.NestedField.optional(2, "f", Types.FloatType.get()),
                Types.NestedField.optional(3, "d", Types.DecimalType.of(9, 2))),
            PartitionSpec.unpartitioned(),
            SortOrder.unsorted());
    append(
        table,
        "f1.parquet",
        "message m { optional int32 x = 1; optional float f = 2;"
            + " optional int32 d (DECIMAL(9,2)) = 3; }",
        List.of(List.of(1, 1f, 100), List.of(2, 2f, 200), List.of(3, 3f, 300)));
    table
        .updateSchema()
        .updateColumn("x", Types.LongType.get())
        .updateColumn("f", Types.DoubleType.get())
        .updateColumn("d", Types.DecimalType.of(20, 2))
        .commit();
    append(
        table,
        "f2.parquet",
        "message m { optional int64 x = 1; optional double f = 2;"
            + " optional fixed_len_byte_array(9) d (DECIMAL(20,2)) = 3; }",
        List.of(List.of(5_000_000_000L, 9.0, new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 0})));
    IcebergTableSource source = source(table);
    assertThat(rows(table)).hasSize(4);
    assertThat(rows(table, compare(source, "x", ComparisonOp.LT, 3L))).hasSize(2);
    assertThat(rows(table, compare(source, "x", ComparisonOp.GT, 4L))).hasSize(1);
    assertThat(rows(table, compare(source, "f", ComparisonOp.GE, 3.0))).hasSize(2);
    assertThat(rows(table, compare(source, "d", ComparisonOp.EQ, new java.math.BigDecimal("2.00"))))
        .hasSize(1);
  }

  @Test
  void aColumnThatAFileLacksComesFromItsPartition() {
    Schema schema =
        new Schema(
            Types.NestedField.optional(1, "k", Types.LongType.get()),
            Types.NestedField.optional(2, "p", Types.StringType.get()));
    PartitionSpec spec = PartitionSpec.builderFor(schema).identity("p").build();
    Table table = create(schema, spec, SortOrder.unsorted());
    Path path = folder.resolve("part.parquet");
    ParquetFile.of("message m { optional int64 k = 1; }").write(path, List.of(List.of(7L)));
    table
        .newAppend()
        .appendFile(
            DataFiles.builder(spec).copy(dataFile(path, 1)).withPartitionPath("p=north").build())
        .commit();
    IcebergTableSource source = source(table);
    assertThat(rows(table)).containsExactly(row(7L, "north"));
    assertThat(rows(table, compare(source, "p", ComparisonOp.EQ, "north"))).hasSize(1);
    assertThat(rows(table, compare(source, "p", ComparisonOp.NE, "north"))).isEmpty();
  }

  @Test
  void aSortOrderThatAManifestNamesIsAssertedOnly() {
    Schema schema = new Schema(Types.NestedField.optional(1, "k", Types.LongType.get()));
    Table table =
        create(
            schema, PartitionSpec.unpartitioned(), SortOrder.builderFor(schema).asc("k").build());
    Path path = folder.resolve("sorted.parquet");
    ParquetFile.of("message m { optional int64 k = 1; }")
        .write(path, List.of(List.of(1L), List.of(2L)));
    table
        .newAppend()
        .appendFile(
            DataFiles.builder(PartitionSpec.unpartitioned())
                .copy(dataFile(path, 2))
                .withSortOrder(table.sortOrder())
                .build())
        .commit();
    assertThat(source(table).files().getFirst().orderings())
        .singleElement()
        .satisfies(f -> assertThat(f.trust()).isEqualTo(dev.varve.layout.Trust.ASSERTED));
  }

  /** Tables of another writer; paths in their metadata begin with {@code data/persistent}. */
  private record Moved(Path root) implements FileIO {
    private static final String PREFIX = "data/persistent/";

    private String local(String location) {
      int at = location.indexOf(PREFIX);
      return at < 0 ? location : root.resolve(location.substring(at + PREFIX.length())).toString();
    }

    @Override
    public InputFile newInputFile(String location) {
      return new LocalFileIO().newInputFile(local(location));
    }

    @Override
    public InputFile newInputFile(String location, long length) {
      return newInputFile(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
      throw new IllegalStateException("read only");
    }

    @Override
    public void deleteFile(String location) {
      throw new IllegalStateException("read only");
    }
  }

  private static Map<String, Path> newestMetadata(Path root) throws IOException {
    Map<String, Path> newest = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      files
          .filter(f -> f.toString().endsWith(".metadata.json"))
          .sorted(Comparator.naturalOrder())
          .forEach(f -> newest.put(root.relativize(f.resolve("../..").normalize()).toString(), f));
    }
    return newest;
  }

  @TestFactory
  Stream<DynamicTest> foreignTablesGiveTheRowsThatIcebergReads() throws IOException {
    Path root = SharedData.folder("iceberg-tables").orElse(null);
    if (root == null) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "skipped",
              () -> abort("iceberg-tables is not here: set -Dvarve.sharedData to its parent")));
    }
    return newestMetadata(root).entrySet().stream()
        .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> foreign(root, e.getValue())));
  }

  private void foreign(Path root, Path metadata) {
    Moved io = new Moved(root);
    Table table;
    try {
      table = new BaseTable(new StaticTableOperations(metadata.toString(), io), "foreign");
      table.currentSnapshot();
    } catch (IllegalArgumentException e) {
      abort("Iceberg's own library does not read this metadata: " + e.getMessage());
      return;
    }
    List<String> columns =
        source(table).schema().fields().stream()
            .filter(f -> f.type() != DataType.NULL)
            .map(f -> f.name())
            .toList();
    List<String> expected = IcebergFiles.rows(table, table.currentSnapshot().snapshotId(), columns);
    List<String> rows = new ArrayList<>(rows(table).stream().map(IcebergFiles::text).toList());
    rows.sort(null);
    assertThat(rows).isEqualTo(expected);
  }

  @Test
  void initialDefaultsStandForColumnsThatAFileLacks() throws IOException {
    Path root = SharedData.folder("iceberg-tables").orElse(null);
    if (root == null) {
      abort("iceberg-tables is not here: set -Dvarve.sharedData to its parent");
      return;
    }
    Path metadata =
        newestMetadata(root).get("add_columns_with_defaults/default.db/add_columns_with_defaults");
    Table table =
        new BaseTable(
            new StaticTableOperations(String.valueOf(metadata), new Moved(root)), "defaults");
    IcebergTableSource source = source(table);
    List<List<@Nullable Object>> all = rows(table);
    long defaulted = all.stream().filter(r -> Integer.valueOf(342342).equals(r.get(2))).count();
    assertThat(defaulted).isPositive();
    assertThat(rows(table, compare(source, "col_integer", ComparisonOp.EQ, 342342)))
        .hasSize((int) defaulted);
    assertThat(rows(table, compare(source, "col_string", ComparisonOp.EQ, "HELLO")))
        .hasSize((int) all.stream().filter(r -> "HELLO".equals(r.get(11))).count());
    assertThat(rows(table, new IsNullExpr(column(source, "col_integer"), false)))
        .hasSize((int) all.stream().filter(r -> r.get(2) == null).count());
  }

  @Test
  void filtersOfferedToAScanAreTakenExactly() {
    Table table =
        create(
            new Schema(Types.NestedField.optional(1, "k", Types.LongType.get())),
            PartitionSpec.unpartitioned(),
            SortOrder.unsorted());
    append(
        table,
        "f1.parquet",
        "message m { optional int64 k = 1; }",
        List.of(List.of(1L), List.of(2L)));
    IcebergTableSource source = source(table);
    PhysicalPlan scan = source.scan(new ScanRequest(List.of(0), Settings.DEFAULTS));
    FilterPushdown.Result result =
        scan.handleChildPushdownResult(
            List.of(compare(source, "k", ComparisonOp.GT, 1L)), List.of());
    assertThat(result.parentFilters()).containsExactly(FilterPushdown.Outcome.EXACT);
    assertThat(PlanRunner.rows(result.plan(), Settings.DEFAULTS)).containsExactly(row(2L));
  }
}
