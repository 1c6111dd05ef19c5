package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A leaf over batches in memory that counts what is done to it and can fail or never end. */
final class TestSource extends PlanNode {
  final List<List<Batch>> partitions;
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger pulled = new AtomicInteger();
  private final Optional<LexOrdering> ordering;
  private int failingPartition = -1;
  private int failAfter;
  private boolean endless;

  TestSource(Schema schema, List<List<Batch>> partitions, Optional<LexOrdering> ordering) {
    super(
        schema,
        List.of(),
        PlanProperties.of(
            new Partitioning.Unknown(partitions.size()),
            ordering.isEmpty()
                ? EquivalenceProperties.of(schema)
                : EquivalenceProperties.of(schema).withOrdering(ordering.get())));
    this.partitions = partitions;
    this.ordering = ordering;
  }

  TestSource(Schema schema, List<List<Batch>> partitions) {
    this(schema, partitions, Optional.empty());
  }

  /** The partition throws instead of giving batch number {@code batch}. */
  TestSource failingIn(int partition, int batch) {
    failingPartition = partition;
    failAfter = batch;
    return this;
  }

  /** Every partition repeats its batches for ever. */
  TestSource endless() {
    endless = true;
    return this;
  }

  Optional<LexOrdering> ordering() {
    return ordering;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return this;
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    opened.incrementAndGet();
    List<Batch> batches = partitions.get(partition);
    return new OperatorStream(this, context) {
      private int next;

      @Override
      @Nullable Batch produce() {
        context.checkpoint();
        pulled.incrementAndGet();
        if (partition == failingPartition && next == failAfter) {
          throw new IllegalStateException("the source failed on purpose");
        }
        if (batches.isEmpty() || (next >= batches.size() && !endless)) {
          return null;
        }
        return batches.get(next++ % batches.size());
      }

      @Override
      void release() {
        closed.incrementAndGet();
      }
    };
  }
}
