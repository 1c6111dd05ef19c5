package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.type.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Where one producer of an exchange puts the batches that are refused memory. The producer alone
 * appends; the readers of all outputs take what is theirs. A file that has become large gets no
 * more batches and goes when its last one has been taken. Safe for concurrent use.
 */
final class ExchangeSpill {
  private static final long LARGE_FILE_BYTES = 64L << 20;
  private static final long BATCH_BYTES = 1 << 20;

  private final Schema schema;
  private final MetricSet metrics;
  private @Nullable Store current;

  ExchangeSpill(Schema schema, MetricSet metrics) {
    this.schema = schema;
    this.metrics = metrics;
  }

  /** A file with the number of batches in it that are wanted; guarded by itself. */
  private static final class Store {
    private final SpillFile file;
    private int wanted;
    private boolean complete;

    private Store(SpillFile file) {
      this.file = file;
    }

    synchronized void complete() {
      complete = true;
      removeIfDone();
    }

    synchronized void want() {
      wanted++;
    }

    synchronized void taken() {
      wanted--;
      removeIfDone();
    }

    private void removeIfDone() {
      if (complete && wanted == 0) {
        file.close();
      }
    }
  }

  /** A batch on disk, to be read or dropped once. */
  static final class Spilled {
    private final Store store;
    private final SpillFile.Segment segment;

    private Spilled(Store store, SpillFile.Segment segment) {
      this.store = store;
      this.segment = segment;
    }

    BatchStream read() {
      return store.file.read(segment);
    }

    void drop() {
      store.taken();
    }
  }

  /** Called by the producer's task. */
  Spilled append(Batch batch, TaskContext task) {
    Store store = current;
    if (store == null) {
      store =
          new Store(
              task.blocking(
                  () -> task.query().spill().create("RepartitionExec", schema, BATCH_BYTES)));
      current = store;
      metrics.add("spill_files", 1);
    }
    SpillFile file = store.file;
    long before = file.sizeInBytes();
    SpillFile.Segment segment =
        task.blocking(
            () -> {
              SpillFile.Segment written = file.append(batch);
              file.flush();
              return written;
            });
    store.want();
    metrics.add("spilled_rows", batch.rowCount());
    metrics.add("spilled_bytes", file.sizeInBytes() - before);
    if (file.sizeInBytes() >= LARGE_FILE_BYTES) {
      finish();
    }
    return new Spilled(store, segment);
  }

  /** The producer has no more batches. */
  void finish() {
    Store store = current;
    if (store != null) {
      current = null;
      store.file.seal();
      store.complete();
    }
  }
}
