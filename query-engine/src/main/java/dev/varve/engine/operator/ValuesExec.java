package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.Collections;
import java.util.List;

/** Rows that are part of the plan, in one partition. */
public final class ValuesExec extends PlanNode {
  private final List<Batch> batches;

  public ValuesExec(Schema schema, List<Batch> batches) {
    super(
        schema,
        List.of(),
        PlanProperties.of(new Partitioning.Unknown(1), EquivalenceProperties.of(schema)));
    this.batches =
        batches.stream().filter(b -> b.rowCount() > 0).map(b -> b.withSchema(schema)).toList();
  }

  List<Batch> batches() {
    return batches;
  }

  private long rows() {
    return batches.stream().mapToLong(Batch::rowCount).sum();
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return this;
  }

  @Override
  Statistics estimate() {
    return new Statistics(
        Precision.exact(rows()),
        Precision.exact(batches.stream().mapToLong(Batch::sizeInBytes).sum()),
        Collections.nCopies(schema().size(), ColumnStatistics.UNKNOWN));
  }

  @Override
  public String details() {
    return "rows=" + rows();
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new ValuesStream(this, batches, context);
  }
}
