package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.runtime.BatchQueue;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Merges sorted sources that other tasks fill; see {@link SortedMerge}. */
final class MergeStream extends OperatorStream {
  /** Where sorted batches come from. Confined to the merging task. */
  interface Source extends SortedMerge.Source {
    /** Starts what works ahead, if anything does. */
    void prepare();

    /** A batch of at most this many rows if it is there already. */
    @Nullable Batch nextWithoutWaiting(int mostRows);

    void close();
  }

  private final List<Source> sources;
  private final long fetch;
  private final SortedMerge merge;
  private boolean started;

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
    this.fetch = fetch.orElse(Long.MAX_VALUE);
    List<SortedMerge.Source> timed = new ArrayList<>();
    for (Source source : sources) {
      timed.add(() -> load(source));
    }
    this.merge =
        new SortedMerge(
            schema(), timed, new OrderingKeys(ordering, context), context.batchSize(), this.fetch);
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
      if (fetch > 0) {
        sources.forEach(Source::prepare);
      }
    }
    Batch batch = merge.next();
    if (batch == null) {
      sources.forEach(Source::close);
    }
    return batch;
  }

  private @Nullable Batch load(Source source) {
    context.checkpoint();
    long start = System.nanoTime();
    Batch batch = source.next();
    metrics().exclude(System.nanoTime() - start);
    return batch;
  }

  @Override
  void release() {
    sources.forEach(Source::close);
    merge.close();
  }
}
