package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.Cancellation;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Batches of several partitions that one consumer takes partition by partition. The partition whose
 * turn it is may be a few batches ahead of the consumer; those after it go on as long as their
 * batches can be reserved, and wait for their turn when they cannot. So the consumer never waits
 * for memory. Safe for concurrent use.
 */
final class ReadAhead implements AutoCloseable {
  private static final int BATCHES_OF_THE_CURRENT = 8;

  /** What may wait for its turn, however much the pool would give. */
  private static final long MOST_BYTES = 256L << 20;

  /** And which part of the pool: the partition whose turn it is reads with what is left. */
  private static final int SHARE_OF_POOL = 8;

  private static final class Partition {
    private final Deque<Batch> batches = new ArrayDeque<>();
    private final Deque<Long> reserved = new ArrayDeque<>();
    private boolean done;
  }

  private final Cancellation cancellation;
  private final OperatorMemory memory;
  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Integer, Partition> open = new HashMap<>();
  private int current;
  private boolean closed;

  ReadAhead(QueryContext query, OperatorMemory memory) {
    this.cancellation = query.cancellation();
    this.memory = memory;
    this.mostBytes = Math.min(MOST_BYTES, query.memory().limit() / SHARE_OF_POOL);
    cancellation.onCancel(this::wake);
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Starts a task that reads one partition; partitions are started in their sequence. */
  void start(PhysicalPlan plan, int partition, TaskContext context) {
    Partition state = new Partition();
    lock.lock();
    try {
      open.put(partition, state);
    } finally {
      lock.unlock();
    }
    context.spawn(plan.name() + "[" + partition + "]", task -> run(plan, partition, state, task));
  }

  private void run(PhysicalPlan plan, int partition, Partition state, TaskContext task) {
    try (BatchStream stream = plan.execute(partition, task)) {
      Batch batch;
      boolean wanted = !isClosed();
      while (wanted && (batch = stream.next()) != null) {
        task.checkpoint();
        wanted = put(partition, state, batch, task);
      }
    }
    // After a failure the consumer must see the query's end, not what looks like the end of rows.
    lock.lock();
    try {
      state.done = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean put(int partition, Partition state, Batch batch, TaskContext task) {
    long bytes = OperatorMemory.ofRows(batch);
    if (!offer(partition, state, batch, bytes, false)) {
      task.blocking(() -> offer(partition, state, batch, bytes, true));
    }
    cancellation.check();
    return !isClosed();
  }

  /** Whether the batch needs no more waiting: it is in, or nobody will take it. */
  private boolean offer(int partition, Partition state, Batch batch, long bytes, boolean wait) {
    lock.lock();
    try {
      while (!closed && !cancellation.isCanceled()) {
        if (partition == current) {
          if (state.batches.size() < BATCHES_OF_THE_CURRENT) {
            add(state, batch, 0);
            return true;
          }
        } else if (memory.size() + bytes <= mostBytes && memory.tryGrow(bytes)) {
          add(state, batch, bytes);
          return true;
        }
        if (!wait) {
          return false;
        }
        changed.awaitUninterruptibly();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void add(Partition state, Batch batch, long reserved) {
    state.batches.add(batch);
    state.reserved.add(reserved);
    changed.signalAll();
  }

  /** The next batch of a partition, which from now on is the current one; null at its end. */
  @Nullable Batch take(int partition, TaskContext context) {
    Batch batch = poll(partition);
    if (batch == null) {
      context.blocking(
          () -> {
            await(partition);
            return true;
          });
      batch = poll(partition);
    }
    cancellation.check();
    return batch;
  }

  private @Nullable Batch poll(int partition) {
    lock.lock();
    try {
      if (current != partition) {
        current = partition;
        changed.signalAll();
      }
      Partition state = open.get(partition);
      Batch batch = state == null ? null : state.batches.poll();
      if (state != null && batch != null) {
        memory.shrink(state.reserved.remove());
        changed.signalAll();
      } else if (state != null && state.done) {
        open.remove(partition);
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void await(int partition) {
    lock.lock();
    try {
      Partition state = open.get(partition);
      while (state != null
          && state.batches.isEmpty()
          && !state.done
          && !closed
          && !cancellation.isCanceled()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The consumer wants no more: what waits is dropped and the tasks stop. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        open.clear();
        changed.signalAll();
        memory.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
