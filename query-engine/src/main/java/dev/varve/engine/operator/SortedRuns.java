package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.KeySort;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorted runs on disk, merged in as many levels as the memory at hand asks for. Runs are merged
 * with their neighbours only, so that rows of equal keys stay in the sequence of the runs. Confined
 * to one task.
 *
 * <p>A merge holds of each run a batch, the one before it, its keys and a buffer; how many runs
 * that can be is the fan-in. If not even two fit, runs are written again in smaller batches, down
 * to single rows.
 */
final class SortedRuns implements AutoCloseable {
  private static final int MAX_FAN_IN = 64;
  private static final int BATCHES_IN_MEMORY = 32;
  private static final long LEAST_BATCH_BYTES = 2 << 10;
  private static final long LARGEST_BATCH_BYTES = 1 << 20;

  private final Schema schema;
  private final OrderingKeys ordering;
  private final OperatorMemory memory;
  private final OperatorSpill spill;
  private final TaskContext context;
  private final long fetch;
  private final List<SpillFile> runs = new ArrayList<>();
  private final List<BatchStream> open = new ArrayList<>();
  private @Nullable SortedMerge merge;

  /** {@code fetch}: no more rows than these are ever wanted. */
  SortedRuns(
      Schema schema,
      OrderingKeys ordering,
      OperatorMemory memory,
      OperatorSpill spill,
      long fetch,
      TaskContext context) {
    this.schema = schema;
    this.ordering = ordering;
    this.memory = memory;
    this.spill = spill;
    this.fetch = fetch;
    this.context = context;
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Writes the rows of {@code batches} in {@code order} as the next run. */
  void add(List<Batch> batches, KeySort.Order order, long heldBytes) {
    int count = (int) Math.min(fetch, order.count());
    if (count == 0) {
      return;
    }
    long batchBytes =
        Math.clamp(heldBytes / BATCHES_IN_MEMORY, LEAST_BATCH_BYTES, LARGEST_BATCH_BYTES);
    long rowBytes = Math.max(1, bytesOf(batches) / Math.max(1, order.count()));
    int step = (int) Math.clamp(batchBytes / rowBytes, 1, context.batchSize());
    SpillFile run = spill.create(schema, batchBytes);
    runs.add(run);
    for (int from = 0; from < count; from += step) {
      int rows = Math.min(step, count - from);
      spill.append(run, Gather.rows(schema, batches, order.blocks(), order.rows(), from, rows));
    }
    run.seal();
  }

  /** A run that was written in order; its batches may be of any size. */
  void add(SpillFile run) {
    run.seal();
    runs.add(run);
  }

  private static long bytesOf(List<Batch> batches) {
    long bytes = 0;
    for (Batch batch : batches) {
      bytes += OperatorMemory.ofRows(batch);
    }
    return bytes;
  }

  /** The next rows of all runs in order; null at the end. Nothing is added after the first call. */
  @Nullable Batch next() {
    SortedMerge last = merge;
    if (last == null) {
      last = mergeDown();
      merge = last;
    }
    return last.next();
  }

  /** Merges neighbours until all that are left can be merged at once. */
  private SortedMerge mergeDown() {
    int at = 0;
    while (true) {
      if (reserve(0) == runs.size()) {
        return open(runs);
      }
      if (at + 1 >= runs.size()) {
        at = 0;
      }
      int fanIn = reserve(at);
      int group = Math.min(fanIn, Math.max(2, runs.size() - fanIn + 1));
      List<SpillFile> neighbours = runs.subList(at, at + group);
      SpillFile merged = mergeToFile(neighbours);
      neighbours.forEach(spill::delete);
      neighbours.clear();
      runs.add(at, merged);
      at++;
    }
  }

  /** Bytes that merging this run takes. */
  private long need(SpillFile run) {
    long keys =
        ordering.layout().shape() == KeyLayout.Shape.BYTES
            ? run.largestBatchBytes()
            : 16 * run.largestBatchRows();
    return 2 * run.largestBatchBytes() + keys + run.bufferBytes();
  }

  /**
   * Reserves a merge of as many runs from {@code at} on as memory allows: at least two if there are
   * so many, after writing them again in smaller batches if need be.
   */
  private int reserve(int at) {
    int most = Math.min(MAX_FAN_IN, runs.size() - at);
    while (true) {
      memory.resize(0);
      int fanIn = 0;
      while (fanIn < most && memory.tryGrow(need(runs.get(at + fanIn)))) {
        fanIn++;
      }
      if (fanIn >= Math.min(2, most)) {
        return fanIn;
      }
      if (!shrinkWider(at, at + most - 1 > at ? at + 1 : at)) {
        // Single rows: there is no smaller merge, so a refusal is the end.
        memory.grow(need(runs.get(at + fanIn)));
      }
    }
  }

  /** Writes the run with the larger batches again in smaller ones; false if those are rows. */
  private boolean shrinkWider(int first, int second) {
    int wider =
        runs.get(first).largestBatchBytes() >= runs.get(second).largestBatchBytes()
            ? first
            : second;
    SpillFile run = runs.get(wider);
    if (run.rowsOfLargestBatch() <= 1) {
      return false;
    }
    memory.resize(run.largestBatchBytes() + run.bufferBytes());
    SpillFile narrow = spill.create(schema, run.largestBatchBytes() / 2);
    copy(run, narrow);
    runs.set(wider, narrow);
    spill.delete(run);
    return true;
  }

  private void copy(SpillFile from, SpillFile to) {
    try (BatchStream rows = spill.read(from)) {
      Batch batch;
      while ((batch = rows.next()) != null) {
        spill.append(to, batch);
      }
    }
    to.seal();
  }

  private SpillFile mergeToFile(List<SpillFile> sources) {
    long largest = 0;
    for (SpillFile source : sources) {
      largest = Math.max(largest, source.largestBatchBytes());
    }
    SpillFile target = spill.create(schema, largest);
    SortedMerge rows = open(sources);
    Batch batch;
    while ((batch = rows.next()) != null) {
      spill.append(target, batch);
    }
    target.seal();
    rows.close();
    open.forEach(BatchStream::close);
    open.clear();
    return target;
  }

  private SortedMerge open(List<SpillFile> files) {
    List<SortedMerge.Source> sources = new ArrayList<>();
    long rows = 1;
    for (SpillFile file : files) {
      BatchStream stream = spill.read(file);
      open.add(stream);
      sources.add(stream::next);
      rows = Math.max(rows, file.largestBatchRows());
    }
    return new SortedMerge(
        schema, sources, ordering, (int) Math.min(rows, context.batchSize()), fetch);
  }

  @Override
  public void close() {
    SortedMerge last = merge;
    if (last != null) {
      last.close();
    }
    open.forEach(BatchStream::close);
    open.clear();
    runs.forEach(spill::delete);
    runs.clear();
  }
}
