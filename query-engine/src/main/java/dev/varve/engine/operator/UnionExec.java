package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
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
import java.util.Optional;

/** The partitions of all inputs, side by side. Columns correspond by position and have one type. */
public final class UnionExec extends PlanNode {
  public UnionExec(List<PhysicalPlan> inputs) {
    this(List.copyOf(inputs), output(inputs));
  }

  private UnionExec(List<PhysicalPlan> inputs, Schema schema) {
    super(
        schema,
        inputs,
        PlanProperties.of(
            new Partitioning.Unknown(
                inputs.stream().mapToInt(i -> i.properties().partitioning().count()).sum()),
            EquivalenceProperties.ofUnion(
                inputs.stream().map(i -> i.properties().equivalences()).toList(), schema)));
  }

  private static Schema output(List<PhysicalPlan> inputs) {
    if (inputs.isEmpty()) {
      throw new IllegalStateException("a union has inputs");
    }
    Schema first = inputs.get(0).schema();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      boolean nullable = false;
      for (PhysicalPlan input : inputs) {
        if (!input.schema().type(i).equals(first.type(i))) {
          throw new IllegalStateException(
              "a union of " + first.type(i) + " and " + input.schema().type(i));
        }
        nullable |= input.schema().field(i).nullable();
      }
      fields.add(Field.of(first.field(i).name(), first.type(i), nullable));
    }
    return new Schema(fields);
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new UnionExec(replacement);
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return Collections.nCopies(children().size(), true);
  }

  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return Collections.nCopies(children().size(), false);
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.GREATER_EQUAL;
  }

  @Override
  Statistics estimate() {
    Precision<Long> rows = Precision.exact(0L);
    Precision<Long> bytes = Precision.exact(0L);
    for (PhysicalPlan input : children()) {
      Statistics statistics = input.statistics();
      rows = sum(rows, statistics.rowCount());
      bytes = sum(bytes, statistics.totalBytes());
    }
    return new Statistics(
        rows, bytes, columns(children().stream().map(PhysicalPlan::statistics).toList()));
  }

  /** Distinct values of the inputs are taken to be different ones. */
  private List<ColumnStatistics> columns(List<Statistics> inputs) {
    List<ColumnStatistics> columns = new ArrayList<>();
    for (int i = 0; i < schema().size(); i++) {
      Precision<Long> distinct = Precision.exact(0L);
      Precision<Long> limit = Precision.exact(0L);
      for (Statistics input : inputs) {
        distinct = sum(distinct, input.columns().get(i).distinctCount());
        limit = sum(limit, input.columns().get(i).distinctLimit());
      }
      columns.add(ColumnStatistics.UNKNOWN.withDistinct(distinct.toInexact(), limit.toInexact()));
    }
    return columns;
  }

  private static Precision<Long> sum(Precision<Long> a, Precision<Long> b) {
    if (a instanceof Precision.Absent<Long>() || b instanceof Precision.Absent<Long>()) {
      return Precision.absent();
    }
    long total = a.known().orElseThrow() + b.known().orElseThrow();
    return a.isExact() && b.isExact() ? Precision.exact(total) : Precision.inexact(total);
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    List<PhysicalPlan> below = new ArrayList<>();
    for (PhysicalPlan input : children()) {
      Optional<ProjectionSwap> swap = ProjectionSwap.of(projection, input);
      if (swap.isEmpty()) {
        return Optional.empty();
      }
      below.add(swap.get().below());
    }
    return Optional.of(new UnionExec(below));
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return PassThrough.filters(parentFilters, children().size());
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return PassThrough.outcomes(this, parentFilters, outcomes);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering request) {
    List<PhysicalPlan> changed = new ArrayList<>();
    List<String> proofs = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    int exact = 0;
    int helped = 0;
    for (PhysicalPlan input : children()) {
      SortPushdown answer =
          input.properties().equivalences().satisfies(request)
              ? new SortPushdown.Exact(input, List.of())
              : input.tryPushdownSort(request);
      switch (answer) {
        case SortPushdown.Exact one -> {
          changed.add(one.plan());
          proofs.addAll(one.reasons());
          exact++;
        }
        case SortPushdown.Inexact one -> {
          changed.add(one.plan());
          missing.addAll(one.reasons());
          helped++;
        }
        case SortPushdown.Unsupported unsupported -> {
          changed.add(input);
          missing.addAll(unsupported.reasons());
        }
      }
    }
    if (exact == children().size()) {
      return new SortPushdown.Exact(withChildren(changed), proofs);
    }
    return exact + helped > 0
        ? new SortPushdown.Inexact(withChildren(changed), missing)
        : new SortPushdown.Unsupported(missing);
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    int index = partition;
    for (PhysicalPlan input : children()) {
      int count = input.properties().partitioning().count();
      if (index < count) {
        return new RelabelStream(this, input.execute(index, context), context);
      }
      index -= count;
    }
    throw new IllegalStateException("partition " + partition + " of " + partitions());
  }
}
