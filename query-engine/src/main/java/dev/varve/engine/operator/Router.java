package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;

/** Decides for the batches of one input partition to which output partitions their rows go. */
interface Router {
  /** Rows of a batch that go to one partition. */
  record Part(int partition, Batch batch) {}

  List<Part> route(Batch batch);

  static Router of(Partitioning target, int input, int inputs, TaskContext context) {
    return switch (target) {
      case Partitioning.RoundRobinBatch(int count) ->
          new RoundRobin(count, (int) ((long) input * count / inputs));
      case Partitioning.Hash(List<PhysicalExpr> keys, int count) ->
          new ByHash(OrderingKeys.unordered(keys, context), count, context);
      case Partitioning.Range range ->
          throw new IllegalStateException("rows are not divided by " + range);
      case Partitioning.Unknown unknown ->
          throw new IllegalStateException("rows are not divided by " + unknown);
    };
  }

  /** Whole batches in turn; inputs start at different partitions. */
  final class RoundRobin implements Router {
    private final int partitions;
    private int next;

    private RoundRobin(int partitions, int first) {
      this.partitions = partitions;
      this.next = first;
    }

    @Override
    public List<Part> route(Batch batch) {
      Part part = new Part(next, batch);
      next = next + 1 == partitions ? 0 : next + 1;
      return List.of(part);
    }
  }

  /**
   * Rows by the hash of their keys. Row numbers are sorted by partition, all rows are taken once in
   * that sequence, and each partition gets a slice of the result.
   */
  final class ByHash implements Router {
    private final OrderingKeys keys;
    private final int partitions;
    private final boolean constantHash;
    private long[] hashes = {};

    private ByHash(OrderingKeys keys, int partitions, TaskContext context) {
      this.keys = keys;
      this.partitions = partitions;
      this.constantHash = context.query().settings().get(EngineSettings.CONSTANT_HASH);
    }

    @Override
    public List<Part> route(Batch batch) {
      int rows = batch.rowCount();
      if (partitions == 1 || constantHash) {
        return List.of(new Part(0, batch));
      }
      if (hashes.length < rows) {
        hashes = new long[rows];
      }
      keys.of(batch).hash(HashSeed.EXCHANGE, hashes);
      int[] partitionOf = new int[rows];
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
}
