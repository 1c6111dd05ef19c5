package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.parquet.ParquetInput;
import dev.varve.engine.parquet.ScanBuffers;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Reads the slices of one group, one after the other. */
final class ScanStream implements BatchStream {
  private final ScanSpec spec;
  private final Iterator<FileSlice> slices;
  private final ScanFilters filters;
  private final Schema schema;
  private final MetricSet metrics;
  private final TaskContext context;
  private final MemoryReservation memory;
  private final ScanBuffers buffers;
  private final @Nullable TaskDeletes deletes;
  private long limit;
  private long waitedNanos;
  private @Nullable FileScan current;

  /** For what must be decoded before its end can be given; null if rows come as they are. */
  private final @Nullable MemoryReservation held;

  ScanStream(
      ScanSpec spec,
      Schema schema,
      List<FileSlice> slices,
      boolean reversed,
      OptionalLong fetch,
      @Nullable ScanDeletes deletes,
      MetricSet metrics,
      TaskContext context) {
    this.spec = spec;
    this.slices = slices.iterator();
    this.held = reversed ? context.reserve("DataSourceExec read backwards", false) : null;
    this.filters = new ScanFilters(spec, context.query(), metrics);
    this.schema = schema;
    this.metrics = metrics;
    this.context = context;
    this.memory = context.reserve("scan of " + spec.table().name(), false);
    this.buffers = new ScanBuffers(spec.table().services().buffers(), memory);
    this.deletes = deletes == null ? null : own(deletes);
    this.limit = fetch.orElse(Long.MAX_VALUE);
  }

  private TaskDeletes own(ScanDeletes shared) {
    DeleteFileReader reader =
        new DeleteFileReader(
            spec.table(), buffers, memory, metrics, waiting(), context::checkpoint);
    return new TaskDeletes(shared, reader, memory, metrics, context);
  }

  private ParquetInput.Blocking waiting() {
    return new ParquetInput.Blocking() {
      @Override
      public <T> T run(Callable<T> wait) {
        return blocking(wait);
      }
    };
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public @Nullable Batch next() {
    long start = System.nanoTime();
    waitedNanos = 0;
    try {
      Batch batch = nextBatch();
      if (batch != null) {
        limit -= batch.rowCount();
        metrics.add("output_rows", batch.rowCount());
        metrics.add("output_batches", 1);
      }
      return batch;
    } finally {
      metrics.add("elapsed_compute_nanos", System.nanoTime() - start - waitedNanos);
    }
  }

  private @Nullable Batch nextBatch() {
    while (limit > 0) {
      FileScan scan = current;
      if (scan == null) {
        if (!slices.hasNext()) {
          return null;
        }
        FileSlice slice = slices.next();
        if (!filters.mayMatch(slice.file())) {
          metrics.add("files_pruned_dynamic", 1);
          continue;
        }
        boolean whole = slice.within().isEmpty();
        ScanSpec own = whole ? spec : spec.restricted(slice.within());
        scan =
            new FileScan(
                own,
                schema,
                slice,
                held,
                whole ? filters : new ScanFilters(own, context.query(), metrics),
                deletes,
                buffers,
                context.batchSize(),
                metrics,
                waiting());
        current = scan;
      }
      Batch batch = scan.next(limit, context::checkpoint);
      if (batch != null) {
        return batch;
      }
      current = null;
      scan.close();
    }
    return null;
  }

  private <T> T blocking(Callable<T> wait) {
    long start = System.nanoTime();
    try {
      return context.blocking(wait);
    } finally {
      waitedNanos += System.nanoTime() - start;
    }
  }

  @Override
  public void close() {
    FileScan scan = current;
    current = null;
    limit = 0;
    if (scan != null) {
      scan.close();
    }
    MemoryReservation reserved = held;
    if (reserved != null) {
      reserved.close();
    }
    memory.close();
  }
}
