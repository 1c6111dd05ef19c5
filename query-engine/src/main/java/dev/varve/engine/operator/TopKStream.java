package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.KeySort;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * The first k rows in order. Rows collect until there are twice as many as wanted (and a batch);
 * then all but the first k go, and the k-th key becomes a threshold: of later batches only rows
 * below it are taken. Rows of equal keys stay in their order, so a later one never replaces an
 * earlier.
 *
 * <p>If even the first k are refused memory, they go to disk as a sorted run, and the first k of
 * all runs are the result. A run of k rows gives a threshold too.
 */
final class TopKStream extends OperatorStream {
  private final BatchStream input;
  private final OrderingKeys ordering;
  private final OperatorMemory memory;
  private final OperatorSpill spill;
  private final SortBuffer buffer;
  private final SortedRuns runs;
  private final long fetch;
  private @Nullable RowKeys threshold;
  private boolean sorted;
  private long given;
  private KeySort.@Nullable Order order;

  TopKStream(SortExec node, BatchStream input, long fetch, TaskContext context) {
    super(node, context);
    this.input = input;
    this.fetch = fetch;
    this.ordering = new OrderingKeys(node.ordering(), context);
    this.spill = new OperatorSpill("SortExec top-k", context, node.metrics());
    this.memory =
        new OperatorMemory(context.reserve("SortExec top-k", spill.enabled()), node.metrics());
    this.buffer = new SortBuffer(ordering, memory, context);
    this.runs = new SortedRuns(schema(), ordering, memory, spill, fetch, context);
  }

  @Override
  @Nullable Batch produce() {
    if (!sorted) {
      sort();
      sorted = true;
    }
    KeySort.Order inMemory = order;
    if (inMemory == null) {
      return nextOfRuns();
    }
    long wanted = Math.min(fetch, inMemory.count());
    int count = (int) Math.min(context.batchSize(), wanted - given);
    if (count == 0) {
      buffer.clear();
      return null;
    }
    int from = (int) given;
    given += count;
    return Gather.rows(schema(), buffer.batches(), inMemory.blocks(), inMemory.rows(), from, count);
  }

  private @Nullable Batch nextOfRuns() {
    Batch batch = given == fetch ? null : runs.next();
    if (batch == null) {
      return null;
    }
    int count = (int) Math.min(batch.rowCount(), fetch - given);
    given += count;
    return batch.slice(0, count);
  }

  private void sort() {
    Batch batch;
    while (fetch > 0 && (batch = pull(input)) != null) {
      add(batch);
    }
    input.close();
    if (runs.isEmpty()) {
      order = buffer.sort();
    } else {
      spill();
    }
  }

  private void add(Batch batch) {
    RowKeys keys = ordering.of(batch);
    RowKeys limit = threshold;
    if (limit != null) {
      int[] below = new int[batch.rowCount()];
      int count = keys.selectBelow(limit, below);
      metrics().add("rows_pruned", below.length - count);
      if (count == 0) {
        return;
      }
      if (count < below.length) {
        add(batch.take(below, count), null);
        return;
      }
    }
    add(batch, keys);
  }

  /** Takes rows that are all below the threshold. */
  private void add(Batch batch, @Nullable RowKeys known) {
    RowKeys keys = known == null ? ordering.of(batch) : known;
    if (!buffer.tryAdd(batch, keys)) {
      addByMakingRoom(batch, keys);
    }
    long enough = fetch > Integer.MAX_VALUE ? fetch : fetch + Math.max(fetch, context.batchSize());
    if (buffer.rows() > enough && !shrinkToFetch()) {
      spill();
    }
  }

  private void addByMakingRoom(Batch batch, RowKeys keys) {
    if (buffer.rows() > fetch && shrinkToFetch()) {
      if (buffer.tryAdd(batch, keys)) {
        return;
      }
    }
    if (spill.enabled() && buffer.rows() > 0) {
      spill();
      if (buffer.tryAdd(batch, keys)) {
        return;
      }
    }
    int half = batch.rowCount() / 2;
    if (!spill.enabled() || half == 0) {
      buffer.addOrFail(batch, keys);
    } else {
      Batch flat = SortBuffer.flat(batch);
      add(flat.slice(0, half), null);
      add(flat.slice(half, batch.rowCount() - half), null);
    }
  }

  /** Keeps the first k rows; false if there is no memory for both them and what they come from. */
  private boolean shrinkToFetch() {
    int count = (int) Math.min(fetch, buffer.rows());
    long copy = memory.size() / buffer.rows() * count;
    if (spill.enabled() && !memory.tryGrow(copy)) {
      return false;
    }
    buffer.keepFirst(buffer.sort(), count);
    if (count == fetch) {
      threshold = ordering.of(buffer.batches().get(0).slice(count - 1, 1));
    }
    return true;
  }

  private void spill() {
    if (buffer.rows() == 0) {
      return;
    }
    KeySort.Order order = buffer.sort();
    runs.add(buffer.batches(), order, memory.size());
    if (order.count() >= fetch) {
      int last = (int) fetch - 1;
      Batch row = Gather.rows(schema(), buffer.batches(), order.blocks(), order.rows(), last, 1);
      RowKeys key = ordering.of(row);
      RowKeys before = threshold;
      if (before == null || key.compare(0, before, 0) < 0) {
        threshold = key;
      }
    }
    buffer.clear();
  }

  @Override
  void release() {
    input.close();
    order = null;
    buffer.clear();
    runs.close();
    spill.close();
    memory.close();
  }
}
