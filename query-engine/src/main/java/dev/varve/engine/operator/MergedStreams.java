package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted streams within one task, for nodes that have several where one is wanted. It owns
 * and closes them. Equal keys come in the sequence of the streams.
 */
public final class MergedStreams implements BatchStream {
  private final Schema schema;
  private final List<BatchStream> streams;
  private final SortedMerge merge;
  private final TaskContext context;

  public MergedStreams(
      Schema schema,
      List<BatchStream> streams,
      LexOrdering ordering,
      OptionalLong fetch,
      TaskContext context) {
    this.schema = schema;
    this.streams = List.copyOf(streams);
    this.context = context;
    this.merge =
        new SortedMerge(
            schema,
            this.streams.stream().<SortedMerge.Source>map(stream -> stream::next).toList(),
            new OrderingKeys(ordering, context),
            context.batchSize(),
            fetch.orElse(Long.MAX_VALUE));
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public @Nullable Batch next() {
    context.query().cancellation().check();
    return merge.next();
  }

  @Override
  public void close() {
    streams.forEach(BatchStream::close);
  }
}
