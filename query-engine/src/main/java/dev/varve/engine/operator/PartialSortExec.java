package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortNode;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.runtime.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Sorts an input that is in the order of the first keys already: only rows that tie in those are
 * held and sorted together. With a fetch it stops when enough rows were given, having read no more
 * than these and the rows that tie with the last.
 */
public final class PartialSortExec extends FetchingNode implements SortNode {
  private final LexOrdering ordering;
  private final int prefix;
  private final boolean preservePartitioning;

  /** {@code prefix} keys of the ordering are the input's order. */
  public PartialSortExec(
      PhysicalPlan input,
      LexOrdering ordering,
      int prefix,
      OptionalLong fetch,
      boolean preservePartitioning) {
    super(
        input,
        PlanProperties.of(
            preservePartitioning ? input.properties().partitioning() : new Partitioning.Unknown(1),
            equivalences(input, ordering, prefix)),
        fetch);
    if (prefix < 1 || prefix >= ordering.keys().size()) {
      throw new IllegalStateException(prefix + " leading keys of " + ordering);
    }
    this.ordering = ordering;
    this.prefix = prefix;
    this.preservePartitioning = preservePartitioning;
  }

  /** Ranges of the leading keys follow one another in the whole order: no tie is in two. */
  private static EquivalenceProperties equivalences(
      PhysicalPlan input, LexOrdering ordering, int prefix) {
    EquivalenceProperties facts = input.properties().equivalences();
    EquivalenceProperties sorted = facts.withoutOrderings();
    boolean tiesStayTogether =
        input.properties().partitioning().count() <= 1
            || (input.properties().partitioning() instanceof Partitioning.Range range
                && range.distinctCuts()
                && range.ordering().keys().stream()
                    .allMatch(
                        key ->
                            ordering.keys().subList(0, prefix).stream()
                                .anyMatch(own -> facts.areSame(own.expr(), key.expr()))));
    return tiesStayTogether && facts.concatenated().satisfies(prefix(ordering, prefix))
        ? sorted.withOrderingAcross(ordering)
        : sorted.withOrdering(ordering);
  }

  private static LexOrdering prefix(LexOrdering ordering, int length) {
    return new LexOrdering(ordering.keys().subList(0, length));
  }

  @Override
  PhysicalPlan with(PhysicalPlan input, OptionalLong newFetch) {
    return new PartialSortExec(input, ordering, prefix, newFetch, preservePartitioning);
  }

  @Override
  public LexOrdering ordering() {
    return ordering;
  }

  /** The keys that the input is ordered by. */
  LexOrdering inputOrdering() {
    return prefix(ordering, prefix);
  }

  @Override
  public boolean preservePartitioning() {
    return preservePartitioning;
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return DistributionRequirements.of(
        preservePartitioning ? Distribution.UNSPECIFIED : Distribution.SINGLE);
  }

  @Override
  public List<Optional<LexOrdering>> requiredInputOrdering() {
    return List.of(Optional.of(inputOrdering()));
  }

  /** That of the leading keys. */
  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(true);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering request) {
    return Requests.answerFromOwnOrder(this, request);
  }

  @Override
  public String details() {
    return (fetch().isPresent() ? "fetch=" + fetch().getAsLong() + ", " : "")
        + "expr="
        + ordering
        + ", common_prefix="
        + ordering.keys().subList(0, prefix).stream().map(SortExpr::toString).toList()
        + (preservePartitioning ? ", preserve_partitioning=true" : "");
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new PartialSortStream(this, child().execute(partition, context), context);
  }
}
