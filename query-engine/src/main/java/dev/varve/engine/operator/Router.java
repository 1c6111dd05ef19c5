package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;

/** Decides for the batches of one input partition to which output partitions their rows go. */
interface Router {
  List<RowDivision.Part> route(Batch batch);

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
    public List<RowDivision.Part> route(Batch batch) {
      RowDivision.Part part = new RowDivision.Part(next, batch);
      next = next + 1 == partitions ? 0 : next + 1;
      return List.of(part);
    }
  }

  /** Rows by the hash of their keys. */
  final class ByHash implements Router {
    private final RowDivision division;
    private final int partitions;

    private ByHash(OrderingKeys keys, int count, TaskContext context) {
      this.division = new RowDivision(keys, HashSeed.EXCHANGE);
      this.partitions = context.query().settings().get(EngineSettings.CONSTANT_HASH) ? 1 : count;
    }

    @Override
    public List<RowDivision.Part> route(Batch batch) {
      return partitions == 1
          ? List.of(new RowDivision.Part(0, batch))
          : division.divide(batch, partitions);
    }
  }
}
