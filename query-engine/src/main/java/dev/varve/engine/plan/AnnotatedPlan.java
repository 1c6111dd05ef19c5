package dev.varve.engine.plan;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stands for another node and adds reasons to it: how a rule says, at the node concerned, what it
 * did or why it did not. It answers, prints and runs as that node, so reasons survive whatever
 * later rules do with it, and vanish with it.
 */
public final class AnnotatedPlan implements PhysicalPlan {
  private final PhysicalPlan node;
  private final List<String> reasons;

  private AnnotatedPlan(PhysicalPlan node, List<String> reasons) {
    this.node = node;
    this.reasons = List.copyOf(reasons);
  }

  /** The node with more reasons; itself if they are none or known already. */
  public static PhysicalPlan of(PhysicalPlan node, List<String> reasons) {
    LinkedHashSet<String> added = new LinkedHashSet<>(reasons);
    node.reasons().forEach(added::remove);
    if (added.isEmpty()) {
      return node;
    }
    if (node instanceof AnnotatedPlan annotated) {
      List<String> all = new ArrayList<>(annotated.reasons);
      all.addAll(added);
      return new AnnotatedPlan(annotated.node, all);
    }
    return new AnnotatedPlan(node, List.copyOf(added));
  }

  private PhysicalPlan around(PhysicalPlan changed) {
    return changed == node ? this : of(changed, reasons);
  }

  @Override
  public String name() {
    return node.name();
  }

  @Override
  public Schema schema() {
    return node.schema();
  }

  @Override
  public List<PhysicalPlan> children() {
    return node.children();
  }

  @Override
  public PhysicalPlan withChildren(List<PhysicalPlan> children) {
    return around(node.withChildren(children));
  }

  @Override
  public PlanProperties properties() {
    return node.properties();
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return node.inputDistributionRequirements();
  }

  @Override
  public List<Optional<LexOrdering>> requiredInputOrdering() {
    return node.requiredInputOrdering();
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return node.maintainsInputOrder();
  }

  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return node.benefitsFromInputPartitioning();
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return node.cardinalityEffect();
  }

  @Override
  public Statistics statistics() {
    return node.statistics();
  }

  @Override
  public OptionalLong fetch() {
    return node.fetch();
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    return node.withFetch(limit).map(this::around);
  }

  @Override
  public boolean supportsLimitPushdown() {
    return node.supportsLimitPushdown();
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return node.trySwapWithProjection(projection).map(this::around);
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return node.gatherFiltersForPushdown(parentFilters);
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    FilterPushdown.Result result = node.handleChildPushdownResult(parentFilters, outcomes);
    return new FilterPushdown.Result(around(result.plan()), result.parentFilters());
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    return switch (node.tryPushdownSort(ordering)) {
      case SortPushdown.Exact(PhysicalPlan plan, List<String> why) ->
          new SortPushdown.Exact(around(plan), why);
      case SortPushdown.Inexact(PhysicalPlan plan, List<String> why) ->
          new SortPushdown.Inexact(around(plan), why);
      case SortPushdown.Unsupported unsupported -> unsupported;
    };
  }

  @Override
  public Optional<PhysicalPlan> tryPushdownRanges(
      LexOrdering ordering, Optional<Partitioning.Range> like) {
    return node.tryPushdownRanges(ordering, like).map(this::around);
  }

  @Override
  public Optional<PhysicalPlan> withPreserveOrder(boolean preserve) {
    return node.withPreserveOrder(preserve).map(this::around);
  }

  @Override
  public String details() {
    return node.details();
  }

  @Override
  public List<String> reasons() {
    List<String> all = new ArrayList<>(node.reasons());
    all.addAll(reasons);
    return all;
  }

  @Override
  public <T> Optional<T> capability(Class<T> kind) {
    return node.capability(kind);
  }

  @Override
  public MetricSet metrics() {
    return node.metrics();
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    return node.execute(partition, context);
  }
}
