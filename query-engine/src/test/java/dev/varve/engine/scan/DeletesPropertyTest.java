package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.IcebergFiles;
import dev.varve.engine.testing.IcebergFiles.Place;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.layout.LayoutIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * For random histories of appends, deletes of every kind, and changes of schema and partitioning,
 * the engine reads the rows that Iceberg's own generic reader reads.
 */
class DeletesPropertyTest {
  private static final int TABLES = Integer.getInteger("varve.deletes.tables", 4);
  private static final int STEPS = 10;

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

  @Test
  void theEngineReadsWhatIcebergReads() {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("deletes: -Dvarve.seed=" + seed);
    Map<String, Long> counters = new HashMap<>();
    for (int t = 0; t < TABLES; t++) {
      new History(t, new Random(seed + t), counters).run();
    }
    assertThat(counters.getOrDefault("rows_deleted", 0L)).isPositive();
    assertThat(counters.getOrDefault("delete_files_read", 0L)).isPositive();
  }

  /** One table and what became of it. */
  private final class History {
    private final Random random;
    private final Map<String, Long> counters;
    private final Table table;
    private final int version;
    private final List<String> log = new ArrayList<>();
    private final Set<Integer> keys = new HashSet<>();
    private int names;

    History(int number, Random random, Map<String, Long> counters) {
      this.random = random;
      this.counters = counters;
      this.version = 2 + random.nextInt(2);
      Schema schema =
          new Schema(
              Types.NestedField.optional(1, "id", Types.LongType.get()),
              Types.NestedField.optional(2, "i", Types.IntegerType.get()),
              Types.NestedField.optional(3, "s", Types.StringType.get()),
              Types.NestedField.optional(4, "d", Types.DateType.get()),
              Types.NestedField.optional(5, "f", Types.FloatType.get()),
              Types.NestedField.optional(6, "n", Types.DecimalType.of(9, 2)),
              Types.NestedField.optional(7, "p", Types.StringType.get()));
      PartitionSpec spec =
          switch (random.nextInt(3)) {
            case 0 -> PartitionSpec.unpartitioned();
            case 1 -> PartitionSpec.builderFor(schema).identity("p").build();
            default -> PartitionSpec.builderFor(schema).bucket("p", 2).build();
          };
      this.table =
          catalog
              .buildTable(TableIdentifier.of("s", "t" + number), schema)
              .withPartitionSpec(spec)
              .withProperty("format-version", Integer.toString(version))
              .create();
      log.add("v" + version + " " + spec);
    }

    void run() {
      append();
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(10)) {
          case 0, 1 -> append();
          case 2, 3, 4 -> deleteEqual();
          case 5, 6, 7 -> deletePositions();
          case 8 -> evolveSchema();
          default -> evolveSpec();
        }
        table.refresh();
        if (random.nextInt(3) == 0) {
          check();
        }
      }
      check();
    }

    private void append() {
      for (int files = 1 + random.nextInt(2); files > 0; files--) {
        String partition = random.nextInt(8) == 0 ? null : "p" + random.nextInt(2);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int r = 1 + random.nextInt(40); r > 0; r--) {
          rows.add(row(partition));
        }
        // Small row groups, so that positions count over several.
        IcebergFiles written =
            new IcebergFiles(
                table,
                Map.of(
                    "write.parquet.row-group-size-bytes", "64",
                    "write.parquet.row-group-check-min-record-count", "4",
                    "write.parquet.row-group-check-max-record-count", "8"));
        table.newAppend().appendFile(written.data(rows)).commit();
        log.add("append " + rows.size() + " in " + partition);
      }
    }

    private List<@Nullable Object> row(@Nullable String partition) {
      List<@Nullable Object> row = new ArrayList<>();
      for (Types.NestedField field : table.schema().columns()) {
        row.add(field.fieldId() == 7 ? partition : value(field.type()));
      }
      return row;
    }

    private @Nullable Object value(Type type) {
      if (random.nextInt(8) == 0) {
        return null;
      }
      int value = random.nextInt(12);
      return switch (type.typeId()) {
        case INTEGER -> value;
        case LONG -> (long) value;
        case FLOAT -> value == 0 ? Float.NaN : value / 2f;
        case DOUBLE -> value == 0 ? Double.NaN : value / 2.0;
        case STRING -> "s" + "x".repeat(value % 3) + value;
        case DATE -> LocalDate.ofEpochDay(value);
        case DECIMAL -> BigDecimal.valueOf(value * 10L, 2);
        default -> throw new IllegalStateException(type.toString());
      };
    }

    private List<DataFile> files(Map<String, List<DeleteFile>> deletes) {
      List<DataFile> files = new ArrayList<>();
      try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
        for (FileScanTask task : tasks) {
          files.add(task.file());
          deletes.put(task.file().location(), task.deletes());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return files;
    }

    private void deleteEqual() {
      List<Types.NestedField> columns = new ArrayList<>(table.schema().columns());
      Collections.shuffle(columns, random);
      columns = columns.subList(0, 1 + random.nextInt(2));
      columns.forEach(column -> keys.add(column.fieldId()));
      List<List<@Nullable Object>> values = new ArrayList<>();
      for (int r = 1 + random.nextInt(3); r > 0; r--) {
        List<@Nullable Object> row = new ArrayList<>();
        columns.forEach(c -> row.add(c.fieldId() == 7 ? "p" + random.nextInt(2) : value(c.type())));
        values.add(row);
      }
      List<DataFile> files = files(new HashMap<>());
      DataFile in = files.get(random.nextInt(files.size()));
      PartitionSpec spec = Objects.requireNonNull(table.specs().get(in.specId()));
      boolean global = random.nextInt(3) == 0 && table.specs().containsKey(0);
      PartitionSpec unpartitioned =
          table.specs().values().stream()
              .filter(PartitionSpec::isUnpartitioned)
              .findFirst()
              .orElse(spec);
      PartitionSpec used = global ? unpartitioned : spec;
      List<String> named = columns.stream().map(Types.NestedField::name).toList();
      DeleteFile file =
          new IcebergFiles(table)
              .equality(used, used.isUnpartitioned() ? null : in.partition(), named, values);
      table.newRowDelta().addDeletes(file).commit();
      log.add("delete where " + named + " in " + values + " of " + used + " " + file.partition());
    }

    private void deletePositions() {
      Map<String, List<DeleteFile>> deletes = new HashMap<>();
      List<DataFile> files = files(deletes);
      DataFile first = files.get(random.nextInt(files.size()));
      // Those of one partition may share a file of positions.
      List<DataFile> chosen =
          files.stream()
              .filter(
                  f ->
                      f.specId() == first.specId()
                          && f.partition().toString().equals(first.partition().toString())
                          && (f == first || random.nextBoolean()))
              .sorted((a, b) -> a.location().compareTo(b.location()))
              .toList();
      List<Place> places = new ArrayList<>();
      Map<String, DataFile> byPath = new LinkedHashMap<>();
      for (DataFile file : chosen) {
        byPath.put(file.location(), file);
        boolean all = random.nextInt(6) == 0;
        for (long at = 0; at < file.recordCount(); at++) {
          if (all || random.nextInt(5) == 0 || at == 0) {
            places.add(new Place(file.location(), at));
          }
        }
      }
      RowDelta delta =
          table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
      if (version < 3) {
        delta.addDeletes(
            new IcebergFiles(table)
                .positions(
                    Objects.requireNonNull(table.specs().get(first.specId())),
                    first.partition(),
                    places));
      } else {
        Map<String, PositionDeleteIndex> previous = new HashMap<>();
        for (String path : byPath.keySet()) {
          Objects.requireNonNull(deletes.get(path)).stream()
              .filter(DeleteFileReader::isVector)
              .forEach(vector -> previous.put(path, read(vector)));
        }
        DeleteWriteResult result = new IcebergFiles(table).vectors(places, byPath, previous);
        result.deleteFiles().forEach(delta::addDeletes);
        result.rewrittenDeleteFiles().forEach(delta::removeDeletes);
      }
      delta.commit();
      log.add("delete positions " + places);
    }

    private PositionDeleteIndex read(DeleteFile vector) {
      try (var in = table.io().newInputFile(vector.location()).newStream()) {
        in.seek(vector.contentOffset());
        return PositionDeleteIndex.deserialize(
            in.readNBytes(Math.toIntExact(vector.contentSizeInBytes())), vector);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void evolveSchema() {
      List<Types.NestedField> columns = table.schema().columns();
      Types.NestedField column = columns.get(random.nextInt(columns.size()));
      switch (random.nextInt(4)) {
        case 0 -> rename(column.name(), "r" + names++);
        case 1 -> {
          // Iceberg's reader does not know dropped key columns; DeleteFilesTest has them.
          boolean isSource =
              table.specs().values().stream()
                  .flatMap(spec -> spec.fields().stream())
                  .anyMatch(field -> field.sourceId() == column.fieldId());
          if (!isSource && !keys.contains(column.fieldId()) && columns.size() > 3) {
            table.updateSchema().deleteColumn(column.name()).commit();
            table.refresh();
            table.updateSchema().addColumn(column.name(), column.type()).commit();
            log.add("drop and add " + column.name());
          }
        }
        case 2 -> {
          Types.NestedField other = columns.get(random.nextInt(columns.size()));
          // Names of partition fields follow the columns': they cannot be swapped in steps.
          if (other != column && column.fieldId() != 7 && other.fieldId() != 7) {
            rename(column.name(), "swap");
            rename(other.name(), column.name());
            rename("swap", other.name());
          }
        }
        default -> {
          Type wider =
              switch (column.type().typeId()) {
                case INTEGER -> Types.LongType.get();
                case FLOAT -> Types.DoubleType.get();
                case DECIMAL -> Types.DecimalType.of(20, 2);
                default -> null;
              };
          if (wider != null) {
            table.updateSchema().updateColumn(column.name(), wider.asPrimitiveType()).commit();
            log.add("widen " + column.name());
          }
        }
      }
    }

    private void rename(String from, String to) {
      table.updateSchema().renameColumn(from, to).commit();
      table.refresh();
      log.add("rename " + from + " to " + to);
    }

    private void evolveSpec() {
      String column = table.schema().findField(7).name();
      if (table.spec().isUnpartitioned()) {
        table.updateSpec().addField(column).commit();
      } else {
        var update = table.updateSpec();
        table.spec().fields().forEach(field -> update.removeField(field.name()));
        update.commit();
      }
      log.add("partition by " + table.spec());
    }

    private void check() {
      List<String> all = table.schema().columns().stream().map(Types.NestedField::name).toList();
      List<String> some = new ArrayList<>(all);
      Collections.shuffle(some, random);
      some = some.subList(0, 1 + random.nextInt(all.size()));
      for (List<String> columns : List.of(all, some)) {
        List<String> expected =
            IcebergFiles.rows(table, table.currentSnapshot().snapshotId(), columns);
        for (Settings settings : settings()) {
          assertThat(rows(columns, settings, List.of()))
              .as(String.join("\n", log))
              .isEqualTo(expected);
        }
      }
      checkFiltered(all);
    }

    private List<Settings> settings() {
      return List.of(
          Settings.DEFAULTS,
          Settings.DEFAULTS.with(EngineSettings.OPTIMIZER, false),
          Settings.DEFAULTS
              .with(EngineSettings.BATCH_SIZE, 7)
              .with(EngineSettings.CONSTANT_HASH, true));
    }

    /** A filter on one column sees only rows that are there. */
    private void checkFiltered(List<String> all) {
      IcebergTableSource source = source();
      int index = random.nextInt(all.size());
      ColumnExpr column = ColumnExpr.of(source.schema(), index);
      List<String> expected = IcebergFiles.rows(table, table.currentSnapshot().snapshotId(), all);
      Object value = value(table.schema().columns().get(index).type());
      if (value == null) {
        return;
      }
      PhysicalExpr filter =
          new ComparisonExpr(ComparisonOp.EQ, column, new LiteralExpr(value, column.type()));
      String wanted = IcebergFiles.text(List.of(value));
      List<String> matching =
          expected.stream()
              .filter(
                  row ->
                      row.substring(1, row.length() - 1)
                          .split(", ")[index]
                          .equals(wanted.substring(1, wanted.length() - 1)))
              .collect(Collectors.toList());
      assertThat(rows(all, Settings.DEFAULTS, List.of(filter)))
          .as("%s\nfilter %s", String.join("\n", log), filter)
          .isEqualTo(matching);
    }

    private IcebergTableSource source() {
      return new IcebergTableSource(
          table,
          table.currentSnapshot().snapshotId(),
          LayoutIndex.none(),
          new ObjectName("lake", "s", "t"),
          services);
    }

    private List<String> rows(List<String> columns, Settings settings, List<PhysicalExpr> filters) {
      IcebergTableSource source = source();
      List<Integer> positions = columns.stream().map(c -> source.schema().indexOf(c)).toList();
      PhysicalPlan scan = source.scan(new ScanRequest(positions, settings));
      PhysicalPlan plan = scan.handleChildPushdownResult(filters, List.of()).plan();
      List<String> rows =
          new ArrayList<>(
              PlanRunner.rows(plan, settings).stream().map(IcebergFiles::text).toList());
      plan.metrics().snapshot().forEach((name, count) -> counters.merge(name, count, Long::sum));
      rows.sort(null);
      return rows;
    }
  }
}
