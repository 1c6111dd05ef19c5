package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LikeExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.engine.type.DataType;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.key.EncodedKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For random data and random filters, skipping gives the rows that reading everything gives. */
class PruningPropertyTest {
  private static final int FILES = 8;
  private static final int FILTERS = 150;

  private static final String SCHEMA =
      """
      message m {
        optional int32 i; optional int64 l; optional double d; optional binary s (STRING);
        optional boolean b; optional int32 p (DECIMAL(9,2)); optional int64 t (TIMESTAMP(MILLIS,true));
        optional binary z (STRING);
      }
      """;

  @TempDir Path folder;

  @Test
  void skippingChangesNoAnswer() {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("pruning: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    Map<String, Long> totals = new HashMap<>();
    for (int f = 0; f < FILES; f++) {
      Path file = write(random, f);
      ParquetFilesSource source =
          ParquetFilesSource.open(file.toString(), new LocalFileIO(), ScanServices.create());
      List<List<@Nullable Object>> all = read(source, List.of(), Settings.DEFAULTS, totals);
      for (int n = 0; n < FILTERS; n++) {
        PhysicalExpr filter = filter(random, source, all, 3);
        List<List<@Nullable Object>> expected =
            all.stream().filter(row -> RowTruth.isTrue(filter, row)).toList();
        List<ColumnRange> ranges =
            FilterRanges.of(PruningPredicate.rewrite(filter), columns(source));
        assertThat(expected)
            .as("rows of %s in %s, seed %d", filter, ranges, seed)
            .allMatch(row -> lies(row, ranges, source));
        totals.merge(
            "rows_outside_ranges",
            all.stream().filter(row -> !lies(row, ranges, source)).count(),
            Long::sum);
        Settings settings =
            Settings.DEFAULTS
                .with(EngineSettings.LATE_MATERIALIZATION, random.nextBoolean())
                .with(EngineSettings.BATCH_SIZE, random.nextInt(4) == 0 ? 5 : 8192)
                .with(EngineSettings.TARGET_PARTITIONS, 1 + random.nextInt(3));
        List<List<@Nullable Object>> rows =
            read(source, List.of(filter), settings, totals).stream()
                .filter(
                    row ->
                        settings.get(EngineSettings.LATE_MATERIALIZATION)
                            || RowTruth.isTrue(filter, row))
                .toList();
        assertThat(rows).as("%s, seed %d", filter, seed).isEqualTo(expected);
      }
    }
    System.out.println("pruning: " + totals);
    for (String counter :
        List.of(
            "files_pruned",
            "rows_outside_ranges",
            "row_groups_pruned_statistics",
            "row_groups_pruned_bloom",
            "pages_pruned",
            "rows_pruned")) {
      assertThat(totals.getOrDefault(counter, 0L)).as(counter).isPositive();
    }
  }

  private static List<ScanColumn> columns(ParquetFilesSource source) {
    List<ScanColumn> columns = new ArrayList<>();
    for (int i = 0; i < source.schema().size(); i++) {
      columns.add(
          new ScanColumn(source.schema().field(i), i + 1, Optional.empty(), Optional.empty()));
    }
    return columns;
  }

  private static boolean lies(List<?> row, List<ColumnRange> ranges, ParquetFilesSource source) {
    for (ColumnRange range : ranges) {
      int column = range.fieldId() - 1;
      Object value = row.get(column);
      if (value == null) {
        if (!range.nullAllowed()) {
          return false;
        }
      } else {
        Optional<EncodedKey> key =
            Optional.of(
                ColumnKeys.encode(
                    new LiteralExpr(value, source.schema().type(column)).single(), 0));
        if (!range.meets(key, key)) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<List<@Nullable Object>> read(
      ParquetFilesSource source,
      List<PhysicalExpr> filters,
      Settings settings,
      Map<String, Long> totals) {
    List<Integer> columns = IntStream.range(0, source.schema().size()).boxed().toList();
    PhysicalPlan scan = source.scan(new ScanRequest(columns, settings));
    FilterPushdown.Result result = scan.handleChildPushdownResult(filters, List.of());
    if (settings.get(EngineSettings.LATE_MATERIALIZATION)) {
      assertThat(result.parentFilters()).allMatch(o -> o == FilterPushdown.Outcome.EXACT);
    }
    List<List<@Nullable Object>> rows = PlanRunner.rows(result.plan(), settings);
    result.plan().metrics().snapshot().forEach((k, v) -> totals.merge(k, v, Long::sum));
    return rows;
  }

  private Path write(Random random, int number) {
    int rows = 400 + random.nextInt(800);
    int base = random.nextInt(1000);
    List<List<@Nullable Object>> data = new ArrayList<>();
    for (int r = 0; r < rows; r++) {
      List<@Nullable Object> row = new ArrayList<>();
      boolean nullRun = (r / 130) % 4 == 2;
      row.add(nullable(random, nullRun, base + r / 3));
      row.add(nullable(random, false, random.nextLong(100_000)));
      row.add(nullable(random, nullRun, number(random, r)));
      row.add(nullable(random, false, text(random)));
      row.add(nullable(random, false, (r / 200) % 2 == 0));
      row.add(nullable(random, false, 100 + r / 2));
      row.add(nullable(random, false, 1_600_000_000_000L + r * 1000L));
      row.add(nullable(random, nullRun, "k" + (char) ('a' + r / 60) + random.nextInt(30)));
      data.add(row);
    }
    return ParquetFile.of(SCHEMA)
        .rowsPerGroup(150 + random.nextInt(200))
        .rowsPerPage(10 + random.nextInt(40))
        .dictionary(random.nextBoolean())
        .bloomFilter("l")
        .bloomFilter("s")
        .write(folder.resolve("p" + number + ".parquet"), data);
  }

  private static @Nullable Object nullable(Random random, boolean run, Object value) {
    return run || random.nextInt(15) == 0 ? null : value;
  }

  private static double number(Random random, int row) {
    return switch (random.nextInt(40)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.NEGATIVE_INFINITY;
      default -> (row / 50) * 1.5;
    };
  }

  private static String text(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> "foo_" + random.nextInt(9);
      case 1 -> "fooX" + random.nextInt(9);
      case 2 -> "foo\\bar" + random.nextInt(3);
      case 3 -> "\uDBFF\uDFFF" + random.nextInt(3);
      case 4 -> "ü" + random.nextInt(100);
      default -> "a".repeat(random.nextInt(90)) + random.nextInt(9);
    };
  }

  private static PhysicalExpr filter(
      Random random, ParquetFilesSource source, List<List<@Nullable Object>> rows, int depth) {
    switch (depth == 0 ? 9 : random.nextInt(10)) {
      case 0, 1:
        return new AndExpr(
            List.of(
                filter(random, source, rows, depth - 1), filter(random, source, rows, depth - 1)));
      case 2, 3:
        return new OrExpr(
            List.of(
                filter(random, source, rows, depth - 1), filter(random, source, rows, depth - 1)));
      case 4:
        return new NotExpr(filter(random, source, rows, depth - 1));
      default:
        return leaf(random, source, rows);
    }
  }

  private static PhysicalExpr leaf(
      Random random, ParquetFilesSource source, List<List<@Nullable Object>> rows) {
    int index = random.nextInt(source.schema().size());
    ColumnExpr column = ColumnExpr.of(source.schema(), index);
    ComparisonOp op = ComparisonOp.values()[random.nextInt(ComparisonOp.values().length)];
    LiteralExpr literal = literal(random, column, rows, index);
    switch (random.nextInt(8)) {
      case 0:
        return new IsNullExpr(column, random.nextBoolean());
      case 1:
        List<PhysicalExpr> list = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
          list.add(literal(random, column, rows, index));
        }
        return new InListExpr(column, list, random.nextBoolean());
      case 2:
        if (column.type().equals(DataType.INTEGER)) {
          Object value = literal.value();
          return new ComparisonExpr(
              op,
              new CastExpr(column, DataType.BIGINT, false),
              new LiteralExpr(
                  value == null ? null : ((Number) value).longValue(), DataType.BIGINT));
        }
        break;
      case 3:
        if (column.type().equals(DataType.VARCHAR)) {
          Object value = literal.value();
          String text = value == null ? "a" : value.toString();
          int cut = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
          String prefix = text.substring(0, cut).replace("\\", "\\\\").replace("_", "\\_");
          return new LikeExpr(
              column,
              new LiteralExpr(prefix + (random.nextInt(4) == 0 ? "_%" : "%"), DataType.VARCHAR),
              "\\",
              random.nextInt(4) == 0,
              false);
        }
        break;
      case 4:
        if (column.type().equals(DataType.BOOLEAN)) {
          return column;
        }
        break;
      default:
        break;
    }
    return new ComparisonExpr(op, column, literal);
  }

  /** A value of the column, mostly; often one that does not occur. */
  private static LiteralExpr literal(
      Random random, ColumnExpr column, List<List<@Nullable Object>> rows, int index) {
    Object value = rows.get(random.nextInt(rows.size())).get(index);
    if (value != null && random.nextInt(3) == 0) {
      value =
          switch (value) {
            case Integer i -> i + random.nextInt(400) - 200;
            case Long l -> l + random.nextInt(3) - 1;
            case Double d -> d + 0.25;
            case String s -> s + "x";
            case java.math.BigDecimal d -> d.add(new java.math.BigDecimal("0.01"));
            case java.time.Instant t -> t.plusMillis(random.nextInt(3) - 1);
            default -> value;
          };
    }
    return new LiteralExpr(value, column.type());
  }
}
