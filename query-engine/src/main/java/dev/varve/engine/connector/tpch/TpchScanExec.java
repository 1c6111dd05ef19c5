package dev.varve.engine.connector.tpch;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Generates a range of the primary keys in each partition, in key order. */
final class TpchScanExec<E extends TpchEntity> implements PhysicalPlan {
  private final TpchTable<E> table;
  private final double scale;
  private final List<TpchColumn<E>> columns;
  private final Schema schema;
  private final Statistics statistics;
  private final PlanProperties properties;
  private final MetricSet metrics = new MetricSet();

  private TpchScanExec(
      TpchTable<E> table,
      double scale,
      List<TpchColumn<E>> columns,
      Schema schema,
      Statistics statistics,
      PlanProperties properties) {
    this.table = table;
    this.scale = scale;
    this.columns = columns;
    this.schema = schema;
    this.statistics = statistics;
    this.properties = properties;
  }

  static <E extends TpchEntity> TpchScanExec<E> create(
      TpchTable<E> table,
      double scale,
      Schema tableSchema,
      List<Integer> projection,
      List<Integer> orderedBy,
      int partitions,
      Statistics tableStatistics) {
    Schema schema = tableSchema.select(projection.stream().mapToInt(i -> i).toArray());
    EquivalenceProperties equivalences = EquivalenceProperties.of(schema);
    List<SortExpr> keys = new ArrayList<>();
    for (int column : orderedBy) {
      int position = projection.indexOf(column);
      if (position < 0) {
        break;
      }
      keys.add(new SortExpr(ColumnExpr.of(schema, position), SortOptions.ASC));
    }
    if (!keys.isEmpty()) {
      // Part i of the generator has smaller keys than part i + 1.
      equivalences = equivalences.withOrderingAcross(new LexOrdering(keys));
    }
    return new TpchScanExec<>(
        table,
        scale,
        projection.stream().map(i -> table.getColumns().get(i)).toList(),
        schema,
        new Statistics(
            tableStatistics.rowCount(),
            tableStatistics.totalBytes(),
            projection.stream().map(i -> tableStatistics.columns().get(i)).toList()),
        PlanProperties.of(new Partitioning.Unknown(partitions), equivalences));
  }

  @Override
  public String name() {
    return "TpchScanExec";
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
  public String details() {
    return table.getTableName()
        + ", scale="
        + scale
        + ", partitions="
        + properties.partitioning().count()
        + properties.outputOrdering().map(o -> ", order=" + o).orElse("");
  }

  @Override
  public MetricSet metrics() {
    return metrics;
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    Iterator<E> rows =
        table.createGenerator(scale, partition + 1, properties.partitioning().count()).iterator();
    return new Generator(rows, context);
  }

  private final class Generator implements BatchStream {
    private final Iterator<E> rows;
    private final TaskContext context;

    Generator(Iterator<E> rows, TaskContext context) {
      this.rows = rows;
      this.context = context;
    }

    @Override
    public Schema schema() {
      return schema;
    }

    @Override
    public @Nullable Batch next() {
      context.checkpoint();
      if (!rows.hasNext()) {
        return null;
      }
      long start = System.nanoTime();
      int limit = context.batchSize();
      List<ColumnBuilder> builders =
          schema.fields().stream().map(f -> ColumnBuilder.of(f.type(), limit)).toList();
      int count = 0;
      while (count < limit && rows.hasNext()) {
        E row = rows.next();
        for (int i = 0; i < builders.size(); i++) {
          append(builders.get(i), columns.get(i), row);
        }
        count++;
      }
      metrics.add("output_rows", count);
      metrics.add("output_batches", 1);
      metrics.add("elapsed_compute_nanos", System.nanoTime() - start);
      return new Batch(schema, builders.stream().map(ColumnBuilder::build).toList(), count);
    }

    private void append(ColumnBuilder builder, TpchColumn<E> column, E row) {
      switch (column.getType().getBase()) {
        case INTEGER -> builder.appendInt(column.getInteger(row));
        case IDENTIFIER -> builder.appendLong(column.getIdentifier(row));
        case DATE -> builder.appendInt(column.getDate(row));
        case DOUBLE -> builder.appendLong(Math.round(column.getDouble(row) * 100));
        case VARCHAR -> builder.appendString(column.getString(row));
      }
    }

    @Override
    public void close() {}
  }
}
