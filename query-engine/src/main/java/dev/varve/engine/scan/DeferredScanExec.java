package dev.varve.engine.scan;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.List;

/**
 * The leaf that stands for a scan of very many files until the filters have reached it: only then
 * it is asked which files there are, so that facts of the others are never loaded. It promises
 * nothing, and is never in a finished plan: every leaf is offered filters, if only none.
 */
final class DeferredScanExec implements PhysicalPlan {
  private final ScanSpec spec;
  private final SnapshotFiles files;
  private final Statistics statistics;
  private final Schema schema;
  private final PlanProperties properties;
  private final MetricSet metrics = new MetricSet();

  DeferredScanExec(ScanSpec spec, SnapshotFiles files, Statistics statistics) {
    this.spec = spec;
    this.files = files;
    this.statistics = statistics;
    this.schema = spec.table().schema(spec.output());
    this.properties =
        PlanProperties.of(new Partitioning.Unknown(1), EquivalenceProperties.of(schema));
  }

  @Override
  public String name() {
    return "DeferredScanExec";
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
  public Statistics statistics() {
    return statistics;
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    TakenFilters taken = TakenFilters.of(spec, parentFilters, false);
    return new FilterPushdown.Result(DataSourceExec.chosen(taken.spec(), files), taken.outcomes());
  }

  @Override
  public String details() {
    return spec.table().name() + ", columns=" + schema.fields().stream().map(Field::name).toList();
  }

  @Override
  public MetricSet metrics() {
    return metrics;
  }

  @Override
  public String toString() {
    return name() + ": " + details();
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    throw new IllegalStateException("the files of " + spec.table().name() + " were not chosen");
  }
}
