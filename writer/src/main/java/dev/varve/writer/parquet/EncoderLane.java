package dev.varve.writer.parquet;

import dev.varve.engine.batch.Column;
import dev.varve.engine.port.WorkContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The encoder of one column and its task. The owner puts in columns and gets sealed chunks out; the
 * task exists only while there is something to encode, so it never waits and holds a core only to
 * compute. At most {@link #QUEUE} columns wait or are being encoded. Everything but {@link #drain}
 * is called by the owner's task.
 */
final class EncoderLane {
  private static final int QUEUE = 2;

  /** Columns this short are encoded faster than a task is started. */
  private static final int SHORT_ROWS = 512;

  private enum State {
    IDLE,
    SCHEDULED,
    RUNNING
  }

  /** A column to encode, or the end of the chunk if there is none. */
  private record Work(@Nullable Column column, long bytes) {}

  private final WorkContext context;
  private final String name;
  private final ColumnEncoder encoder;
  private final boolean parallel;

  // Guarded by this.
  private final Deque<Work> queue = new ArrayDeque<>();
  private final Deque<EncodedChunk> sealed = new ArrayDeque<>();
  private State state = State.IDLE;
  private @Nullable Throwable failure;
  private boolean closed;
  private long queuedBytes;
  private long encoderBytes;
  private long estimatedBytes;

  EncoderLane(WorkContext context, String name, ColumnEncoder encoder, boolean parallel) {
    this.context = context;
    this.name = name;
    this.encoder = encoder;
    this.parallel = parallel;
    this.encoderBytes = encoder.heldBytes();
  }

  /** Queues a column, waiting while the queue is full. */
  void append(Column column) {
    await(() -> queue.size() < QUEUE);
    submit(new Work(column, column.sizeInBytes()), !parallel || column.length() <= SHORT_ROWS);
  }

  /** Queues the end of the chunk; it never waits. */
  void seal() {
    submit(new Work(null, 0), !parallel);
  }

  private void submit(Work work, boolean here) {
    synchronized (this) {
      queue.add(work);
      queuedBytes += work.bytes();
      if (state != State.IDLE) {
        return;
      }
      state = State.SCHEDULED;
    }
    if (here) {
      drain();
      rethrow();
      return;
    }
    boolean started = false;
    try {
      context.spawn(name, this::drain);
      started = true;
    } finally {
      if (!started) {
        unschedule();
      }
    }
  }

  private void drain() {
    synchronized (this) {
      if (state != State.SCHEDULED) {
        return;
      }
      state = State.RUNNING;
    }
    for (Work work = next(); work != null; work = next()) {
      EncodedChunk chunk = null;
      try {
        if (work.column() == null) {
          chunk = encoder.seal();
        } else {
          encoder.append(work.column());
        }
      } catch (Throwable t) {
        fail(t);
        return;
      }
      done(work, chunk);
    }
  }

  /** The work at the head of the queue, which stays there until it is done. */
  private synchronized @Nullable Work next() {
    if (closed) {
      queue.clear();
      queuedBytes = 0;
    }
    Work work = queue.peek();
    if (work == null) {
      state = State.IDLE;
      notifyAll();
    }
    return work;
  }

  private synchronized void done(Work work, @Nullable EncodedChunk chunk) {
    queue.poll();
    queuedBytes -= Math.min(queuedBytes, work.bytes());
    if (chunk != null) {
      sealed.add(chunk);
    }
    encoderBytes = encoder.heldBytes();
    estimatedBytes = encoder.estimatedBytes();
    notifyAll();
  }

  private synchronized void fail(Throwable t) {
    failure = t;
    queue.clear();
    queuedBytes = 0;
    state = State.IDLE;
    notifyAll();
  }

  private synchronized void unschedule() {
    state = State.IDLE;
    queue.clear();
    queuedBytes = 0;
  }

  /** The next sealed chunk if it is ready. */
  synchronized @Nullable EncodedChunk pollSealed() {
    return sealed.poll();
  }

  /** The next sealed chunk; {@link #seal} has been called for it. */
  EncodedChunk takeSealed() {
    await(() -> !sealed.isEmpty());
    EncodedChunk chunk = pollSealed();
    if (chunk == null) {
      throw new IllegalStateException("no chunk of " + name + " is being sealed");
    }
    return chunk;
  }

  /** Waits until all that was queued is encoded. */
  void awaitIdle() {
    await(() -> state == State.IDLE);
  }

  /** Bytes of queued columns, of the encoder, and of sealed chunks not yet taken. */
  synchronized long heldBytes() {
    long held = queuedBytes + encoderBytes;
    for (EncodedChunk chunk : sealed) {
      held += chunk.heldBytes();
    }
    return held;
  }

  synchronized long estimatedBytes() {
    return estimatedBytes;
  }

  /** Throws away what is queued and waits for the task to end; never throws. */
  void close() {
    synchronized (this) {
      closed = true;
      sealed.clear();
      if (state == State.SCHEDULED) {
        state = State.IDLE;
      }
    }
    try {
      context.blocking(
          () -> {
            waitQuietly();
            return 0;
          });
    } catch (RuntimeException e) {
      // The query has ended and nothing may wait for it any more, but the task still uses memory.
      waitQuietly();
    }
  }

  private void waitQuietly() {
    boolean interrupted = false;
    synchronized (this) {
      while (state == State.RUNNING) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the condition holds, or the encoder has failed, which is thrown. */
  private void await(BooleanSupplier condition) {
    boolean now;
    synchronized (this) {
      now = failure != null || condition.getAsBoolean();
    }
    if (!now) {
      context.blocking(
          () -> {
            synchronized (this) {
              while (failure == null && !condition.getAsBoolean()) {
                wait();
              }
            }
            return 0;
          });
    }
    rethrow();
  }

  private void rethrow() {
    Throwable cause;
    synchronized (this) {
      cause = failure;
    }
    switch (cause) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException("encoding " + name, cause);
    }
  }
}
