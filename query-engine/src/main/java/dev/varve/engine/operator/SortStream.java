package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.KeySort;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all rows with their encoded keys, sorts row numbers, and gathers the output. Memory for
 * rows, keys and the sort is reserved as the rows arrive.
 */
final class SortStream extends OperatorStream {
  private final BatchStream input;
  private final OrderingKeys ordering;
  private final OperatorMemory memory;
  private List<Batch> batches = new ArrayList<>();
  private KeySort.@Nullable Order order;
  private int position;

  SortStream(SortExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.input = input;
    this.ordering = new OrderingKeys(node.ordering(), context);
    this.memory = new OperatorMemory(context.reserve("SortExec", false), node.metrics());
  }

  @Override
  @Nullable Batch produce() {
    KeySort.Order sorted = order;
    if (sorted == null) {
      sorted = sort();
      order = sorted;
    }
    int count = Math.min(context.batchSize(), sorted.count() - position);
    if (count == 0) {
      batches = List.of();
      memory.close();
      return null;
    }
    position += count;
    return Gather.rows(schema(), batches, sorted.blocks(), sorted.rows(), position - count, count);
  }

  private KeySort.Order sort() {
    List<RowKeys> keys = new ArrayList<>();
    long rows = 0;
    int perRow = KeySort.bytesPerRow(ordering.layout());
    Batch batch;
    while ((batch = pull(input)) != null) {
      RowKeys batchKeys = ordering.of(batch);
      batches.add(memory.keep(batch, batchKeys.sizeInBytes() + (long) perRow * batch.rowCount()));
      keys.add(batchKeys);
      rows += batch.rowCount();
      if (rows > Integer.MAX_VALUE - 16) {
        throw new VarveException(
            ErrorCode.MEMORY_LIMIT_EXCEEDED, "SortExec cannot hold more than " + rows + " rows");
      }
    }
    input.close();
    return KeySort.sort(keys, context.query().cancellation()::check);
  }

  @Override
  void release() {
    input.close();
    batches = List.of();
    order = null;
    memory.close();
  }
}
