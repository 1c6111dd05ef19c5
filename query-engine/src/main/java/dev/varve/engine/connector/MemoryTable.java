package dev.varve.engine.connector;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.operator.ValuesExec;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A small table whose rows are made when it is scanned. Rows are Java objects as {@link
 * ColumnBuilder#append} takes them.
 */
public final class MemoryTable implements SourceTable {
  private final Schema schema;
  private final Supplier<List<List<@Nullable Object>>> rows;

  public MemoryTable(Schema schema, Supplier<List<List<@Nullable Object>>> rows) {
    this.schema = schema;
    this.rows = rows;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public Statistics statistics() {
    return Statistics.unknown(schema);
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    Batch batch = toBatch(schema, rows.get()).select(request.projectionArray());
    return new ValuesExec(batch.schema(), batch.rowCount() == 0 ? List.of() : List.of(batch));
  }

  /** Rows of objects as one batch. */
  public static Batch toBatch(Schema schema, List<List<@Nullable Object>> rows) {
    List<ColumnBuilder> builders =
        schema.fields().stream().map(f -> ColumnBuilder.of(f.type(), rows.size())).toList();
    for (List<@Nullable Object> row : rows) {
      for (int i = 0; i < builders.size(); i++) {
        builders.get(i).append(row.get(i));
      }
    }
    return new Batch(schema, builders.stream().map(ColumnBuilder::build).toList(), rows.size());
  }
}
