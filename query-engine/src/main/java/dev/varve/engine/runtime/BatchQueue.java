package dev.varve.engine.runtime;

import dev.varve.engine.batch.Batch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands batches from producing tasks to one consumer, holding at most {@code capacity}. Producers
 * say when they are done; the consumer may close early, upon which they stop. Both sides wake when
 * the query ends. Safe for concurrent use.
 */
public final class BatchQueue {
  private final Cancellation cancellation;
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Batch> batches = new ArrayDeque<>();
  private int producers;
  private boolean closed;

  public BatchQueue(QueryContext query, int capacity, int producers) {
    this.cancellation = query.cancellation();
    this.capacity = capacity;
    this.producers = producers;
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

  /** Waits for room; false if the consumer wants no more. Throws if the query has ended. */
  public boolean put(Batch batch, TaskContext context) {
    if (!offer(batch, false)) {
      context.blocking(() -> offer(batch, true));
    }
    cancellation.check();
    return !isClosed();
  }

  /** Whether the batch needs no more waiting: it is in, or nobody will take it. */
  private boolean offer(Batch batch, boolean wait) {
    lock.lock();
    try {
      while (batches.size() >= capacity && !closed && !cancellation.isCanceled()) {
        if (!wait) {
          return false;
        }
        changed.awaitUninterruptibly();
      }
      if (!closed && !cancellation.isCanceled()) {
        batches.add(batch);
        changed.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** One producer gives no more batches. */
  public void done() {
    lock.lock();
    try {
      producers--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The next batch, or null when all producers are done. Throws if the query has ended. */
  public @Nullable Batch take(TaskContext context) {
    Batch batch = poll();
    if (batch == null) {
      context.blocking(
          () -> {
            await();
            return true;
          });
      batch = poll();
    }
    cancellation.check();
    return batch;
  }

  /** {@link #take} for a thread that is no task. */
  public @Nullable Batch takeOutside() {
    await();
    return poll();
  }

  private @Nullable Batch poll() {
    lock.lock();
    try {
      Batch batch = batches.poll();
      if (batch != null) {
        changed.signalAll();
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void await() {
    lock.lock();
    try {
      while (batches.isEmpty() && producers > 0 && !closed && !cancellation.isCanceled()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  public boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The consumer wants no more: what waits is dropped and producers stop. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      batches.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
