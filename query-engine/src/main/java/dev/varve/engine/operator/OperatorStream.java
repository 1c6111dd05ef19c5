package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What the streams of this package share: they count rows and their own time, notice at every batch
 * that the query has ended, and are counted as open until closed. Confined to one task.
 */
abstract class OperatorStream implements BatchStream {
  private final Schema schema;
  final TaskContext context;
  private final StreamMetrics metrics;
  private boolean ended;
  private boolean closed;

  OperatorStream(PhysicalPlan node, TaskContext context) {
    this.schema = node.schema();
    this.context = context;
    this.metrics = new StreamMetrics(node.metrics());
    context.query().openStreams().incrementAndGet();
  }

  @Override
  public final Schema schema() {
    return schema;
  }

  @Override
  public final @Nullable Batch next() {
    if (ended) {
      return null;
    }
    if (closed) {
      throw new IllegalStateException(getClass().getSimpleName() + " is closed");
    }
    metrics.start();
    try {
      while (true) {
        context.query().cancellation().check();
        Batch batch = produce();
        if (batch == null) {
          ended = true;
          return null;
        }
        if (batch.rowCount() > 0) {
          metrics.output(batch.rowCount());
          return batch;
        }
      }
    } finally {
      metrics.stop();
    }
  }

  /** The next batch, which may be empty; null at the end. */
  abstract @Nullable Batch produce();

  /** The next batch of an input; the time it takes is not this node's. */
  final @Nullable Batch pull(BatchStream input) {
    long start = System.nanoTime();
    try {
      return input.next();
    } finally {
      metrics.exclude(System.nanoTime() - start);
    }
  }

  /** Waits without holding the core; the time is not this node's. */
  final <T> T waiting(Callable<T> wait) {
    long start = System.nanoTime();
    try {
      return context.blocking(wait);
    } finally {
      metrics.exclude(System.nanoTime() - start);
    }
  }

  final StreamMetrics metrics() {
    return metrics;
  }

  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      try {
        release();
      } finally {
        context.query().openStreams().decrementAndGet();
      }
    }
  }

  /** Gives everything back; called once, at the latest when the query ends. */
  abstract void release();
}
