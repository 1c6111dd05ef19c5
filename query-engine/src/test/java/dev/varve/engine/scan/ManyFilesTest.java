package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.properties.Interval;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.engine.type.DataType;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.TableSummary;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table of so many files that facts of the wanted ones alone are asked for. Of its 3,000 files of
 * 100 keys each only those that tests read are there.
 */
class ManyFilesTest {
  private static final int FILES = 3_000;
  private static final int ROWS = 100;
  private static final TableOrdering K =
      new TableOrdering(List.of(new OrderingField(1, SortDirection.ASC, NullOrder.NULLS_LAST)));
  private static final LexOrdering BY_K =
      LexOrdering.of(new SortExpr(new ColumnExpr(0, "k", DataType.BIGINT, true), SortOptions.ASC));

  @TempDir Path folder;

  private Table table;
  private final RecordingIndex index = new RecordingIndex();

  /** An index that knows all files and remembers what it was asked. */
  private static final class RecordingIndex implements LayoutIndex {
    private final List<FileFacts> files = new ArrayList<>();
    private final List<List<ColumnRange>> asked = new ArrayList<>();
    private boolean forgetful;

    @Override
    public LayoutAnswer plan(LayoutQuery query) {
      asked.add(query.ranges());
      if (forgetful) {
        return new LayoutAnswer.NotIndexed(query.snapshotId(), "forgotten");
      }
      List<FileFacts> kept =
          files.stream().filter(f -> query.ranges().stream().allMatch(r -> meets(f, r))).toList();
      return new LayoutAnswer.Complete(
          query.snapshotId(), kept, files.size(), (long) files.size() * ROWS, 0);
    }

    private static boolean meets(FileFacts file, ColumnRange range) {
      ColumnFacts column = file.column(range.fieldId());
      return column.lower() instanceof Bound.Exact(EncodedKey lower)
          && column.upper() instanceof Bound.Exact(EncodedKey upper)
          && range.meets(Optional.of(lower), Optional.of(upper));
    }

    @Override
    public Optional<TableSummary> summary(String tableUuid, long snapshotId) {
      List<FileFacts> sample =
          IntStream.range(0, 100).mapToObj(i -> files.get(i * (files.size() / 100))).toList();
      return Optional.of(
          new TableSummary(snapshotId, files.size(), (long) files.size() * ROWS, 0, sample));
    }

    @Override
    public void stage(String tableUuid, List<FileFacts> staged) {}
  }

  @BeforeEach
  void createTable() throws IOException {
    table =
        new HadoopTables(new Configuration())
            .create(
                new Schema(Types.NestedField.optional(1, "k", Types.LongType.get())),
                PartitionSpec.unpartitioned(),
                Map.of("format-version", "2"),
                folder.resolve("t").toString());
    var append = table.newAppend();
    for (int f = 0; f < FILES; f++) {
      Path path = folder.resolve(f + ".parquet");
      long size = f < 5 ? write(path, (long) f * ROWS) : 1000;
      // An order is not known of the files in the middle.
      index.files.add(facts(path, size, f, f < 10));
      append.appendFile(
          DataFiles.builder(PartitionSpec.unpartitioned())
              .withPath(path.toString())
              .withFormat("parquet")
              .withFileSizeInBytes(size)
              .withRecordCount(ROWS)
              .build());
    }
    append.commit();
  }

  private static long write(Path path, long first) throws IOException {
    ParquetFile.of("message m { optional int64 k = 1; }")
        .write(
            path, LongStream.range(first, first + ROWS).mapToObj(k -> List.<Object>of(k)).toList());
    return Files.size(path);
  }

  private static FileFacts facts(Path path, long size, int file, boolean ordered) {
    long first = (long) file * ROWS;
    long last = first + ROWS - 1;
    KeyEncoding.Part part =
        new KeyEncoding.Part(KeyType.INTEGRAL, SortDirection.ASC, NullOrder.NULLS_LAST);
    KeyRange range =
        new KeyRange(
            KeyEncoding.encode(List.of(part), List.of(first)),
            true,
            KeyEncoding.encode(List.of(part), List.of(last)),
            true);
    ColumnFacts column =
        new ColumnFacts(
            1,
            new Bound.Exact(KeyEncoding.encodeLong(first)),
            new Bound.Exact(KeyEncoding.encodeLong(last)),
            OptionalLong.of(0),
            OptionalLong.of(0),
            OptionalLong.empty(),
            OptionalLong.of(ROWS));
    return new FileFacts(
        path.toString(),
        size,
        ROWS,
        0,
        0,
        Map.of(1, column),
        List.of(),
        ordered ? List.of(new OrderingFact(K, Trust.VERIFIED, Optional.of(range))) : List.of());
  }

  private IcebergTableSource source() {
    return new IcebergTableSource(
        table,
        table.currentSnapshot().snapshotId(),
        index,
        new ObjectName("lake", "s", "t"),
        ScanServices.create());
  }

  private static PhysicalExpr below(long value) {
    return new ComparisonExpr(
        ComparisonOp.LT,
        new ColumnExpr(0, "k", DataType.BIGINT, true),
        new LiteralExpr(value, DataType.BIGINT));
  }

  private static PhysicalPlan offered(PhysicalPlan scan, PhysicalExpr... filters) {
    return scan.handleChildPushdownResult(List.of(filters), List.of()).plan();
  }

  private static PhysicalPlan scan(IcebergTableSource source, Settings settings) {
    return source.scan(new ScanRequest(List.of(0), settings));
  }

  @Test
  void onlyFilesWithinTheFiltersAreAskedFor() {
    IcebergTableSource source = source();
    PhysicalPlan plan = offered(scan(source, Settings.DEFAULTS), below(250));

    assertThat(index.asked)
        .containsExactly(
            List.of(
                new ColumnRange(
                    1, Optional.empty(), Optional.of(KeyEncoding.encodeLong(250)), false)));
    assertThat(plan.details()).contains("files=3/3000");
    assertThat(plan.metrics().snapshot())
        .containsEntry("files_total", 3000L)
        .containsEntry("files_pruned", 2997L);
    assertThat(PlanRunner.rows(plan, Settings.DEFAULTS)).hasSize(250);
    assertThat(source.heldFiles()).as("the sample alone is held").isEqualTo(100);
  }

  @Test
  void filesThatFellAwayKeepNoSort() {
    PhysicalPlan few = offered(scan(source(), Settings.DEFAULTS), below(450));
    assertThat(few.tryPushdownSort(BY_K)).isInstanceOf(SortPushdown.Exact.class);

    PhysicalPlan more = offered(scan(source(), Settings.DEFAULTS), below(1450));
    assertThat(more.tryPushdownSort(BY_K)).isInstanceOf(SortPushdown.Unsupported.class);
  }

  @Test
  void estimatesStandForAllFiles() {
    var statistics = source().statistics();
    assertThat(statistics.rowCount().known()).hasValue(300_000L);
    assertThat(statistics.columns().getFirst().distinctCount().known().orElseThrow())
        .isBetween(250_000L, 350_000L);
    assertThat(scan(source(), Settings.DEFAULTS).statistics().rowCount().known())
        .hasValue(300_000L);
    assertThat(index.asked).as("no files are asked for").isEmpty();
  }

  @Test
  void aValueBeyondTheSampleIsStillExpected() {
    var column = source().statistics().columns().getFirst();
    assertThat(column.max().isEstimate()).isTrue();
    assertThat((Long) column.upper()).isLessThan(299_999L);
    ColumnSpread spread = ColumnSpread.of(column, DataType.BIGINT, 300_000);
    assertThat(spread.share(Interval.point(299_999)).orElseThrow()).isPositive();
    PhysicalPlan plan =
        offered(
            scan(source(), Settings.DEFAULTS),
            new ComparisonExpr(
                ComparisonOp.EQ,
                new ColumnExpr(0, "k", DataType.BIGINT, true),
                new LiteralExpr(299_999L, DataType.BIGINT)));
    assertThat(plan.details()).contains("files=1/3000");
    assertThat(plan.statistics().rowCount().known().orElseThrow()).isPositive();
  }

  @Test
  void withoutUsefulFiltersAllFilesAreRead() {
    IcebergTableSource source = source();
    assertThat(offered(scan(source, Settings.DEFAULTS)).details()).contains("files=3000,");
    Settings unpruned = Settings.DEFAULTS.with(EngineSettings.PRUNING, false);
    assertThat(offered(scan(source, unpruned), below(250)).details()).contains("files=3000,");
    assertThat(scan(source, Settings.DEFAULTS.with(EngineSettings.OPTIMIZER, false)).details())
        .contains("files=3000,");
    assertThat(index.asked).as("asked once for all of them").containsExactly(List.of());
  }

  @Test
  void anIndexThatForgotTheSnapshotMeanwhileMeansTheManifests() {
    IcebergTableSource source = source();
    PhysicalPlan scan = scan(source, Settings.DEFAULTS);
    index.forgetful = true;
    PhysicalPlan plan = offered(scan, below(250));
    assertThat(plan.details()).as("manifests have no bounds here").contains("files=3000,");
  }
}
