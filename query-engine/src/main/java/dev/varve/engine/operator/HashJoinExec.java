package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.join.KeyBounds;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.plan.DynamicFilterMaker;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.MergeableJoin;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.plan.SwappableJoin;
import dev.varve.engine.properties.CardinalityEffect;
import dev.varve.engine.properties.Distribution;
import dev.varve.engine.properties.DistributionRequirements;
import dev.varve.engine.properties.EquivalenceProperties;
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
import java.util.stream.Collectors;

/**
 * Joins by equal keys: a table of the left side is probed with the right side's rows. A residual
 * condition, over the columns of both sides, decides with the keys whether two rows match.
 *
 * <p>The output has the left columns, then the right ones; a semi or anti join has those of the
 * side it keeps. It follows the order of the probe side where no left rows are added at the end.
 */
public final class HashJoinExec extends PlanNode
    implements SwappableJoin, MergeableJoin, DynamicFilterMaker {
  private final List<JoinKey> on;
  private final Optional<PhysicalExpr> residual;
  private final JoinType type;
  private final JoinMode mode;
  private final Schema joined;
  private final Optional<List<NamedExpr>> projection;
  private final List<JoinFilters.KeyFilter> filters;

  public HashJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      JoinType type,
      JoinMode mode) {
    this(left, right, List.copyOf(on), residual, type, mode, Optional.empty(), List.of());
  }

  /**
   * @param projection which of the columns come out, in which order and under which names; columns
   *     alone
   */
  private HashJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      JoinType type,
      JoinMode mode,
      Optional<List<NamedExpr>> projection,
      List<JoinFilters.KeyFilter> filters) {
    this(
        left,
        right,
        on,
        residual,
        type,
        mode,
        JoinFacts.schema(left, right, type),
        projection.map(List::copyOf),
        List.copyOf(filters));
  }

  private HashJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      JoinType type,
      JoinMode mode,
      Schema joined,
      Optional<List<NamedExpr>> projection,
      List<JoinFilters.KeyFilter> filters) {
    super(
        projection.map(p -> ColumnRewrite.schema(p, joined)).orElse(joined),
        List.of(left, right),
        properties(
            partitioning(left, right, on, type, mode),
            equivalences(left, right, on, residual, type, mode, joined),
            joined,
            projection));
    if (on.isEmpty()) {
      throw new IllegalStateException("a hash join has keys");
    }
    this.on = on;
    this.residual = residual;
    this.type = type;
    this.mode = mode;
    this.joined = joined;
    this.projection = projection;
    this.filters = filters;
  }

  private static PlanProperties properties(
      Partitioning partitioning,
      EquivalenceProperties equivalences,
      Schema joined,
      Optional<List<NamedExpr>> projection) {
    if (projection.isEmpty()) {
      return PlanProperties.of(partitioning, equivalences);
    }
    Schema schema = ColumnRewrite.schema(projection.get(), joined);
    return PlanProperties.of(
        ColumnRewrite.project(partitioning, projection.get(), schema),
        equivalences.project(projection.get(), schema));
  }

  private static Partitioning partitioning(
      PhysicalPlan left, PhysicalPlan right, List<JoinKey> on, JoinType type, JoinMode mode) {
    int offset = type.keepsLeftColumns() ? left.schema().size() : 0;
    Partitioning probe = right.properties().partitioning();
    if (mode == JoinMode.COLLECT_LEFT) {
      return type.emitsLeftAtEnd()
          ? new Partitioning.Unknown(probe.count())
          : ColumnRewrite.shift(probe, offset);
    }
    Partitioning build = left.properties().partitioning();
    return switch (type) {
      case INNER, LEFT, LEFT_SEMI, LEFT_ANTI ->
          build instanceof Partitioning.Hash ? build : new Partitioning.Unknown(build.count());
      case RIGHT, RIGHT_SEMI, RIGHT_ANTI ->
          probe instanceof Partitioning.Hash
              ? ColumnRewrite.shift(probe, offset)
              : new Partitioning.Unknown(probe.count());
      case FULL -> new Partitioning.Unknown(probe.count());
    };
  }

  private static EquivalenceProperties equivalences(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      JoinType type,
      JoinMode mode,
      Schema joined) {
    EquivalenceProperties facts =
        JoinFacts.equivalences(left, right, on, type, mode == JoinMode.COLLECT_LEFT, joined);
    return type == JoinType.INNER && residual.isPresent()
        ? facts.withFilter(residual.get())
        : facts;
  }

  PhysicalPlan left() {
    return children().get(0);
  }

  PhysicalPlan right() {
    return children().get(1);
  }

  public List<JoinKey> on() {
    return on;
  }

  public Optional<PhysicalExpr> residual() {
    return residual;
  }

  public JoinType type() {
    return type;
  }

  public JoinMode mode() {
    return mode;
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new HashJoinExec(
        replacement.get(0), replacement.get(1), on, residual, type, mode, projection, filters);
  }

  /** For each output column its position among the left columns followed by the right ones. */
  List<Integer> output() {
    List<Integer> all = JoinFacts.outputColumns(left().schema(), right().schema(), type);
    return projection
        .map(p -> p.stream().map(e -> all.get(column(e).index())).toList())
        .orElse(all);
  }

  private static ColumnExpr column(NamedExpr expression) {
    if (expression.expr() instanceof ColumnExpr column) {
      return column;
    }
    throw new IllegalStateException("a join gives columns, not " + expression);
  }

  /** An expression over the output, over the columns before the projection. */
  private PhysicalExpr unprojected(PhysicalExpr expr) {
    return projection.map(p -> ColumnRewrite.inline(expr, p).orElseThrow()).orElse(expr);
  }

  /** Columns that are not asked for are not put together. */
  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> wanted) {
    if (!wanted.stream().allMatch(e -> e.expr() instanceof ColumnExpr)) {
      return Optional.empty();
    }
    List<NamedExpr> composed =
        wanted.stream().map(e -> new NamedExpr(unprojected(e.expr()), e.name())).toList();
    return Optional.of(
        new HashJoinExec(
            left(), right(), on, residual, type, mode, Optional.of(composed), filters));
  }

  @Override
  public boolean canSwap() {
    return true;
  }

  @Override
  public PhysicalPlan swapped() {
    int[] mapping = JoinFacts.swappedColumns(left().schema(), right().schema());
    Optional<List<NamedExpr>> swapped =
        type.keepsLeftColumns() && type.keepsRightColumns()
            ? Optional.of(swappedProjection(mapping))
            : projection;
    return new HashJoinExec(
        right(),
        left(),
        on.stream().map(JoinKey::swapped).toList(),
        residual.map(r -> Exprs.remap(r, mapping)),
        type.swapped(),
        mode,
        swapped,
        List.of());
  }

  /** The output columns, out of those of the join whose sides are exchanged. */
  private List<NamedExpr> swappedProjection(int[] mapping) {
    List<NamedExpr> columns = new ArrayList<>();
    for (int i = 0; i < schema().size(); i++) {
      ColumnExpr column =
          projection.isEmpty() ? ColumnExpr.of(joined, i) : column(projection.get().get(i));
      columns.add(new NamedExpr(Exprs.remap(column, mapping), schema().field(i).name()));
    }
    return columns;
  }

  @Override
  public Optional<PhysicalPlan> withBuildMode(BuildMode wanted) {
    JoinMode changed =
        switch (wanted) {
          case COLLECTED -> JoinMode.COLLECT_LEFT;
          case PARTITIONED -> JoinMode.PARTITIONED;
        };
    return Optional.of(
        changed == mode
            ? this
            : new HashJoinExec(
                left(), right(), on, residual, type, changed, projection, List.of()));
  }

  @Override
  public int filteredChild() {
    return 1;
  }

  /**
   * A filter for each key of integers, where probe rows without a match are dropped. Joins that are
   * divided by their keys make none: what one partition of the build side has says nothing about
   * the others.
   */
  @Override
  public List<DynamicFilter> offeredFilters() {
    if (mode != JoinMode.COLLECT_LEFT || type.keepsUnmatchedRight() || !filters.isEmpty()) {
      return List.of();
    }
    return on.stream()
        .filter(key -> KeyBounds.covers(key.right().type()))
        .filter(key -> ColumnRewrite.movable(key.right()))
        .map(key -> DynamicFilter.create("keys", key.right()))
        .toList();
  }

  @Override
  public PhysicalPlan makingFilters(PhysicalPlan child, List<DynamicFilter> taken) {
    List<JoinFilters.KeyFilter> made = new ArrayList<>();
    for (DynamicFilter filter : taken) {
      for (int k = 0; k < on.size(); k++) {
        if (on.get(k).right().equals(filter.operand())) {
          made.add(new JoinFilters.KeyFilter(k, filter));
          break;
        }
      }
    }
    return new HashJoinExec(left(), child, on, residual, type, mode, projection, made);
  }

  List<JoinFilters.KeyFilter> filters() {
    return filters;
  }

  @Override
  public List<PhysicalExpr> leftKeys() {
    return on.stream().map(JoinKey::left).toList();
  }

  @Override
  public List<PhysicalExpr> rightKeys() {
    return on.stream().map(JoinKey::right).toList();
  }

  @Override
  public Optional<PhysicalPlan> merging(
      PhysicalPlan left,
      PhysicalPlan right,
      List<Integer> sequence,
      List<SortOptions> options,
      boolean partitioned) {
    PhysicalPlan merged =
        new SortMergeJoinExec(
            left,
            right,
            sequence.stream().map(on::get).toList(),
            options,
            residual,
            type,
            partitioned);
    return projection.isEmpty()
        ? Optional.of(merged)
        : merged.trySwapWithProjection(projection.get());
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return switch (mode) {
      case COLLECT_LEFT ->
          DistributionRequirements.of(Distribution.UNSPECIFIED, Distribution.UNSPECIFIED);
      case PARTITIONED ->
          DistributionRequirements.coPartitioned(
              new Distribution.KeyPartitioned(on.stream().map(JoinKey::left).toList()),
              new Distribution.KeyPartitioned(on.stream().map(JoinKey::right).toList()));
    };
  }

  /**
   * A collected build side is read by as many tasks as it has partitions; dealing out one that has
   * a single one would cost more than it gains.
   */
  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return List.of(mode == JoinMode.PARTITIONED, true);
  }

  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(false, !type.emitsLeftAtEnd());
  }

  @Override
  public CardinalityEffect cardinalityEffect() {
    return CardinalityEffect.UNKNOWN;
  }

  @Override
  Statistics estimate() {
    Statistics all =
        JoinEstimate.of(
            left().statistics(), right().statistics(), on, residual.isPresent(), type, joined);
    return projection.map(p -> ColumnRewrite.project(all, p, schema())).orElse(all);
  }

  @Override
  public FilterPushdown.Description gatherFiltersForPushdown(List<PhysicalExpr> parentFilters) {
    return JoinFacts.filters(
        left().schema(),
        right().schema(),
        type,
        parentFilters.stream().map(this::unprojected).toList());
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    return JoinFacts.outcomes(this, parentFilters, outcomes);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    return JoinFacts.sort(
        this,
        type,
        new LexOrdering(
            ordering.keys().stream()
                .map(key -> new SortExpr(unprojected(key.expr()), key.options()))
                .toList()));
  }

  @Override
  public String details() {
    List<String> parts = new ArrayList<>();
    parts.add("mode=" + mode);
    parts.add("join_type=" + type);
    parts.add(on.stream().map(JoinKey::toString).collect(Collectors.joining(", ", "on=[", "]")));
    residual.ifPresent(r -> parts.add("filter=" + r));
    projection.ifPresent(p -> parts.add("projection=" + p));
    if (!filters.isEmpty()) {
      parts.add("dynamic_filters=" + filters.stream().map(JoinFilters.KeyFilter::filter).toList());
    }
    return String.join(", ", parts);
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new JoinStream(this, JoinSpec.of(this), partition, context);
  }
}
