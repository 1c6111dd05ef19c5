package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted sources by their encoded keys, in a heap of one cursor a source. The first source's
 * rows up to the next source's key are found by galloping: a long run goes on as a slice, without a
 * copy; short ones are gathered to batches of the wanted size. Equal keys come in the sequence of
 * the sources. While batches have no more rows than are wanted of one, at most two of a source are
 * held here. Confined to one task.
 */
final class SortedMerge {
  /** Where sorted batches come from. */
  interface Source {
    /** The next batch, waiting for it; null at the end. */
    @Nullable Batch next();
  }

  /**
   * Where a source stands. Of a batch the first and last key are encoded at once, the others when
   * one of them is looked at: a batch that comes before all others as a whole never needs them.
   */
  private static final class Cursor {
    private final int index;
    private final Source source;
    private final OrderingKeys ordering;
    private Batch batch;
    private Column[] columns;
    private RowKeys ends;
    private @Nullable RowKeys all;
    private int row;
    private int slot = -1;

    private Cursor(int index, Source source, OrderingKeys ordering, Batch batch) {
      this.index = index;
      this.source = source;
      this.ordering = ordering;
      this.batch = batch;
      this.columns = ordering.columns(batch);
      this.ends = ends();
    }

    private void take(Batch next) {
      batch = next;
      columns = ordering.columns(next);
      ends = ends();
      all = null;
      row = 0;
      slot = -1;
    }

    private RowKeys ends() {
      Column[] both = new Column[columns.length];
      int[] rows = {0, batch.rowCount() - 1};
      for (int k = 0; k < both.length; k++) {
        both[k] = columns[k].take(rows, 2);
      }
      return ordering.encode(both, 2);
    }

    private int remaining() {
      return batch.rowCount() - row;
    }

    private int compare(int at, Cursor other, int otherAt) {
      return keys(at).compare(number(at), other.keys(otherAt), other.number(otherAt));
    }

    private boolean isEnd(int at) {
      return at == 0 || at == batch.rowCount() - 1;
    }

    private int number(int at) {
      return at == 0 ? 0 : at == batch.rowCount() - 1 ? 1 : at;
    }

    private RowKeys keys(int at) {
      if (isEnd(at)) {
        return ends;
      }
      RowKeys encoded = all;
      if (encoded == null) {
        encoded = ordering.encode(columns, batch.rowCount());
        all = encoded;
      }
      return encoded;
    }
  }

  private final Schema schema;
  private final List<? extends Source> sources;
  private final OrderingKeys ordering;
  private final int batchSize;
  private final int longRun;
  private long left;
  private Cursor[] heap = {};
  private int heapSize;
  private boolean started;
  private final List<Batch> pending = new ArrayList<>();
  private final int[] which;
  private final int[] rows;
  private int pendingRows;

  /**
   * @param batchSize rows of a batch that is put together
   * @param fetch no more rows than these are given
   */
  SortedMerge(
      Schema schema,
      List<? extends Source> sources,
      OrderingKeys ordering,
      int batchSize,
      long fetch) {
    this.schema = schema;
    this.sources = List.copyOf(sources);
    this.ordering = ordering;
    this.batchSize = batchSize;
    this.longRun = Math.max(1, batchSize / 4);
    this.left = fetch;
    this.which = new int[batchSize];
    this.rows = new int[batchSize];
  }

  /** The next rows in order; null at the end. */
  @Nullable Batch next() {
    if (!started) {
      started = true;
      if (left > 0) {
        start();
      }
    }
    while (heapSize > 0 && left > 0) {
      Cursor top = heap[0];
      int run = heapSize == 1 ? top.remaining() : runLength(top, challenger());
      if (run >= longRun) {
        if (pendingRows > 0) {
          return flush();
        }
        int count = (int) Math.min(Math.min(run, batchSize), left);
        Batch slice = top.batch.slice(top.row, count);
        left -= count;
        advance(top, count);
        return slice.withSchema(schema);
      }
      int count = (int) Math.min(Math.min(run, batchSize - pendingRows), left);
      if (top.slot < 0) {
        top.slot = pending.size();
        pending.add(top.batch);
      }
      for (int i = 0; i < count; i++) {
        which[pendingRows] = top.slot;
        rows[pendingRows++] = top.row + i;
      }
      left -= count;
      advance(top, count);
      if (pendingRows == batchSize) {
        return flush();
      }
    }
    if (pendingRows > 0) {
      return flush();
    }
    return null;
  }

  private void start() {
    heap = new Cursor[sources.size()];
    for (int i = 0; i < sources.size(); i++) {
      Batch batch = sources.get(i).next();
      if (batch != null) {
        heap[heapSize++] = new Cursor(i, sources.get(i), ordering, batch);
      }
    }
    for (int i = heapSize / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  private Batch flush() {
    Batch merged = Gather.rows(schema, pending, which, rows, 0, pendingRows);
    pending.clear();
    pendingRows = 0;
    for (int i = 0; i < heapSize; i++) {
      heap[i].slot = -1;
    }
    return merged;
  }

  private void advance(Cursor top, int count) {
    top.row += count;
    if (top.remaining() == 0) {
      Batch next = top.source.next();
      if (next == null) {
        heap[0] = heap[--heapSize];
      } else {
        top.take(next);
      }
    }
    if (heapSize > 1) {
      siftDown(0);
    }
  }

  private Cursor challenger() {
    return heapSize == 2 || comesBefore(heap[1], heap[2]) ? heap[1] : heap[2];
  }

  private static boolean comesBefore(Cursor a, Cursor b) {
    int order = a.compare(a.row, b, b.row);
    return order < 0 || (order == 0 && a.index < b.index);
  }

  /** How many rows from the cursor's on come before the challenger's: at least one. */
  private static int runLength(Cursor top, Cursor challenger) {
    int most = top.batch.rowCount();
    if (rowComesBefore(top, most - 1, challenger)) {
      return most - top.row;
    }
    int step = 1;
    int low = top.row;
    int high = top.row + 1;
    while (high < most && rowComesBefore(top, high, challenger)) {
      low = high;
      step *= 2;
      high = Math.min(most, high + step);
    }
    if (high == most && low == most - 1) {
      return most - top.row;
    }
    high = Math.min(high, most);
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (rowComesBefore(top, middle, challenger)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low + 1 - top.row;
  }

  private static boolean rowComesBefore(Cursor top, int row, Cursor challenger) {
    int order = top.compare(row, challenger, challenger.row);
    return order < 0 || (order == 0 && top.index < challenger.index);
  }

  private void siftDown(int from) {
    int at = from;
    Cursor moving = heap[at];
    while (2 * at + 1 < heapSize) {
      int child = 2 * at + 1;
      if (child + 1 < heapSize && comesBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!comesBefore(heap[child], moving)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moving;
  }

  /** Lets go of the batches. */
  void close() {
    heapSize = 0;
    heap = new Cursor[0];
    pending.clear();
    pendingRows = 0;
  }
}
