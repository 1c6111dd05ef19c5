package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.ProjectionNode;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Computes the output columns from each row. */
public final class ProjectionExec extends PlanNode implements ProjectionNode {
  private final List<NamedExpr> expressions;

  public ProjectionExec(PhysicalPlan input, List<NamedExpr> expressions) {
    this(input, List.copyOf(expressions), ColumnRewrite.schema(expressions, input.schema()));
  }

  private ProjectionExec(PhysicalPlan input, List<NamedExpr> expressions, Schema schema) {
    super(
        schema,
        List.of(input),
        PlanProperties.of(
            ColumnRewrite.project(input.properties().partitioning(), expressions, schema),
            input.properties().equivalences().project(expressions, schema)));
    this.expressions = expressions;
  }

  @Override
  public List<NamedExpr> expressions() {
    return expressions;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new ProjectionExec(replacement.get(0), expressions);
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(true);
  }

  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return List.of(!expressions.stream().allMatch(e -> e.expr() instanceof ColumnExpr));
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.EQUAL;
  }

  @Override
  Statistics estimate() {
    return ColumnRewrite.project(child().statistics(), expressions, schema());
  }

  @Override
  public OptionalLong fetch() {
    return child().fetch();
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return child().withFetch(limit).map(c -> withChildren(List.of(c)));
  }

  @Override
  public boolean supportsLimitPushdown() {
    return true;
  }

  /** Two projections become one, unless that computes something twice or a volatile one again. */
  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    int[] uses = new int[expressions.size()];
    projection.forEach(e -> count(e.expr(), uses));
    for (int i = 0; i < uses.length; i++) {
      PhysicalExpr inner = expressions.get(i).expr();
      if (uses[i] > 1 && !inner.children().isEmpty()) {
        return Optional.empty();
      }
      if (inner.volatility() == Volatility.VOLATILE) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new ProjectionExec(
            child(),
            projection.stream()
                .map(
                    e ->
                        new NamedExpr(
                            ColumnRewrite.inline(e.expr(), expressions).orElseThrow(), e.name()))
                .toList()));
  }

  private static void count(PhysicalExpr expr, int[] uses) {
    if (expr instanceof ColumnExpr column) {
      uses[column.index()]++;
    }
    expr.children().forEach(child -> count(child, uses));
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    List<Optional<PhysicalExpr>> rewritten =
        parentFilters.stream()
            .map(f -> ColumnRewrite.inline(f, expressions).filter(ColumnRewrite::movable))
            .toList();
    return new FilterPushdown.Description(
        List.of(new FilterPushdown.ChildFilters(rewritten, List.of())));
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return PassThrough.outcomes(this, parentFilters, outcomes);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    Optional<LexOrdering> below = below(ordering);
    return below.isEmpty()
        ? SortPushdown.UNSUPPORTED
        : PassThrough.sort(child(), below.get(), c -> withChildren(List.of(c)));
  }

  /** The split points are values: they are the same in the child's columns. */
  @Override
  public Optional<PhysicalPlan> tryPushdownRanges(
      LexOrdering ordering, Optional<Partitioning.Range> like) {
    return below(ordering)
        .flatMap(o -> child().tryPushdownRanges(o, like))
        .map(c -> withChildren(List.of(c)));
  }

  private Optional<LexOrdering> below(LexOrdering ordering) {
    List<SortExpr> keys = new ArrayList<>();
    for (SortExpr key : ordering.keys()) {
      PhysicalExpr below = ColumnRewrite.inline(key.expr(), expressions).orElseThrow();
      if (below.volatility() == Volatility.VOLATILE) {
        return Optional.empty();
      }
      keys.add(new SortExpr(below, key.options()));
    }
    return Optional.of(new LexOrdering(keys));
  }

  @Override
  public String details() {
    return expressions.stream()
        .map(NamedExpr::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new ProjectionStream(this, child().execute(partition, context), context);
  }
}
