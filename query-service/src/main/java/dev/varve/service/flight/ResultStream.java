package dev.varve.service.flight;

import dev.varve.engine.batch.Batch;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.arrow.ArrowBatches;
import dev.varve.service.query.ClientQuery;
import dev.varve.service.query.ResultBuffer;
import java.time.Duration;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A query's rows to its client. While the client does not take them, the query's buffer is full and
 * the query waits; a client that goes away cancels it.
 */
final class ResultStream extends PacedStream {
  private static final long PAGE_BYTES = 1L << 20;

  private final ClientQuery query;

  ResultStream(
      ClientQuery query, Schema schema, BufferAllocator allocator, ServerStreamListener client) {
    super(schema, allocator, client);
    this.query = query;
  }

  @Override
  void write(VectorSchemaRoot root) throws InterruptedException {
    long token = 0;
    while (token >= 0) {
      ResultBuffer.Page page =
          query.fetch(token, Integer.MAX_VALUE, PAGE_BYTES, Duration.ofMillis(POLL_MILLIS));
      for (Batch batch : page.batches()) {
        send(batch, root);
      }
      token = page.next();
    }
    query.discardResults(
        new VarveException(ErrorCode.NOT_FOUND, "the query's results were fetched already"));
  }

  private void send(Batch batch, VectorSchemaRoot root) {
    int from = 0;
    while (from < batch.rowCount()) {
      int count = ArrowBatches.rowsTogether(batch, from);
      ArrowBatches.copy(batch, from, count, root);
      put();
      from += count;
    }
  }

  @Override
  void check() {
    query
        .failure()
        .ifPresent(
            reason -> {
              throw reason;
            });
  }

  @Override
  void cancelled() {
    query.cancel(FlightErrors.gone());
  }
}
