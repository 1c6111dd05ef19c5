package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** No rows, or for a SELECT without FROM one row without columns. */
public final class EmptyExec extends PlanNode {
  private final int rows;

  public EmptyExec(Schema schema) {
    this(schema, 0);
  }

  /** {@code rows} rows of nulls. */
  public EmptyExec(Schema schema, int rows) {
    super(
        schema,
        List.of(),
        PlanProperties.of(new Partitioning.Unknown(1), EquivalenceProperties.of(schema)));
    this.rows = rows;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return this;
  }

  @Override
  Statistics estimate() {
    return new Statistics(
        Precision.exact((long) rows),
        Precision.exact(0L),
        Collections.nCopies(schema().size(), ColumnStatistics.UNKNOWN));
  }

  @Override
  public String details() {
    return rows == 0 ? "" : "rows=" + rows;
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    if (rows == 0) {
      return new ValuesStream(this, List.of(), context);
    }
    List<Column> columns = new ArrayList<>();
    for (Field field : schema().fields()) {
      columns.add(ConstantColumn.nulls(field.type(), rows));
    }
    return new ValuesStream(this, List.of(new Batch(schema(), columns, rows)), context);
  }
}
