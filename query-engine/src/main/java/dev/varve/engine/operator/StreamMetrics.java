package dev.varve.engine.operator;

import dev.varve.engine.runtime.MetricSet;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one stream. Confined to one task. */
final class StreamMetrics {
  private final MetricSet node;
  private final LongAdder rows;
  private final LongAdder batches;
  private final LongAdder nanos;
  private long started;
  private long excluded;

  StreamMetrics(MetricSet node) {
    this.node = node;
    this.rows = node.counter("output_rows");
    this.batches = node.counter("output_batches");
    this.nanos = node.counter("elapsed_compute_nanos");
  }

  void start() {
    excluded = 0;
    started = System.nanoTime();
  }

  void exclude(long waited) {
    excluded += waited;
  }

  void stop() {
    nanos.add(Math.max(0, System.nanoTime() - started - excluded));
  }

  void output(int rowCount) {
    rows.add(rowCount);
    batches.increment();
  }

  void add(String name, long amount) {
    node.add(name, amount);
  }
}
