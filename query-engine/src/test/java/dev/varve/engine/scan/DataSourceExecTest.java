package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.engine.type.DataType;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scan node promises, takes and refuses, over a table of files with facts. */
class DataSourceExecTest {
  private static final TableOrdering K =
      new TableOrdering(List.of(new OrderingField(1, SortDirection.ASC, NullOrder.NULLS_LAST)));

  private static final LexOrdering BY_K =
      LexOrdering.of(new SortExpr(new ColumnExpr(0, "k", DataType.BIGINT, true), SortOptions.ASC));

  @TempDir Path folder;

  private Table table;
  private final List<FileFacts> facts = new ArrayList<>();

  @BeforeEach
  void createTable() {
    table =
        new HadoopTables(new Configuration())
            .create(
                new Schema(
                    Types.NestedField.optional(1, "k", Types.LongType.get()),
                    Types.NestedField.optional(2, "v", Types.StringType.get())),
                PartitionSpec.unpartitioned(),
                Map.of("format-version", "2"),
                folder.resolve("t").toString());
  }

  private static EncodedKey key(long value) {
    return KeyEncoding.encode(
        List.of(new KeyEncoding.Part(KeyType.INTEGRAL, SortDirection.ASC, NullOrder.NULLS_LAST)),
        List.of(value));
  }

  /**
   * A file with keys [first, last] and, with {@code trust}, the fact that it is ordered by them.
   */
  private void file(String name, long first, long last, @Nullable Trust trust, boolean range) {
    Path path = folder.resolve(name);
    ParquetFile.of("message m { optional int64 k = 1; optional binary v (STRING) = 2; }")
        .rowsPerGroup(1000)
        .rowsPerPage(100)
        .write(
            path,
            LongStream.rangeClosed(first, last)
                .mapToObj(k -> List.<Object>of(k, "value " + k))
                .toList());
    long size;
    try {
      size = Files.size(path);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    table
        .newAppend()
        .appendFile(
            DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(path.toString())
                .withFormat("parquet")
                .withFileSizeInBytes(size)
                .withRecordCount(last - first + 1)
                .build())
        .commit();
    Bound lower = new Bound.Exact(KeyEncoding.encodeLong(first));
    Bound upper = new Bound.Exact(KeyEncoding.encodeLong(last));
    ColumnFacts column =
        new ColumnFacts(
            1, lower, upper, OptionalLong.of(0), OptionalLong.of(0), OptionalLong.empty());
    Optional<KeyRange> keys =
        range ? Optional.of(new KeyRange(key(first), true, key(last), true)) : Optional.empty();
    facts.add(
        new FileFacts(
            path.toString(),
            size,
            last - first + 1,
            0,
            0,
            Map.of(1, column),
            List.of(),
            trust == null ? List.of() : List.of(new OrderingFact(K, trust, keys))));
  }

  private void verified(String name, long first, long last) {
    file(name, first, last, Trust.VERIFIED, true);
  }

  private IcebergTableSource source() {
    LayoutIndex index =
        new LayoutIndex() {
          @Override
          public LayoutAnswer plan(LayoutQuery query) {
            return new LayoutAnswer.Complete(query.snapshotId(), facts, facts.size(), 0, 0);
          }

          @Override
          public void stage(String tableUuid, List<FileFacts> files) {}
        };
    return new IcebergTableSource(
        table,
        table.currentSnapshot().snapshotId(),
        index,
        new ObjectName("lake", "s", "t"),
        ScanServices.create());
  }

  private static Settings partitions(int count) {
    return Settings.DEFAULTS.with(EngineSettings.TARGET_PARTITIONS, count);
  }

  private PhysicalPlan scan(int partitions) {
    return source().scan(new ScanRequest(List.of(0, 1), partitions(partitions)));
  }

  private static PhysicalExpr k(ComparisonOp op, long value) {
    return new ComparisonExpr(
        op, new ColumnExpr(0, "k", DataType.BIGINT, true), new LiteralExpr(value, DataType.BIGINT));
  }

  private static void assertOrdered(PhysicalPlan plan) {
    assertThat(plan.properties().equivalences().satisfies(BY_K)).isTrue();
    for (int p = 0; p < plan.properties().partitioning().count(); p++) {
      List<Object> keys = new ArrayList<>();
      PlanRunner.rows(plan, p, Settings.DEFAULTS).forEach(r -> keys.add(r.get(0)));
      assertThat(keys).isSortedAccordingTo((a, b) -> Long.compare((Long) a, (Long) b));
    }
  }

  @Test
  void filesThatFollowOneAnotherAreOrderedInEveryPartition() {
    verified("f2.parquet", 3000, 5500);
    verified("f1.parquet", 1, 2500);
    verified("f3.parquet", 5501, 8000);
    for (int partitions = 1; partitions <= 8; partitions++) {
      PhysicalPlan scan = scan(partitions);
      assertThat(scan.properties().partitioning().count()).isLessThanOrEqualTo(partitions);
      assertOrdered(scan);
      assertThat(PlanRunner.rows(scan, Settings.DEFAULTS)).hasSize(7501);
    }
  }

  @Test
  void aPushedSortIsExactWithTheReason() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 50, 200);
    SortPushdown answer = scan(2).tryPushdownSort(BY_K);
    assertThat(answer).isInstanceOf(SortPushdown.Exact.class);
    SortPushdown.Exact exact = (SortPushdown.Exact) answer;
    assertThat(exact.reasons()).containsExactly("order [k ASC] verified for 2 files");
    assertThat(exact.plan().reasons()).isEqualTo(exact.reasons());
    assertOrdered(exact.plan());
  }

  @Test
  void anAssertedFileKeepsTheSortAndIsNamed() {
    verified("f1.parquet", 1, 100);
    file("f2.parquet", 101, 200, Trust.ASSERTED, true);
    assertRefused(2, "lake.s.t/f2.parquet: order [k ASC] is asserted, not verified");
  }

  @Test
  void aFileWithoutFactKeepsTheSortAndIsNamed() {
    verified("f1.parquet", 1, 100);
    file("f2.parquet", 101, 200, null, false);
    assertRefused(2, "lake.s.t/f2.parquet: order [k ASC] is not known of it");
  }

  @Test
  void aFileWithoutRangeKeepsTheSortWhereItCannotStandAlone() {
    verified("f1.parquet", 1, 100);
    file("f2.parquet", 101, 200, Trust.VERIFIED, false);
    assertRefused(1, "lake.s.t/f2.parquet: no key range for [k ASC] is known");
    assertThat(scan(2).tryPushdownSort(BY_K)).isInstanceOf(SortPushdown.Exact.class);
  }

  @Test
  void moreOverlapThanPartitionsIsMergedWithinOne() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 50, 200);
    PhysicalPlan merged = ((SortPushdown.Exact) scan(1).tryPushdownSort(BY_K)).plan();
    assertThat(merged.properties().partitioning().count()).isEqualTo(1);
    assertThat(keys(merged)).hasSize(251).isSorted();
  }

  @Test
  void moreOverlapThanCanBeMergedKeepsTheSortAndIsNamed() {
    for (int i = 0; i < 40; i++) {
      verified("f" + (10 + i) + ".parquet", 1, 5);
    }
    assertRefused(
        1,
        "lake.s.t/f10.parquet and lake.s.t/f11.parquet overlap in [k ASC]: more than 1 group is"
            + " needed");
  }

  @Test
  void overlappingFilesAreCutIntoRangesThatShareNoKey() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 90, 200);
    verified("f3.parquet", 190, 300);
    verified("f4.parquet", 290, 400);
    PhysicalPlan cut = ((SortPushdown.Exact) scan(2).tryPushdownSort(BY_K)).plan();
    assertThat(cut.properties().partitioning()).isInstanceOf(Partitioning.Range.class);
    assertThat(cut.properties().equivalences().concatenated().satisfies(BY_K)).isTrue();
    assertThat(keys(cut)).hasSize(433).isSorted();
  }

  @Test
  void twoScansAreCutAtTheSameValues() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 90, 200);
    PhysicalPlan one = scan(2).tryPushdownRanges(BY_K, Optional.empty()).orElseThrow();
    facts.clear();
    verified("g1.parquet", 30, 130);
    PhysicalPlan other =
        scan(2)
            .tryPushdownRanges(
                BY_K, Optional.of((Partitioning.Range) one.properties().partitioning()))
            .orElseThrow();
    assertThat(other.properties().partitioning()).isEqualTo(one.properties().partitioning());
    assertThat(PlanRunner.rows(other, 0, CHECKED)).hasSize(60);
    assertThat(PlanRunner.rows(other, 1, CHECKED)).hasSize(41);
  }

  private static final LexOrdering BY_K_DOWN =
      LexOrdering.of(
          new SortExpr(new ColumnExpr(0, "k", DataType.BIGINT, true), new SortOptions(true, true)));

  private static List<Long> down(long from, long to) {
    return LongStream.rangeClosed(to, from).mapToObj(k -> from + to - k).toList();
  }

  @Test
  void theReverseOfAnOrderIsReadBackwards() {
    verified("f1.parquet", 1, 2500);
    verified("f2.parquet", 2501, 4000);
    for (int partitions : List.of(1, 2, 3)) {
      SortPushdown.Exact answer = (SortPushdown.Exact) scan(partitions).tryPushdownSort(BY_K_DOWN);
      assertThat(answer.reasons())
          .containsExactly("order [k ASC] verified for 2 files, read backwards");
      assertThat(answer.plan().properties().equivalences().concatenated().satisfies(BY_K_DOWN))
          .isTrue();
      assertThat(keys(answer.plan())).isEqualTo(down(4000, 1));
      assertThat(PlanRunner.rows(answer.plan().withFetch(5).orElseThrow(), 0, CHECKED))
          .extracting(row -> row.getFirst())
          .containsExactlyElementsOf(down(4000, 3996));
    }
  }

  @Test
  void overlappingFilesAreMergedBackwards() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 50, 200);
    verified("f3.parquet", 190, 300);
    for (int partitions : List.of(1, 2)) {
      PhysicalPlan plan = ((SortPushdown.Exact) scan(partitions).tryPushdownSort(BY_K_DOWN)).plan();
      assertThat(keys(plan)).hasSize(362).isSortedAccordingTo(java.util.Comparator.reverseOrder());
    }
  }

  @Test
  void theReverseWithNullsAtTheOtherEndIsNotRead() {
    verified("f1.parquet", 1, 100);
    assertThat(
            scan(1)
                .tryPushdownSort(
                    LexOrdering.of(
                        new SortExpr(
                            new ColumnExpr(0, "k", DataType.BIGINT, true),
                            new SortOptions(true, false)))))
        .isInstanceOf(SortPushdown.Unsupported.class);
  }

  private static final Settings CHECKED = Settings.DEFAULTS.with(EngineSettings.CHECK_ORDER, true);

  private static List<Long> keys(PhysicalPlan plan) {
    return PlanRunner.rows(plan, CHECKED).stream().map(row -> (Long) row.getFirst()).toList();
  }

  private void assertRefused(int partitions, String reason) {
    PhysicalPlan scan = scan(partitions);
    assertThat(scan.properties().equivalences().satisfies(BY_K)).isFalse();
    SortPushdown answer = scan.tryPushdownSort(BY_K);
    assertThat(answer).isInstanceOf(SortPushdown.Unsupported.class);
    assertThat(((SortPushdown.Unsupported) answer).reasons()).containsExactly(reason);
  }

  @Test
  void aFactThatIsFalseIsCaughtWhereOrdersAreChecked() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 50, 200);
    for (int i = 0; i < 2; i++) {
      FileFacts file = facts.get(i);
      OrderingFact lie =
          new OrderingFact(
              K, Trust.VERIFIED, Optional.of(new KeyRange(key(i), true, key(i), true)));
      facts.set(
          i,
          new FileFacts(
              file.path(),
              file.sizeBytes(),
              file.recordCount(),
              0,
              0,
              file.columns(),
              List.of(),
              List.of(lie)));
    }
    PhysicalPlan scan = scan(1);
    Settings checked = Settings.DEFAULTS.with(EngineSettings.CHECK_ORDER, true);
    assertThatThrownBy(() -> PlanRunner.rows(scan, checked))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("verified to be ordered by [k@0 ASC]");
  }

  @Test
  void noOrderIsClaimedWhereSortEliminationIsOff() {
    verified("f1.parquet", 1, 100);
    Settings off = partitions(1).with(EngineSettings.ELIMINATE_SORTS, false);
    PhysicalPlan scan = source().scan(new ScanRequest(List.of(0, 1), off));
    assertThat(scan.properties().outputOrdering()).isEmpty();
    assertThat(scan.tryPushdownSort(BY_K)).isEqualTo(SortPushdown.UNSUPPORTED);
  }

  @Test
  void cutsBetweenFilesDeclareARange() {
    for (int i = 0; i < 6; i++) {
      verified("f" + i + ".parquet", i * 100L + 1, i * 100L + 100);
    }
    assertThat(scan(3).properties().partitioning())
        .isEqualTo(new Partitioning.Range(BY_K, List.of(List.of(201L), List.of(401L)), true));
  }

  @Test
  void aFilterPrunesFilesBeforeTheyAreOpened() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 101, 200);
    verified("f3.parquet", 201, 300);
    FilterPushdown.Result result =
        scan(2).handleChildPushdownResult(List.of(k(ComparisonOp.EQ, 150)), List.of());
    assertThat(result.parentFilters()).containsExactly(FilterPushdown.Outcome.EXACT);
    assertThat(PlanRunner.rows(result.plan(), Settings.DEFAULTS))
        .containsExactly(List.of(150L, "value 150"));
    assertThat(result.plan().metrics().snapshot())
        .containsEntry("files_total", 3L)
        .containsEntry("files_pruned", 2L)
        .containsEntry("row_groups_total", 1L);
    assertThat(result.plan().details()).contains("files=1/3");
    assertThat(result.plan().statistics().rowCount().isExact()).isFalse();
  }

  @Test
  void pruningFilesAfterASortWasRemovedKeepsTheOrder() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 50, 900);
    verified("f3.parquet", 60, 110);
    PhysicalPlan ordered = ((SortPushdown.Exact) scan(3).tryPushdownSort(BY_K)).plan();
    PhysicalPlan pruned =
        ordered.handleChildPushdownResult(List.of(k(ComparisonOp.GT, 105)), List.of()).plan();
    assertThat(pruned.metrics().snapshot()).containsEntry("files_pruned", 1L);
    assertOrdered(pruned);
  }

  @Test
  void aPointLookupReadsLittle() {
    verified("f1.parquet", 1, 20_000);
    PhysicalPlan all = scan(1);
    assertThat(PlanRunner.rows(all, Settings.DEFAULTS)).hasSize(20_000);
    long everything = all.metrics().snapshot().getOrDefault("bytes_read", 0L);
    PhysicalPlan point =
        scan(1).handleChildPushdownResult(List.of(k(ComparisonOp.EQ, 12_345)), List.of()).plan();
    assertThat(PlanRunner.rows(point, Settings.DEFAULTS)).hasSize(1);
    Map<String, Long> metrics = point.metrics().snapshot();
    assertThat(metrics.get("row_groups_pruned_statistics")).isEqualTo(19);
    assertThat(metrics.get("pages_pruned")).isEqualTo(18);
    // Also counted: the footer and the page indexes.
    assertThat(metrics.get("bytes_read")).isPositive().isLessThan(everything);
  }

  @Test
  void nothingIsSkippedWherePruningIsOff() {
    verified("f1.parquet", 1, 5000);
    Settings off = partitions(1).with(EngineSettings.PRUNING, false);
    PhysicalPlan scan = source().scan(new ScanRequest(List.of(0, 1), off));
    PhysicalPlan filtered =
        scan.handleChildPushdownResult(List.of(k(ComparisonOp.EQ, 4321)), List.of()).plan();
    assertThat(PlanRunner.rows(filtered, off)).hasSize(1);
    assertThat(filtered.metrics().snapshot()).containsEntry("rows_pruned", 4999L);
    Settings optimizerOff = partitions(1).with(EngineSettings.OPTIMIZER, false);
    FilterPushdown.Result untouched =
        source()
            .scan(new ScanRequest(List.of(0, 1), optimizerOff))
            .handleChildPushdownResult(List.of(k(ComparisonOp.EQ, 4321)), List.of());
    assertThat(untouched.parentFilters()).containsExactly(FilterPushdown.Outcome.UNSUPPORTED);
  }

  @Test
  void withoutLateMaterialisationAFilterOnlySkips() {
    verified("f1.parquet", 1, 5000);
    Settings off = partitions(1).with(EngineSettings.LATE_MATERIALIZATION, false);
    FilterPushdown.Result result =
        source()
            .scan(new ScanRequest(List.of(0, 1), off))
            .handleChildPushdownResult(List.of(k(ComparisonOp.EQ, 4321)), List.of());
    assertThat(result.parentFilters()).containsExactly(FilterPushdown.Outcome.INEXACT);
    assertThat(PlanRunner.rows(result.plan(), off)).hasSize(100);
  }

  @Test
  void aFetchStopsEarlyAndKeepsFiltersOut() {
    verified("f1.parquet", 1, 20_000);
    PhysicalPlan limited = scan(1).withFetch(5).orElseThrow();
    assertThat(limited.fetch()).hasValue(5);
    assertThat(PlanRunner.rows(limited, Settings.DEFAULTS)).hasSize(5);
    assertThat(limited.metrics().snapshot()).containsEntry("output_rows", 5L);
    FilterPushdown.Result result =
        limited.handleChildPushdownResult(List.of(k(ComparisonOp.GT, 10)), List.of());
    assertThat(result.parentFilters()).containsExactly(FilterPushdown.Outcome.UNSUPPORTED);
  }

  @Test
  void aFetchCountsRowsThatPassTheFilter() {
    verified("f1.parquet", 1, 20_000);
    PhysicalPlan filtered =
        scan(1).handleChildPushdownResult(List.of(k(ComparisonOp.GE, 19_999)), List.of()).plan();
    assertThat(PlanRunner.rows(filtered.withFetch(1).orElseThrow(), Settings.DEFAULTS))
        .containsExactly(List.of(19_999L, "value 19999"));
  }

  @Test
  void aProjectionIsAbsorbedAndTheFilterKeepsItsColumn() {
    verified("f1.parquet", 1, 100);
    PhysicalPlan filtered =
        scan(1).handleChildPushdownResult(List.of(k(ComparisonOp.EQ, 7)), List.of()).plan();
    PhysicalPlan projected =
        filtered
            .trySwapWithProjection(
                List.of(new NamedExpr(new ColumnExpr(1, "v", DataType.VARCHAR, true), "w")))
            .orElseThrow();
    assertThat(projected.schema().fields()).extracting("name").containsExactly("w");
    assertThat(PlanRunner.rows(projected, Settings.DEFAULTS)).containsExactly(List.of("value 7"));
    PhysicalPlan counted = filtered.trySwapWithProjection(List.of()).orElseThrow();
    assertThat(PlanRunner.rows(counted, Settings.DEFAULTS)).containsExactly(List.of());
  }

  @Test
  void rowsAreCountedWithoutReadingColumns() {
    verified("f1.parquet", 1, 5000);
    PhysicalPlan counted = source().scan(new ScanRequest(List.of(), partitions(1)));
    assertThat(PlanRunner.rows(counted, Settings.DEFAULTS)).hasSize(5000);
    assertThat(counted.statistics().rowCount())
        .isEqualTo(dev.varve.engine.properties.Precision.exact(5000L));
  }

  @Test
  void statisticsComeFromFacts() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 500, 600);
    var statistics = scan(1).statistics();
    assertThat(statistics.columns().get(0).lower()).isEqualTo(1L);
    assertThat(statistics.columns().get(0).upper()).isEqualTo(600L);
    assertThat(statistics.columns().get(0).max().isExact()).isTrue();
    assertThat(statistics.columns().get(1).upper()).isNull();
  }

  @Test
  void filesToBeMergedAreReadAsChains() {
    verified("f1.parquet", 1, 100);
    verified("f2.parquet", 50, 200);
    verified("f3.parquet", 201, 300);
    IcebergTableSource source = source();
    PhysicalPlan plan =
        source.read(
            source.files(), List.of(new ColumnOrder(0, SortOptions.ASC)), Settings.DEFAULTS);
    assertThat(plan.properties().partitioning().count()).isEqualTo(2);
    assertOrdered(plan);
    PhysicalPlan together = source.read(source.files(), List.of(), Settings.DEFAULTS);
    assertThat(together.properties().partitioning().count()).isEqualTo(1);
    assertThat(PlanRunner.rows(together, Settings.DEFAULTS)).hasSize(351);
    file("f4.parquet", 400, 410, Trust.ASSERTED, true);
    IcebergTableSource changed = source();
    assertThatThrownBy(
            () ->
                changed.read(
                    changed.files(),
                    List.of(new ColumnOrder(0, SortOptions.ASC)),
                    Settings.DEFAULTS))
        .hasMessageContaining("f4.parquet: order [k ASC] is asserted");
  }

  @Test
  void aSortedFileSplitOverPartitionsIsOrderedInEach() {
    verified("f1.parquet", 1, 8000);
    FileFacts whole = facts.getFirst();
    List<Long> starts = startsOf(whole.path());
    facts.set(
        0,
        new FileFacts(
            whole.path(),
            whole.sizeBytes(),
            whole.recordCount(),
            0,
            0,
            whole.columns(),
            starts.stream()
                .map(s -> new dev.varve.layout.RowGroupFacts(s, 1000, Map.of()))
                .toList(),
            whole.orderings()));
    PhysicalPlan scan = scan(6);
    assertThat(scan.properties().partitioning().count()).isBetween(5, 6);
    assertOrdered(scan);
    List<Object> keys = new ArrayList<>();
    PlanRunner.rows(scan, Settings.DEFAULTS).forEach(r -> keys.add(r.get(0)));
    assertThat(keys).isEqualTo(IntStream.rangeClosed(1, 8000).mapToObj(i -> (long) i).toList());
  }

  private static List<Long> startsOf(String path) {
    try (var input =
        dev.varve.engine.parquet.ParquetInput.open(
            new dev.varve.layout.io.LocalFileIO().newInputFile(path),
            new dev.varve.engine.parquet.ParquetInput.Blocking() {
              @Override
              public <T> T run(java.util.concurrent.Callable<T> wait) {
                try {
                  return wait.call();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
            },
            bytes -> {})) {
      var footer = dev.varve.engine.parquet.FooterReader.read(input);
      return IntStream.range(0, footer.rowGroups().size()).mapToObj(footer::startOffset).toList();
    }
  }
}
