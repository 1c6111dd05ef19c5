package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides rows by the hash of their keys. Row numbers are sorted by partition, all rows are taken
 * once in that sequence, and each partition gets a slice of the result. Confined to one task.
 */
final class RowDivision {
  private final OrderingKeys keys;
  private final long seed;
  private long[] hashes = {};
  private int[] partitionOf = {};

  /** Rows of a batch that go to one partition. */
  record Part(int partition, Batch batch) {}

  RowDivision(OrderingKeys keys, long seed) {
    this.keys = keys;
    this.seed = seed;
  }

  /** The rows of a batch by partition; partitions without rows are left out. */
  List<Part> divide(Batch batch, int partitions) {
    int rows = batch.rowCount();
    if (hashes.length < rows) {
      hashes = new long[rows];
      partitionOf = new int[rows];
    }
    keys.of(batch).hash(seed, hashes);
    int[] starts = new int[partitions + 1];
    for (int i = 0; i < rows; i++) {
      int partition = (int) Math.unsignedMultiplyHigh(hashes[i], partitions);
      partitionOf[i] = partition;
      starts[partition + 1]++;
    }
    for (int p = 0; p < partitions; p++) {
      starts[p + 1] += starts[p];
    }
    int first = partitionOf[0];
    if (starts[first + 1] - starts[first] == rows) {
      return List.of(new Part(first, batch));
    }
    int[] position = starts.clone();
    int[] order = new int[rows];
    for (int i = 0; i < rows; i++) {
      order[position[partitionOf[i]]++] = i;
    }
    Batch reordered = batch.take(order, rows);
    List<Part> parts = new ArrayList<>(partitions);
    for (int p = 0; p < partitions; p++) {
      int count = starts[p + 1] - starts[p];
      if (count > 0) {
        parts.add(new Part(p, reordered.slice(starts[p], count)));
      }
    }
    return parts;
  }
}
