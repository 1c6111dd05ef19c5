package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.kernel.gather.Concat;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One output partition of an exchange. The small pieces that a division by hash leaves are put
 * together as far as they are there already.
 */
final class ExchangeStream extends OperatorStream {
  private final MergeStream.Source source;

  ExchangeStream(RepartitionExec node, MergeStream.Source source, TaskContext context) {
    super(node, context);
    this.source = source;
  }

  @Override
  @Nullable Batch produce() {
    context.checkpoint();
    long start = System.nanoTime();
    Batch first = source.next();
    metrics().exclude(System.nanoTime() - start);
    if (first == null) {
      return null;
    }
    int wanted = context.batchSize();
    if (first.rowCount() > wanted / 2) {
      return first;
    }
    List<Batch> pieces = new ArrayList<>();
    pieces.add(first);
    int rows = first.rowCount();
    Batch more;
    while ((more = source.nextWithoutWaiting(wanted - rows)) != null) {
      pieces.add(more);
      rows += more.rowCount();
    }
    return Concat.batches(schema(), pieces);
  }

  @Override
  void release() {
    source.close();
  }
}
