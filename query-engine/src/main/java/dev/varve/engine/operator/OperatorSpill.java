package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.spill.SpillScope;
import dev.varve.engine.type.Schema;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The spill files of one stream: it writes and reads without holding the core, counts into the
 * node's metrics, and removes on close what is left. Confined to one task.
 */
final class OperatorSpill implements AutoCloseable {
  private final String consumer;
  private final TaskContext context;
  private final MetricSet metrics;
  private final Set<SpillFile> files = new LinkedHashSet<>();

  /** {@code consumer} is named in messages. */
  OperatorSpill(String consumer, TaskContext context, MetricSet metrics) {
    this.consumer = consumer;
    this.context = context;
    this.metrics = metrics;
  }

  /** Whether there is a place to spill to at all. */
  boolean enabled() {
    return scope().enabled();
  }

  private SpillScope scope() {
    return context.query().spill();
  }

  /** A new file; see {@link SpillScope#create}. */
  SpillFile create(Schema schema, long batchBytes) {
    SpillFile file = context.blocking(() -> scope().create(consumer, schema, batchBytes));
    files.add(file);
    metrics.add("spill_files", 1);
    return file;
  }

  void append(SpillFile file, Batch batch) {
    context.checkpoint();
    long before = file.sizeInBytes();
    context.blocking(() -> file.append(batch));
    metrics.add("spilled_rows", batch.rowCount());
    metrics.add("spilled_bytes", file.sizeInBytes() - before);
  }

  /** All batches of a file. Closing the stream keeps the file. */
  BatchStream read(SpillFile file) {
    return new Unheld(context.blocking(file::read));
  }

  /** Removes a file that is no longer needed. */
  void delete(SpillFile file) {
    files.remove(file);
    file.close();
  }

  /** Removes what is left. */
  @Override
  public void close() {
    files.forEach(SpillFile::close);
    files.clear();
  }

  /** A stream over a device: the core is given back while it works. */
  private final class Unheld implements BatchStream {
    private final BatchStream stream;

    private Unheld(BatchStream stream) {
      this.stream = stream;
    }

    @Override
    public Schema schema() {
      return stream.schema();
    }

    @Override
    public @Nullable Batch next() {
      context.checkpoint();
      // A box, because a wait always has a result.
      @Nullable Batch[] box = new Batch[1];
      context.blocking(
          () -> {
            box[0] = stream.next();
            return box;
          });
      return box[0];
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
