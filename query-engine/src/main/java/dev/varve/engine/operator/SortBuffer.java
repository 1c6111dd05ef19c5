package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.KeySort;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that wait to be sorted. Reserved with each are its key, what sorting takes, and a share for
 * writing the rows out in order, so that there is room for that when memory is refused. Confined to
 * one task.
 */
final class SortBuffer {
  private final OrderingKeys ordering;
  private final OperatorMemory memory;
  private final TaskContext context;
  private final List<Batch> batches = new ArrayList<>();
  private final List<RowKeys> keys = new ArrayList<>();
  private long rows;

  SortBuffer(OrderingKeys ordering, OperatorMemory memory, TaskContext context) {
    this.ordering = ordering;
    this.memory = memory;
    this.context = context;
  }

  long rows() {
    return rows;
  }

  List<Batch> batches() {
    return batches;
  }

  /** Takes the rows of a batch; false if memory is refused. */
  boolean tryAdd(Batch batch, RowKeys batchKeys) {
    Batch kept = memory.tryKeep(batch, extra(batch, batchKeys));
    if (kept == null) {
      return false;
    }
    add(kept, batchKeys);
    return true;
  }

  /** Takes the rows of a batch, or fails. */
  void addOrFail(Batch batch, RowKeys batchKeys) {
    add(memory.keep(batch, extra(batch, batchKeys)), batchKeys);
  }

  private void add(Batch kept, RowKeys batchKeys) {
    batches.add(kept);
    keys.add(batchKeys);
    rows += kept.rowCount();
  }

  private long extra(Batch batch, RowKeys batchKeys) {
    long sorting = (long) KeySort.bytesPerRow(ordering.layout()) * batch.rowCount();
    long whole = OperatorMemory.ofRows(batch) + batchKeys.sizeInBytes() + sorting;
    return batchKeys.sizeInBytes() + sorting + whole / 8;
  }

  KeySort.Order sort() {
    return KeySort.sort(keys, context.query().cancellation()::check);
  }

  /** Keeps only the first rows in order, as one batch. */
  void keepFirst(KeySort.Order order, int count) {
    Batch first =
        Gather.rows(batches.get(0).schema(), batches, order.blocks(), order.rows(), 0, count);
    clear();
    RowKeys firstKeys = ordering.of(first);
    addOrFail(first, firstKeys);
  }

  /** Forgets all rows and gives their memory back. */
  void clear() {
    batches.clear();
    keys.clear();
    rows = 0;
    memory.forget();
  }

  /** A batch without dictionaries, which would be counted in full with each of its parts. */
  static Batch flat(Batch batch) {
    List<Column> columns = new ArrayList<>();
    for (Column column : batch.columns()) {
      columns.add(column.flat());
    }
    return new Batch(batch.schema(), columns, batch.rowCount());
  }
}
