package dev.varve.engine.connector.system;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a system table a lake's table at a time. Tables whose names a filter rules out are not
 * looked at.
 */
final class LakeScanExec implements PhysicalPlan {
  private final LakeTable table;
  private final List<Integer> columns;
  private final TableFilter filter;
  private final Schema schema;
  private final PlanProperties properties;
  private final MetricSet metrics = new MetricSet();

  private LakeScanExec(LakeTable table, List<Integer> columns, TableFilter filter) {
    this.table = table;
    this.columns = columns;
    this.filter = filter;
    this.schema = table.schema().select(columns.stream().mapToInt(i -> i).toArray());
    this.properties =
        PlanProperties.of(new Partitioning.Unknown(1), EquivalenceProperties.of(schema));
  }

  static LakeScanExec of(LakeTable table, List<Integer> columns) {
    return new LakeScanExec(table, columns, TableFilter.NONE);
  }

  @Override
  public String name() {
    return "LakeScanExec";
  }

  @Override
  public String details() {
    return table.name() + ", " + filter;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public List<PhysicalPlan> children() {
    return List.of();
  }

  @Override
  public PhysicalPlan withChildren(List<PhysicalPlan> children) {
    return this;
  }

  @Override
  public PlanProperties properties() {
    return properties;
  }

  @Override
  public MetricSet metrics() {
    return metrics;
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    TableFilter taken = filter;
    List<FilterPushdown.Outcome> results = new ArrayList<>();
    for (PhysicalExpr offered : parentFilters) {
      Optional<TableFilter> more = taken.with(offered, columns);
      taken = more.orElse(taken);
      results.add(
          more.isPresent() ? FilterPushdown.Outcome.EXACT : FilterPushdown.Outcome.UNSUPPORTED);
    }
    return new FilterPushdown.Result(new LakeScanExec(table, columns, taken), results);
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    return new Rows(context);
  }

  private final class Rows implements BatchStream {
    private final TaskContext context;
    private @Nullable Iterator<List<@Nullable Object>> rows;

    Rows(TaskContext context) {
      this.context = context;
    }

    @Override
    public Schema schema() {
      return schema;
    }

    @Override
    public @Nullable Batch next() {
      context.checkpoint();
      Iterator<List<@Nullable Object>> all = rows;
      if (all == null) {
        all = table.facts().rows(filter, table.rows());
        rows = all;
      }
      int limit = context.batchSize();
      List<List<@Nullable Object>> some = new ArrayList<>();
      Iterator<List<@Nullable Object>> from = all;
      // The index and the catalog are asked meanwhile.
      context.blocking(
          () -> {
            while (some.size() < limit && from.hasNext()) {
              some.add(from.next());
            }
            return some.size();
          });
      return some.isEmpty() ? null : batch(some);
    }

    private Batch batch(List<List<@Nullable Object>> some) {
      List<ColumnBuilder> builders =
          schema.fields().stream().map(f -> ColumnBuilder.of(f.type(), some.size())).toList();
      for (List<@Nullable Object> row : some) {
        for (int i = 0; i < builders.size(); i++) {
          builders.get(i).append(row.get(columns.get(i)));
        }
      }
      metrics.add("output_rows", some.size());
      return new Batch(schema, builders.stream().map(ColumnBuilder::build).toList(), some.size());
    }

    @Override
    public void close() {}
  }
}
