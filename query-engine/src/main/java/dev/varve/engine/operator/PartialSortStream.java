package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Sorts its input segment by segment. A segment ends between two rows that differ in the leading
 * keys, once it has a batch of rows: many small ties are sorted at once, and a tie of any size is
 * sorted as a whole, on disk if need be. Confined to one task.
 */
final class PartialSortStream implements BatchStream {
  private final PartialSortExec node;
  private final BatchStream input;
  private final OrderingKeys prefix;
  private final TaskContext context;
  private long left;
  private boolean ended;
  private @Nullable Batch rest;
  private @Nullable RowKeys lastKeys;
  private @Nullable SortStream sort;

  PartialSortStream(PartialSortExec node, BatchStream input, TaskContext context) {
    this.node = node;
    this.input = input;
    this.prefix = new OrderingKeys(node.inputOrdering(), context);
    this.context = context;
    this.left = node.fetch().orElse(Long.MAX_VALUE);
  }

  @Override
  public Schema schema() {
    return node.schema();
  }

  @Override
  public @Nullable Batch next() {
    while (left > 0) {
      SortStream current = sort;
      if (current == null) {
        if (ended) {
          break;
        }
        current = new SortStream(node, node.ordering(), new Segment(), context);
        sort = current;
      }
      Batch batch = current.next();
      if (batch == null) {
        current.close();
        sort = null;
        continue;
      }
      int count = (int) Math.min(left, batch.rowCount());
      left -= count;
      if (left == 0) {
        close();
      }
      return batch.slice(0, count);
    }
    close();
    return null;
  }

  /** The input's next rows up to the end of a tie. */
  private final class Segment implements BatchStream {
    private long rows;
    private boolean complete;

    @Override
    public Schema schema() {
      return node.schema();
    }

    @Override
    public @Nullable Batch next() {
      if (complete || ended) {
        return null;
      }
      Batch batch = rest != null ? rest : input.next();
      rest = null;
      if (batch == null) {
        ended = true;
        return null;
      }
      RowKeys keys = prefix.of(batch);
      int end = batch.rowCount();
      if (rows >= context.batchSize()) {
        end = endOfTie(keys);
        complete = end < batch.rowCount();
        rest = complete ? batch.slice(end, batch.rowCount() - end) : null;
      }
      if (end == 0) {
        return null;
      }
      lastKeys = keys;
      rows += end;
      return batch.slice(0, end);
    }

    /** Up to the first row that differs from the last of the batch before. */
    private int endOfTie(RowKeys keys) {
      RowKeys before = lastKeys;
      int end = 0;
      while (before != null && end < keys.count() && keys.equal(end, before, before.count() - 1)) {
        end++;
      }
      return end;
    }

    /** The input goes on in the next segment. */
    @Override
    public void close() {}
  }

  @Override
  public void close() {
    left = 0;
    SortStream current = sort;
    if (current != null) {
      current.close();
      sort = null;
    }
    rest = null;
    input.close();
  }
}
