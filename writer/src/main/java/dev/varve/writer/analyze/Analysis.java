package dev.varve.writer.analyze;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.writer.commit.CommitOutcome;
import dev.varve.writer.commit.TableCommit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * One ANALYZE: reads the table's files in parallel into sketches of its columns and commits them as
 * the statistics of the snapshot that was read. Another commit meanwhile does not matter: the
 * statistics say which snapshot they are of. Confined to one task.
 */
final class Analysis {
  static final Schema SCHEMA =
      Schema.of(
          Field.of("column", DataType.VARCHAR, false),
          Field.of("distinct_values", DataType.BIGINT, false));

  private static final int MAX_CONFLICTS = 10;

  private final ProcedureContext context;
  private final Table table;

  /** Positions of the columns. */
  private final List<Integer> columns = new ArrayList<>();

  Analysis(ProcedureContext context, Table table) {
    this.context = context;
    this.table = table;
    for (int i = 0; i < table.schema().columns().size(); i++) {
      columns.add(i);
    }
  }

  Batch run() {
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null) {
      return result(List.of());
    }
    List<ThetaSketch> sketches = read(snapshot, context.files(table, snapshot.snapshotId()));
    commit(snapshot, sketches);
    return result(sketches);
  }

  /** The sketch of each column, over all files. */
  private List<ThetaSketch> read(Snapshot snapshot, List<FileFacts> files) {
    int tasks = Math.max(1, Math.min(files.size(), Runtime.getRuntime().availableProcessors()));
    context.count("files_total", files.size());
    try (MemoryReservation memory = context.reserve("analyze", false)) {
      memory.grow(tasks * columns.size() * ThetaSketch.maxBytes());
      List<ColumnSketch[]> parts = readParts(snapshot, divided(files, tasks));
      List<ThetaSketch> merged = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        ThetaSketch sketch = parts.getFirst()[i].sketch();
        for (ColumnSketch[] part : parts.subList(1, parts.size())) {
          sketch.merge(part[i].sketch());
        }
        merged.add(sketch);
      }
      return merged;
    }
  }

  /** The largest files first, each to the task that has fewest rows. */
  private static List<List<FileFacts>> divided(List<FileFacts> files, int tasks) {
    List<List<FileFacts>> parts = new ArrayList<>();
    long[] rows = new long[tasks];
    for (int i = 0; i < tasks; i++) {
      parts.add(new ArrayList<>());
    }
    List<FileFacts> largest =
        files.stream().sorted(Comparator.comparingLong(FileFacts::recordCount).reversed()).toList();
    for (FileFacts file : largest) {
      int least = 0;
      for (int i = 1; i < tasks; i++) {
        least = rows[i] < rows[least] ? i : least;
      }
      parts.get(least).add(file);
      rows[least] += file.recordCount();
    }
    return parts;
  }

  private List<ColumnSketch[]> readParts(Snapshot snapshot, List<List<FileFacts>> parts) {
    List<ColumnSketch[]> sketches = new ArrayList<>();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    CountDownLatch running = new CountDownLatch(parts.size() - 1);
    for (List<FileFacts> part : parts) {
      ColumnSketch[] own = new ColumnSketch[columns.size()];
      for (int i = 0; i < own.length; i++) {
        own[i] = new ColumnSketch();
      }
      sketches.add(own);
      if (sketches.size() < parts.size()) {
        context.spawn(
            "analyze",
            () -> {
              try {
                readPart(snapshot, part, own, failure);
              } finally {
                running.countDown();
              }
            });
      }
    }
    readPart(snapshot, parts.getLast(), sketches.getLast(), failure);
    context.blocking(
        () -> {
          running.await();
          return 0;
        });
    rethrow(failure.get());
    return sketches;
  }

  private void readPart(
      Snapshot snapshot,
      List<FileFacts> files,
      ColumnSketch[] sketches,
      AtomicReference<@Nullable Throwable> failure) {
    try {
      for (FileFacts file : files) {
        try (BatchStream rows =
            context.read(table, snapshot.snapshotId(), List.of(file), List.of())) {
          for (Batch batch = rows.next(); batch != null; batch = rows.next()) {
            context.checkCanceled();
            if (failure.get() != null) {
              return;
            }
            for (int i = 0; i < sketches.length; i++) {
              sketches[i].add(batch.columns().get(columns.get(i)));
            }
            context.count("rows_analyzed", batch.rowCount());
          }
        }
        context.count("files_analyzed", 1);
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  private void commit(Snapshot snapshot, List<ThetaSketch> sketches) {
    List<Integer> fields =
        columns.stream().map(i -> table.schema().columns().get(i).fieldId()).toList();
    StatisticsFile file =
        context.blocking(() -> SketchFile.write(table, snapshot, fields, sketches));
    for (int attempt = 1; ; attempt++) {
      CommitOutcome outcome =
          context.blocking(
              () ->
                  TableCommit.run(
                      () -> table.updateStatistics().setStatistics(file).commit(),
                      table,
                      context.queryId()));
      if (outcome instanceof CommitOutcome.Committed) {
        return;
      }
      if (outcome instanceof CommitOutcome.Conflict && attempt < MAX_CONFLICTS) {
        context.count("commit_conflicts", 1);
        context.blocking(
            () -> {
              table.refresh();
              return 0;
            });
        continue;
      }
      if (!(outcome instanceof CommitOutcome.Unknown)) {
        context.blocking(
            () -> {
              table.io().deleteFile(file.path());
              return 0;
            });
      }
      throw TableCommit.failure(outcome, table, context.queryId());
    }
  }

  private Batch result(List<ThetaSketch> sketches) {
    ColumnBuilder names = ColumnBuilder.of(DataType.VARCHAR, columns.size());
    ColumnBuilder counts = ColumnBuilder.of(DataType.BIGINT, columns.size());
    for (int i = 0; i < columns.size(); i++) {
      names.appendString(table.schema().columns().get(columns.get(i)).name());
      counts.appendLong(sketches.isEmpty() ? 0 : Math.round(sketches.get(i).estimate()));
    }
    List<Column> built = List.of(names.build(), counts.build());
    return new Batch(SCHEMA, built, columns.size());
  }
}
