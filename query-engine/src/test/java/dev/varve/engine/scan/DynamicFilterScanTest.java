package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.KeyTest;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.engine.type.DataType;
import dev.varve.layout.io.LocalFileIO;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters whose content comes while the scan runs remove what they should, and nothing else. */
class DynamicFilterScanTest {
  private static final int ROWS = 40_000;

  @TempDir Path folder;

  /** Lets pass a set of values, and nulls if the set has null. */
  private record OneOf(Set<?> values, boolean acceptsNull, boolean bounded) implements KeyTest {
    @Override
    public int select(Column column, int[] selection) {
      int count = 0;
      for (int i = 0; i < column.length(); i++) {
        Object value = column.value(i);
        if (value == null ? acceptsNull : values.contains(value)) {
          selection[count++] = i;
        }
      }
      return count;
    }

    @Override
    public Optional<PhysicalExpr> implied(PhysicalExpr operand) {
      if (!bounded || values.isEmpty()) {
        return Optional.empty();
      }
      Object most = values.stream().map(v -> (Long) v).max(Long::compare).orElseThrow();
      return Optional.of(
          new ComparisonExpr(ComparisonOp.LE, operand, new LiteralExpr(most, operand.type())));
    }
  }

  /** k ascending; v in 7 strings and nulls; d in 100 numbers. */
  private PhysicalPlan scan(DynamicFilter filter, Settings settings) {
    Path path = folder.resolve("t.parquet");
    if (!java.nio.file.Files.exists(path)) {
      ParquetFile.of(
              "message m { required int64 k; optional binary v (STRING); required int32 d; }")
          .rowsPerGroup(5000)
          .rowsPerPage(500)
          .write(
              path,
              LongStream.range(0, ROWS)
                  .mapToObj(
                      k ->
                          Arrays.<Object>asList(
                              k, k % 8 == 7 ? null : "v" + k % 8, (int) (k % 100)))
                  .toList());
    }
    PhysicalPlan scan =
        ParquetFilesSource.open(path.toString(), new LocalFileIO(), ScanServices.create())
            .scan(new ScanRequest(List.of(0, 1, 2), settings));
    FilterPushdown.Result answer = scan.handleChildPushdownResult(List.of(filter), List.of());
    assertThat(answer.parentFilters()).containsExactly(FilterPushdown.Outcome.INEXACT);
    assertThat(answer.plan().details()).contains("dynamic=[keys(");
    return answer.plan();
  }

  private static DynamicFilter on(int column, String name, DataType type) {
    return DynamicFilter.create("keys", new ColumnExpr(column, name, type, true));
  }

  private static Settings onePartition() {
    return Settings.DEFAULTS
        .with(EngineSettings.TARGET_PARTITIONS, 1)
        .with(EngineSettings.BATCH_SIZE, 1000);
  }

  /** The values of column 0, the content being published after {@code late} batches. */
  private static List<@Nullable Object> keys(
      PhysicalPlan plan, DynamicFilter filter, KeyTest content, int late, Settings settings) {
    TaskContext task = PlanRunner.task(settings);
    List<@Nullable Object> keys = new ArrayList<>();
    int batches = 0;
    try (BatchStream stream = plan.execute(0, task)) {
      while (true) {
        if (batches++ == late) {
          filter.slot(task.query()).publish(content);
        }
        Batch batch = stream.next();
        if (batch == null) {
          return keys;
        }
        for (int row = 0; row < batch.rowCount(); row++) {
          keys.add(batch.column(0).value(row));
        }
      }
    }
  }

  @Test
  void rowsOutsideAreRemovedAndPartsOutsideAreNotRead() {
    DynamicFilter filter = on(0, "k", DataType.BIGINT);
    PhysicalPlan plan = scan(filter, onePartition());
    List<@Nullable Object> keys =
        keys(plan, filter, new OneOf(Set.of(3L, 4999L, 5001L), false, true), 0, onePartition());
    assertThat(keys).containsExactly(3L, 4999L, 5001L);
    assertThat(plan.metrics().snapshot())
        .containsEntry("row_groups_pruned_statistics", (long) ROWS / 5000 - 2);
    assertThat(plan.metrics().snapshot().get("pages_pruned")).isPositive();
  }

  @Test
  void contentThatComesLateRemovesOnlyWhatFollows() {
    DynamicFilter filter = on(0, "k", DataType.BIGINT);
    PhysicalPlan plan = scan(filter, onePartition());
    List<@Nullable Object> keys =
        keys(plan, filter, new OneOf(Set.of(10L, 3500L, 39_000L), false, false), 3, onePartition());
    List<@Nullable Object> expected = new ArrayList<>(LongStream.range(0, 3000).boxed().toList());
    expected.addAll(List.of(3500L, 39_000L));
    assertThat(keys).isEqualTo(expected);
  }

  @Test
  void aDictionaryIsAskedOncePerEntryAndNullsByTheTest() {
    for (boolean nulls : new boolean[] {false, true}) {
      DynamicFilter filter = on(1, "v", DataType.VARCHAR);
      PhysicalPlan plan = scan(filter, onePartition());
      Set<String> wanted = Set.of("v2", "v5");
      List<@Nullable Object> keys =
          keys(plan, filter, new OneOf(wanted, nulls, false), 0, onePartition());
      assertThat(keys)
          .isEqualTo(
              LongStream.range(0, ROWS)
                  .filter(k -> k % 8 == 2 || k % 8 == 5 || (nulls && k % 8 == 7))
                  .boxed()
                  .collect(Collectors.toList()));
    }
  }

  @Test
  void aFilterThatRemovesNothingRestsAndComesBackWithNewContent() {
    DynamicFilter filter = on(2, "d", DataType.INTEGER);
    Settings settings = onePartition().with(EngineSettings.BATCH_SIZE, 100);
    PhysicalPlan plan = scan(filter, settings);
    Set<Integer> all = LongStream.range(0, 100).mapToObj(i -> (int) i).collect(Collectors.toSet());
    TaskContext task = PlanRunner.task(settings);
    long rows = 0;
    try (BatchStream stream = plan.execute(0, task)) {
      filter.slot(task.query()).publish(new OneOf(all, false, false));
      for (int i = 0; i < 350; i++) {
        rows += Objects.requireNonNull(stream.next()).rowCount();
      }
      assertThat(rows).isEqualTo(35_000);
      filter.slot(task.query()).publish(new OneOf(Set.of(1), false, false));
      for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
        rows += batch.rowCount();
      }
    }
    assertThat(rows).isEqualTo(35_050);
  }

  @Test
  void withoutContentAndWithoutRowTestsEveryRowComes() {
    DynamicFilter filter = on(0, "k", DataType.BIGINT);
    assertThat(PlanRunner.rows(scan(filter, onePartition()), onePartition())).hasSize(ROWS);
    Settings off = onePartition().with(EngineSettings.LATE_MATERIALIZATION, false);
    List<@Nullable Object> keys =
        keys(scan(filter, off), filter, new OneOf(Set.of(3L), false, true), 0, off);
    assertThat(keys).contains(3L).hasSizeLessThanOrEqualTo(5000);
  }
}
