package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import org.jspecify.annotations.Nullable;

final class CoalesceStream implements BatchStream {
  CoalesceStream(Object... parts) {
    throw new UnsupportedOperationException("not executable yet: " + parts.length);
  }

  static BatchStream of(Object node, BatchStream stream, TaskContext context) {
    return stream;
  }

  BatchStream open(int partition, TaskContext context) {
    return this;
  }

  @Override
  public Schema schema() {
    return Schema.EMPTY;
  }

  @Override
  public @Nullable Batch next() {
    return null;
  }

  @Override
  public void close() {}
}
