package dev.varve.engine.plan;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A node of a physical plan: an immutable value that answers the optimizer's questions and makes
 * streams. A node never inserts a shuffle or a sort, and nothing asks what class a node is. A new
 * operator is optimisable by implementing this, touching no rule.
 *
 * <p>Defaults are the safe answers: no requirement, nothing maintained, nothing absorbed, nothing
 * pushed.
 */
public interface PhysicalPlan {

  /** As EXPLAIN prints it: {@code HashJoinExec}. */
  String name();

  Schema schema();

  List<PhysicalPlan> children();

  /**
   * The same node over other children, its properties computed anew; {@code this} if they are the
   * same instances.
   */
  PhysicalPlan withChildren(List<PhysicalPlan> children);

  PlanProperties properties();

  default DistributionRequirements inputDistributionRequirements() {
    return new DistributionRequirements(
        Collections.nCopies(children().size(), Distribution.UNSPECIFIED), false);
  }

  /** For each child, the order its partitions must have. */
  default List<Optional<LexOrdering>> requiredInputOrdering() {
    return Collections.nCopies(children().size(), Optional.empty());
  }

  /** For each child, whether the output keeps that child's row order within a partition. */
  default List<Boolean> maintainsInputOrder() {
    return Collections.nCopies(children().size(), false);
  }

  /** For each child, whether more input partitions make this node faster. */
  default List<Boolean> benefitsFromInputPartitioning() {
    return inputDistributionRequirements().children().stream()
        .map(d -> !(d instanceof Distribution.SinglePartition))
        .toList();
  }

  default CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.UNKNOWN;
  }

  default Statistics statistics() {
    return Statistics.unknown(schema());
  }

  /** The most rows this node gives, if it stops by itself. */
  default OptionalLong fetch() {
    return OptionalLong.empty();
  }

  /** This node stopping after {@code limit} rows of each partition, if it can. */
  default Optional<PhysicalPlan> withFetch(long limit) {
    return Optional.empty();
  }

  /** Whether a limit on the output may be put on each child as well. */
  default boolean supportsLimitPushdown() {
    return false;
  }

  /**
   * A plan with the rows and columns of a projection that stands on this node, with the projection
   * absorbed or moved below; empty if that gains nothing.
   */
  default Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    return Optional.empty();
  }

  default FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return FilterPushdown.Description.NONE;
  }

  /**
   * This node after its children answered; for a leaf {@code outcomes} is empty and it takes what
   * it can of {@code parentFilters}. By default every filter stays above.
   */
  default FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return new FilterPushdown.Result(
        this, Collections.nCopies(parentFilters.size(), FilterPushdown.Outcome.UNSUPPORTED));
  }

  default SortPushdown tryPushdownSort(LexOrdering ordering) {
    return SortPushdown.UNSUPPORTED;
  }

  /**
   * This node with partitions that are ranges of the first key of {@code ordering}, no value of it
   * being in two, each in that order: cut at the split points of {@code like}, or where the node
   * finds them. Empty if it cannot.
   */
  default Optional<PhysicalPlan> tryPushdownRanges(
      LexOrdering ordering, Optional<Partitioning.Range> like) {
    return Optional.empty();
  }

  /** This node in a variant that keeps its input's order, if it has one. */
  default Optional<PhysicalPlan> withPreserveOrder(boolean preserve) {
    return Optional.empty();
  }

  /** What EXPLAIN prints after the name: {@code [k ASC], fetch=10}. */
  default String details() {
    return "";
  }

  /**
   * Why something here was done or not, for EXPLAIN: which ordering removed a sort, which file and
   * missing fact kept it.
   */
  default List<String> reasons() {
    return List.of();
  }

  /**
   * Another face of this node, for rules that need more than the questions above: {@link
   * SwappableJoin}, say. Nodes implement the interface; nothing overrides this but what stands for
   * another node.
   */
  default <T> Optional<T> capability(Class<T> kind) {
    return kind.isInstance(this) ? Optional.of(kind.cast(this)) : Optional.empty();
  }

  MetricSet metrics();

  /** A stream of one partition. The caller closes it. */
  BatchStream execute(int partition, TaskContext context);
}
