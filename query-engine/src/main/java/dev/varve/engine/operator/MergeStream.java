package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.runtime.BatchQueue;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted sources by their encoded keys, in a heap of one cursor a source. The first source's
 * rows up to the next source's key are found by galloping: a long run goes on as a slice, without a
 * copy; short ones are gathered to full batches. Equal keys come in the sequence of the sources. At
 * most two batches of a source are held here.
 */
final class MergeStream extends OperatorStream {
  /** Where sorted batches come from. Confined to the merging task. */
  interface Source {
    /** Starts what works ahead, if anything does. */
    void prepare();

    /** The next batch, waiting for it; null at the end. */
    @Nullable Batch next();

    /** A batch of at most this many rows if it is there already. */
    @Nullable Batch nextWithoutWaiting(int mostRows);

    void close();
  }

  private static final class Cursor {
    private final int index;
    private final Source source;
    private Batch batch;
    private RowKeys keys;
    private int row;
    private int slot = -1;

    private Cursor(int index, Source source, Batch batch, RowKeys keys) {
      this.index = index;
      this.source = source;
      this.batch = batch;
      this.keys = keys;
    }

    private int remaining() {
      return batch.rowCount() - row;
    }
  }

  private final List<Source> sources;
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

  MergeStream(PhysicalPlan node, List<Source> sources, LexOrdering ordering, TaskContext context) {
    this(node, sources, ordering, OptionalLong.empty(), context);
  }

  MergeStream(
      PhysicalPlan node,
      PhysicalPlan input,
      LexOrdering ordering,
      OptionalLong fetch,
      TaskContext context) {
    this(node, partitions(input, context), ordering, fetch, context);
  }

  private MergeStream(
      PhysicalPlan node,
      List<Source> sources,
      LexOrdering ordering,
      OptionalLong fetch,
      TaskContext context) {
    super(node, context);
    this.sources = sources;
    this.ordering = new OrderingKeys(ordering, context);
    this.batchSize = context.batchSize();
    this.longRun = Math.max(1, batchSize / 4);
    this.left = fetch.orElse(Long.MAX_VALUE);
    this.which = new int[batchSize];
    this.rows = new int[batchSize];
  }

  private static List<Source> partitions(PhysicalPlan input, TaskContext context) {
    List<Source> sources = new ArrayList<>();
    for (int p = 0; p < input.properties().partitioning().count(); p++) {
      sources.add(new PartitionSource(input, p, context));
    }
    return sources;
  }

  /** A partition that a task of its own reads one batch ahead. */
  private static final class PartitionSource implements Source {
    private final PhysicalPlan plan;
    private final int partition;
    private final TaskContext context;
    private final BatchQueue queue;

    private PartitionSource(PhysicalPlan plan, int partition, TaskContext context) {
      this.plan = plan;
      this.partition = partition;
      this.context = context;
      this.queue = new BatchQueue(context.query(), 1, 1);
    }

    @Override
    public void prepare() {
      Producers.start(plan, partition, queue, context);
    }

    @Override
    public @Nullable Batch next() {
      return queue.take(context);
    }

    @Override
    public @Nullable Batch nextWithoutWaiting(int mostRows) {
      return null;
    }

    @Override
    public void close() {
      queue.close();
    }
  }

  @Override
  @Nullable Batch produce() {
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
        return slice.withSchema(schema());
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
    closeSources();
    return null;
  }

  private void start() {
    sources.forEach(Source::prepare);
    heap = new Cursor[sources.size()];
    for (int i = 0; i < sources.size(); i++) {
      Batch batch = load(sources.get(i));
      if (batch != null) {
        heap[heapSize++] = new Cursor(i, sources.get(i), batch, ordering.of(batch));
      }
    }
    for (int i = heapSize / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  private @Nullable Batch load(Source source) {
    context.checkpoint();
    long start = System.nanoTime();
    Batch batch = source.next();
    metrics().exclude(System.nanoTime() - start);
    return batch;
  }

  private Batch flush() {
    Batch merged = Gather.rows(schema(), pending, which, rows, 0, pendingRows);
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
      Batch next = load(top.source);
      if (next == null) {
        heap[0] = heap[--heapSize];
      } else {
        top.batch = next;
        top.keys = ordering.of(next);
        top.row = 0;
        top.slot = -1;
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
    int order = a.keys.compare(a.row, b.keys, b.row);
    return order < 0 || (order == 0 && a.index < b.index);
  }

  /** How many rows from the cursor's on come before the challenger's: at least one. */
  private static int runLength(Cursor top, Cursor challenger) {
    int most = top.batch.rowCount();
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
    int order = top.keys.compare(row, challenger.keys, challenger.row);
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

  private void closeSources() {
    sources.forEach(Source::close);
  }

  @Override
  void release() {
    closeSources();
    heapSize = 0;
    heap = new Cursor[0];
    pending.clear();
  }
}
