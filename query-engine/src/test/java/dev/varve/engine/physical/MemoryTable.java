package dev.varve.engine.physical;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in memory, in partitions that are sorted by the declared keys. Batches are small. */
final class MemoryTable implements SourceTable {
  private static final int BATCH_ROWS = 16;

  private final Schema schema;
  private final List<ColumnOrder> order;
  private final List<List<@Nullable Object[]>> partitions = new ArrayList<>();
  private final boolean withStatistics;

  MemoryTable(
      Schema schema,
      List<@Nullable Object[]> rows,
      List<ColumnOrder> order,
      int partitionCount,
      boolean withStatistics) {
    this.schema = schema;
    this.order = List.copyOf(order);
    this.withStatistics = withStatistics;
    for (int p = 0; p < partitionCount; p++) {
      List<@Nullable Object[]> part = new ArrayList<>();
      for (int i = p; i < rows.size(); i += partitionCount) {
        part.add(rows.get(i));
      }
      if (!order.isEmpty()) {
        part.sort(comparator(order));
      }
      partitions.add(part);
    }
  }

  static Comparator<@Nullable Object[]> comparator(List<ColumnOrder> order) {
    return (left, right) -> {
      for (ColumnOrder key : order) {
        int compared = compare(left[key.column()], right[key.column()], key.options());
        if (compared != 0) {
          return compared;
        }
      }
      return 0;
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compare(@Nullable Object left, @Nullable Object right, SortOptions options) {
    if (left == null || right == null) {
      return left == right ? 0 : (left == null) == options.nullsFirst() ? -1 : 1;
    }
    int compared = ((Comparable) left).compareTo(right);
    return options.descending() ? -compared : compared;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public Statistics statistics() {
    long rows = partitions.stream().mapToLong(List::size).sum();
    return withStatistics
        ? new Statistics(
            Precision.exact(rows),
            Precision.inexact(rows * 32),
            Collections.nCopies(schema.size(), ColumnStatistics.UNKNOWN))
        : Statistics.unknown(schema);
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    return new Scan(this);
  }

  private record Scan(MemoryTable table) implements PhysicalPlan {
    @Override
    public String name() {
      return "MemoryExec";
    }

    @Override
    public Schema schema() {
      return table.schema;
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
      EquivalenceProperties facts = EquivalenceProperties.of(table.schema);
      if (!table.order.isEmpty()) {
        facts =
            facts.withOrdering(
                new LexOrdering(
                    table.order.stream()
                        .map(
                            key ->
                                new SortExpr(
                                    ColumnExpr.of(table.schema, key.column()), key.options()))
                        .toList()));
      }
      return PlanProperties.of(new Partitioning.Unknown(table.partitions.size()), facts);
    }

    @Override
    public Statistics statistics() {
      return table.statistics();
    }

    @Override
    public MetricSet metrics() {
      return new MetricSet();
    }

    @Override
    public BatchStream execute(int partition, TaskContext context) {
      Iterator<Batch> batches = table.batches(partition).iterator();
      return new BatchStream() {
        @Override
        public Schema schema() {
          return table.schema;
        }

        @Override
        public @Nullable Batch next() {
          return batches.hasNext() ? batches.next() : null;
        }

        @Override
        public void close() {}
      };
    }
  }

  private List<Batch> batches(int partition) {
    List<@Nullable Object[]> rows = partitions.get(partition);
    List<Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += BATCH_ROWS) {
      List<@Nullable Object[]> some = rows.subList(from, Math.min(rows.size(), from + BATCH_ROWS));
      List<Column> columns = new ArrayList<>();
      for (int i = 0; i < schema.size(); i++) {
        ColumnBuilder column = ColumnBuilder.of(schema.type(i), some.size());
        for (@Nullable Object[] row : some) {
          column.append(row[i]);
        }
        columns.add(column.build());
      }
      batches.add(new Batch(schema, columns, some.size()));
    }
    return batches;
  }
}
