package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.KeySort;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all rows with their encoded keys, sorts row numbers, and gathers the output. Rows that are
 * refused memory send those before them to disk, as a sorted run; the runs are merged in the end.
 */
final class SortStream extends OperatorStream {
  /** Rows of one run in memory, which are numbered by ints. */
  private static final int MOST_ROWS = Integer.MAX_VALUE / 2;

  private final BatchStream input;
  private final OrderingKeys ordering;
  private final OperatorMemory memory;
  private final OperatorSpill spill;
  private final SortBuffer buffer;
  private final SortedRuns runs;
  private boolean sorted;
  private KeySort.@Nullable Order order;
  private int position;

  SortStream(SortExec node, BatchStream input, TaskContext context) {
    this(node, node.ordering(), input, context);
  }

  /** Sorts for another node, in whose metrics it counts. */
  SortStream(PhysicalPlan node, LexOrdering order, BatchStream input, TaskContext context) {
    super(node, context);
    this.input = input;
    this.ordering = new OrderingKeys(order, context);
    this.spill = new OperatorSpill(node.name(), context, node.metrics());
    this.memory = new OperatorMemory(context.reserve(node.name(), spill.enabled()), node.metrics());
    this.buffer = new SortBuffer(ordering, memory, context);
    this.runs = new SortedRuns(schema(), ordering, memory, spill, Long.MAX_VALUE, context);
  }

  @Override
  @Nullable Batch produce() {
    if (!sorted) {
      sort();
      sorted = true;
    }
    KeySort.Order inMemory = order;
    if (inMemory == null) {
      return runs.next();
    }
    int count = Math.min(context.batchSize(), inMemory.count() - position);
    if (count == 0) {
      buffer.clear();
      return null;
    }
    position += count;
    return Gather.rows(
        schema(), buffer.batches(), inMemory.blocks(), inMemory.rows(), position - count, count);
  }

  private void sort() {
    Batch batch;
    while ((batch = pull(input)) != null) {
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
    if (buffer.rows() < MOST_ROWS && buffer.tryAdd(batch, keys)) {
      return;
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
      add(flat.slice(0, half));
      add(flat.slice(half, batch.rowCount() - half));
    }
  }

  private void spill() {
    if (buffer.rows() > 0) {
      runs.add(buffer.batches(), buffer.sort(), memory.size());
      buffer.clear();
    }
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
