package dev.varve.bench.arrow;

import org.apache.arrow.vector.VectorSchemaRoot;

/** Takes a result batch by batch. The vectors are valid during the call only. */
@FunctionalInterface
public interface ArrowSink {
  void accept(VectorSchemaRoot batch);

  /** Looks at the number of rows: what a timed run does. */
  static ArrowSink counting() {
    return batch -> batch.getRowCount();
  }
}
