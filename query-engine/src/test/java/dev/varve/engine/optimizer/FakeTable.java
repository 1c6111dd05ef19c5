package dev.varve.engine.optimizer;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SequencedSource;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A source for plan tests: so many files in so many partitions, in an order or not, with or without
 * statistics. It takes comparisons of columns as inexact filters, stops by itself, and arranges
 * itself for its order if every file is verified.
 */
record FakeTable(
    String table,
    Schema schema,
    int partitionCount,
    @Nullable LexOrdering order,
    List<String> unverifiedFiles,
    boolean arranged,
    Precision<Long> rows,
    Precision<Long> bytes,
    List<Long> distinct,
    List<PhysicalExpr> filters,
    OptionalLong fetch,
    @Nullable Partitioning declared)
    implements PhysicalPlan, SequencedSource {

  static FakeTable of(String table, Schema schema) {
    return new FakeTable(
        table,
        schema,
        1,
        null,
        List.of(),
        false,
        Precision.inexact(1_000_000L),
        Precision.inexact(100_000_000L),
        List.of(),
        List.of(),
        OptionalLong.empty(),
        null);
  }

  FakeTable partitions(int count) {
    return new FakeTable(
        table,
        schema,
        count,
        order,
        unverifiedFiles,
        arranged,
        rows,
        bytes,
        distinct,
        filters,
        fetch,
        declared);
  }

  FakeTable sortedBy(LexOrdering ordering) {
    return new FakeTable(
        table,
        schema,
        partitionCount,
        ordering,
        unverifiedFiles,
        arranged,
        rows,
        bytes,
        distinct,
        filters,
        fetch,
        declared);
  }

  FakeTable unverified(String... files) {
    return new FakeTable(
        table,
        schema,
        partitionCount,
        order,
        List.of(files),
        arranged,
        rows,
        bytes,
        distinct,
        filters,
        fetch,
        declared);
  }

  /** The files are read in order from the start. */
  FakeTable inOrder() {
    return new FakeTable(
        table,
        schema,
        partitionCount,
        order,
        unverifiedFiles,
        true,
        rows,
        bytes,
        distinct,
        filters,
        fetch,
        declared);
  }

  FakeTable rows(long count) {
    return new FakeTable(
        table,
        schema,
        partitionCount,
        order,
        unverifiedFiles,
        arranged,
        Precision.inexact(count),
        Precision.inexact(count * 100),
        distinct,
        filters,
        fetch,
        declared);
  }

  FakeTable withoutStatistics() {
    return new FakeTable(
        table,
        schema,
        partitionCount,
        order,
        unverifiedFiles,
        arranged,
        Precision.absent(),
        Precision.absent(),
        List.of(),
        filters,
        fetch,
        declared);
  }

  /** Distinct values of each column. */
  FakeTable distinct(Long... counts) {
    return new FakeTable(
        table,
        schema,
        partitionCount,
        order,
        unverifiedFiles,
        arranged,
        rows,
        bytes,
        List.of(counts),
        filters,
        fetch,
        declared);
  }

  FakeTable partitionedBy(Partitioning partitioning) {
    return new FakeTable(
        table,
        schema,
        partitioning.count(),
        order,
        unverifiedFiles,
        arranged,
        rows,
        bytes,
        distinct,
        filters,
        fetch,
        partitioning);
  }

  private FakeTable filtered(List<PhysicalExpr> taken) {
    return new FakeTable(
        table,
        schema,
        partitionCount,
        order,
        unverifiedFiles,
        arranged,
        rows,
        bytes,
        distinct,
        taken,
        fetch,
        declared);
  }

  private FakeTable narrowed(Schema columns) {
    return new FakeTable(
        table,
        columns,
        partitionCount,
        null,
        unverifiedFiles,
        false,
        rows,
        bytes,
        List.of(),
        filters,
        fetch,
        declared);
  }

  @Override
  public String name() {
    return "FakeSourceExec";
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
    EquivalenceProperties facts = EquivalenceProperties.of(schema);
    LexOrdering known = order;
    return PlanProperties.of(
            declared == null ? new Partitioning.Unknown(partitionCount) : declared,
            !arranged || known == null
                ? facts
                : declared instanceof Partitioning.Range
                    ? facts.withOrderingAcross(known)
                    : facts.withOrdering(known))
        .cooperative();
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.EQUAL;
  }

  @Override
  public Statistics statistics() {
    List<ColumnStatistics> columns = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      columns.add(
          distinct.isEmpty()
              ? ColumnStatistics.UNKNOWN
              : new ColumnStatistics(
                  Precision.absent(),
                  Precision.absent(),
                  Precision.absent(),
                  Precision.inexact(distinct.get(i))));
    }
    return new Statistics(rows, bytes, columns);
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return Optional.of(
        new FakeTable(
            table,
            schema,
            partitionCount,
            order,
            unverifiedFiles,
            arranged,
            rows,
            bytes,
            distinct,
            filters,
            OptionalLong.of(limit),
            declared));
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    boolean plain = order == null && filters.isEmpty();
    int[] columns = new int[projection.size()];
    for (int i = 0; i < columns.length; i++) {
      plain &=
          projection.get(i).expr() instanceof ColumnExpr column
              && schema.field(column.index()).name().equals(projection.get(i).name());
      if (plain) {
        columns[i] = ((ColumnExpr) projection.get(i).expr()).index();
      }
    }
    return plain ? Optional.of(narrowed(schema.select(columns))) : Optional.empty();
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    List<PhysicalExpr> taken = new ArrayList<>();
    List<FilterPushdown.Outcome> answers =
        new ArrayList<>(
            Collections.nCopies(parentFilters.size(), FilterPushdown.Outcome.UNSUPPORTED));
    for (int i = 0; i < parentFilters.size(); i++) {
      if (parentFilters.get(i) instanceof ComparisonExpr comparison
          && comparison.left() instanceof ColumnExpr) {
        taken.add(comparison);
        answers.set(i, FilterPushdown.Outcome.INEXACT);
      }
    }
    return new FilterPushdown.Result(taken.isEmpty() ? this : filtered(taken), answers);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    LexOrdering known = order;
    if (known == null) {
      return new SortPushdown.Unsupported(List.of(table + " has no ordering"));
    }
    if (!EquivalenceProperties.of(schema).withOrdering(known).satisfies(ordering)) {
      return new SortPushdown.Unsupported(
          List.of(table + " is ordered by " + known + ", not by " + ordering));
    }
    if (!unverifiedFiles.isEmpty()) {
      return new SortPushdown.Inexact(
          this,
          unverifiedFiles.stream()
              .map(file -> table + "/" + file + ": order " + known + " is asserted, not verified")
              .toList());
    }
    return new SortPushdown.Exact(
        inOrder(), List.of(table + " is ordered by " + known + ", verified in all files"));
  }

  /** Cut where it is told to, or at 10, 20 and 30, if every file is verified. */
  @Override
  @SuppressWarnings("NullAway") // sees the record's constructor without its nested annotation
  public Optional<PhysicalPlan> tryPushdownRanges(
      LexOrdering ordering, Optional<Partitioning.Range> like) {
    LexOrdering known = order;
    if (known == null
        || partitionCount == 1
        || !unverifiedFiles.isEmpty()
        || !known.keys().getFirst().equals(ordering.keys().getFirst())) {
      return Optional.empty();
    }
    return Optional.of(
        partitionedBy(
                new Partitioning.Range(
                    LexOrdering.of(known.keys().getFirst()),
                    like.isPresent()
                        ? like.get().splitPoints()
                        : List.of(List.of(10L), List.of(20L), List.of(30L)),
                    true))
            .inOrder());
  }

  @Override
  public boolean isReversed() {
    return false;
  }

  @Override
  public Optional<PhysicalPlan> inStretches(long most) {
    if (!(declared instanceof Partitioning.Range)) {
      return Optional.empty();
    }
    List<List<Object>> points = new ArrayList<>();
    for (long point = 5; point < 40; point += 5) {
      points.add(List.of(point));
    }
    return Optional.of(
        partitionedBy(
            new Partitioning.Range(((Partitioning.Range) declared).ordering(), points, true)));
  }

  @Override
  public String details() {
    LexOrdering known = order;
    return table
        + ", partitions="
        + partitionCount
        + (arranged && known != null ? ", order=" + known : "")
        + (filters.isEmpty() ? "" : ", predicate=" + filters)
        + (fetch.isPresent() ? ", fetch=" + fetch.getAsLong() : "");
  }

  @Override
  public MetricSet metrics() {
    return new MetricSet();
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    return new BatchStream() {
      @Override
      public Schema schema() {
        return schema;
      }

      @Override
      public @Nullable Batch next() {
        return null;
      }

      @Override
      public void close() {}
    };
  }
}
