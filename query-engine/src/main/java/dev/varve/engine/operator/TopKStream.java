package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.KeySort;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first k rows in order. Rows collect until there are twice as many as wanted (and a batch);
 * then all but the first k go, and the k-th key becomes a threshold: of later batches only rows
 * below it are taken. Rows of equal keys stay in their order, so a later one never replaces an
 * earlier.
 */
final class TopKStream extends OperatorStream {
  private final BatchStream input;
  private final OrderingKeys ordering;
  private final OperatorMemory memory;
  private final long fetch;
  private final List<Batch> kept = new ArrayList<>();
  private final List<RowKeys> keptKeys = new ArrayList<>();
  private long keptRows;
  private @Nullable RowKeys threshold;
  private @Nullable Batch result;
  private int position;

  TopKStream(SortExec node, BatchStream input, long fetch, TaskContext context) {
    super(node, context);
    this.input = input;
    this.fetch = fetch;
    this.ordering = new OrderingKeys(node.ordering(), context);
    this.memory = new OperatorMemory(context.reserve("SortExec top-k", false), node.metrics());
  }

  @Override
  @Nullable Batch produce() {
    Batch sorted = result;
    if (sorted == null) {
      collect();
      input.close();
      shrinkToFetch();
      sorted = kept.isEmpty() ? Batch.empty(schema()) : kept.get(0);
      result = sorted;
    }
    int count = Math.min(context.batchSize(), sorted.rowCount() - position);
    if (count == 0) {
      return null;
    }
    position += count;
    return sorted.slice(position - count, count);
  }

  private void collect() {
    long enough = fetch > Integer.MAX_VALUE ? fetch : fetch + Math.max(fetch, context.batchSize());
    Batch batch;
    while (fetch > 0 && (batch = pull(input)) != null) {
      RowKeys keys = ordering.of(batch);
      RowKeys limit = threshold;
      if (limit != null) {
        int[] below = new int[batch.rowCount()];
        int count = 0;
        for (int i = 0; i < below.length; i++) {
          below[count] = i;
          count += keys.compare(i, limit, 0) < 0 ? 1 : 0;
        }
        metrics().add("rows_pruned", below.length - count);
        if (count == 0) {
          continue;
        }
        if (count < below.length) {
          batch = batch.take(below, count);
          keys = ordering.of(batch);
        }
      }
      long perRow = KeySort.bytesPerRow(ordering.layout());
      kept.add(memory.keep(batch, keys.sizeInBytes() + perRow * batch.rowCount()));
      keptKeys.add(keys);
      keptRows += batch.rowCount();
      if (keptRows > enough) {
        shrinkToFetch();
      }
    }
  }

  private void shrinkToFetch() {
    if (kept.isEmpty()) {
      return;
    }
    KeySort.Order order = KeySort.sort(keptKeys, context.query().cancellation()::check);
    int count = (int) Math.min(fetch, order.count());
    Batch first = Gather.rows(schema(), kept, order.blocks(), order.rows(), 0, count);
    RowKeys firstKeys = ordering.of(first);
    kept.clear();
    keptKeys.clear();
    kept.add(first);
    keptKeys.add(firstKeys);
    keptRows = count;
    memory.resize(
        first.sizeInBytes()
            + firstKeys.sizeInBytes()
            + (long) KeySort.bytesPerRow(ordering.layout()) * count);
    if (count == fetch) {
      threshold = ordering.of(first.slice(count - 1, 1));
    }
  }

  @Override
  void release() {
    input.close();
    kept.clear();
    keptKeys.clear();
    result = null;
    memory.close();
  }
}
