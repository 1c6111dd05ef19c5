package dev.varve.service.flight;

import org.apache.arrow.flight.BackpressureStrategy.CallbackBackpressureStrategy;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Batches to a client, no faster than the client takes them. Written in a thread of its own, since
 * the call's thread is the one that learns when the client is ready or has gone.
 */
abstract class PacedStream {
  static final long POLL_MILLIS = 250;

  private final Schema schema;
  private final BufferAllocator allocator;
  private final ServerStreamListener client;
  private final CallbackBackpressureStrategy pace =
      new CallbackBackpressureStrategy() {
        @Override
        protected void cancelCallback() {
          cancelled();
        }
      };

  PacedStream(Schema schema, BufferAllocator allocator, ServerStreamListener client) {
    this.schema = schema;
    this.allocator = allocator;
    this.client = client;
  }

  /** Fills the root and calls {@link #put} for every batch of it. */
  abstract void write(VectorSchemaRoot root) throws Exception;

  /** Asked now and then while the client is not ready; throws to end the stream. */
  void check() {}

  /** The client has gone, or the stream has failed; called by whatever thread learns of it. */
  void cancelled() {}

  /** Must be called by the thread that serves the call. */
  final void start(String name) {
    pace.register(client);
    // A platform thread: virtual ones wait behind queries that keep their carriers busy.
    Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  private void run() {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
      client.setUseZeroCopy(true);
      client.start(root);
      write(root);
      client.completed();
    } catch (Throwable e) {
      cancelled();
      if (!client.isCancelled()) {
        client.error(FlightErrors.of(e));
      }
    }
  }

  /** Sends what is in the root, which must have buffers of its own, once the client is ready. */
  final void put() {
    while (true) {
      switch (pace.waitForListener(POLL_MILLIS)) {
        case READY -> {
          client.putNext();
          return;
        }
        case CANCELLED -> throw FlightErrors.gone();
        case TIMEOUT, OTHER -> check();
      }
    }
  }
}
