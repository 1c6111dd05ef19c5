package dev.varve.engine.operator;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
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
 * Joins two inputs that are in the order of their keys, by walking over both: nothing is built, and
 * only the rows of one key are ever held. The output is in the order of the keys, but for a full
 * join, whose keys come from either side.
 *
 * <p>Partitions are joined pairwise where both sides are divided alike; otherwise each side is one.
 */
public final class SortMergeJoinExec extends PlanNode {
  private final List<JoinKey> on;
  private final List<SortOptions> options;
  private final Optional<PhysicalExpr> residual;
  private final JoinType type;
  private final boolean partitioned;
  private final Schema joined;
  private final Optional<List<NamedExpr>> projection;

  /** {@code options} are the directions of the keys, the same on both sides. */
  public SortMergeJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      List<SortOptions> options,
      Optional<PhysicalExpr> residual,
      JoinType type,
      boolean partitioned) {
    this(
        left,
        right,
        List.copyOf(on),
        List.copyOf(options),
        residual,
        type,
        partitioned,
        JoinFacts.schema(left, right, type),
        Optional.empty());
  }

  private SortMergeJoinExec(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      List<SortOptions> options,
      Optional<PhysicalExpr> residual,
      JoinType type,
      boolean partitioned,
      Schema joined,
      Optional<List<NamedExpr>> projection) {
    super(
        projection.map(p -> ColumnRewrite.schema(p, joined)).orElse(joined),
        List.of(left, right),
        properties(
            partitioned ? partitioning(left, right, type) : new Partitioning.Unknown(1),
            equivalences(left, right, on, options, residual, type, joined),
            joined,
            projection));
    if (on.isEmpty() || on.size() != options.size()) {
      throw new IllegalStateException(on.size() + " keys with " + options.size() + " directions");
    }
    this.on = on;
    this.options = options;
    this.residual = residual;
    this.type = type;
    this.partitioned = partitioned;
    this.joined = joined;
    this.projection = projection;
  }

  private static PlanProperties properties(
      Partitioning partitioning,
      EquivalenceProperties facts,
      Schema joined,
      Optional<List<NamedExpr>> projection) {
    if (projection.isEmpty()) {
      return PlanProperties.of(partitioning, facts);
    }
    Schema schema = ColumnRewrite.schema(projection.get(), joined);
    return PlanProperties.of(
        ColumnRewrite.project(partitioning, projection.get(), schema),
        facts.project(projection.get(), schema));
  }

  private static boolean streamsLeft(JoinType type) {
    return type != JoinType.RIGHT && type != JoinType.RIGHT_SEMI && type != JoinType.RIGHT_ANTI;
  }

  private static Partitioning partitioning(PhysicalPlan left, PhysicalPlan right, JoinType type) {
    Partitioning streamed = (streamsLeft(type) ? left : right).properties().partitioning();
    if (type == JoinType.FULL) {
      return new Partitioning.Unknown(streamed.count());
    }
    int offset = streamsLeft(type) || !type.keepsLeftColumns() ? 0 : left.schema().size();
    return ColumnRewrite.shift(streamed, offset);
  }

  private static EquivalenceProperties equivalences(
      PhysicalPlan left,
      PhysicalPlan right,
      List<JoinKey> on,
      List<SortOptions> options,
      Optional<PhysicalExpr> residual,
      JoinType type,
      Schema schema) {
    EquivalenceProperties facts =
        JoinFacts.equivalences(left, right, on, type, false, schema).withoutOrderings();
    if (type == JoinType.INNER && residual.isPresent()) {
      facts = facts.withFilter(residual.get());
    }
    if (type == JoinType.FULL) {
      return facts;
    }
    boolean fromLeft = streamsLeft(type);
    LexOrdering keys = ordering(on, options, fromLeft);
    EquivalenceProperties streamed = (fromLeft ? left : right).properties().equivalences();
    LexOrdering own =
        fromLeft || !type.keepsLeftColumns()
            ? keys
            : ColumnRewrite.shift(keys, left.schema().size());
    return streamed.concatenated().satisfies(keys)
        ? facts.withOrderingAcross(own)
        : facts.withOrdering(own);
  }

  private static LexOrdering ordering(List<JoinKey> on, List<SortOptions> options, boolean left) {
    List<SortExpr> keys = new ArrayList<>();
    for (int i = 0; i < on.size(); i++) {
      keys.add(new SortExpr(left ? on.get(i).left() : on.get(i).right(), options.get(i)));
    }
    return new LexOrdering(keys);
  }

  /** The order of child 0 or 1. */
  LexOrdering ordering(int child) {
    return ordering(on, options, child == 0);
  }

  PhysicalPlan left() {
    return children().get(0);
  }

  PhysicalPlan right() {
    return children().get(1);
  }

  List<JoinKey> on() {
    return on;
  }

  Optional<PhysicalExpr> residual() {
    return residual;
  }

  /**
   * The sides of a merge join: the streamed one is the one that is kept, if one is; of the other
   * the rows of one key are buffered.
   */
  record Roles(
      JoinType type, boolean streamedIsLeft, Schema streamedSchema, Schema bufferedSchema) {
    boolean isInner() {
      return type == JoinType.INNER;
    }

    boolean isSemi() {
      return type == JoinType.LEFT_SEMI || type == JoinType.RIGHT_SEMI;
    }

    private boolean isAnti() {
      return type == JoinType.LEFT_ANTI || type == JoinType.RIGHT_ANTI;
    }

    /** Whether the output puts rows of both sides together. */
    boolean pairs() {
      return !isSemi() && !isAnti();
    }

    /** Whether streamed rows without a match come out. */
    boolean keepsStreamed() {
      return type == JoinType.LEFT || type == JoinType.RIGHT || type == JoinType.FULL || isAnti();
    }

    boolean keepsBuffered() {
      return type == JoinType.FULL;
    }

    /** Whether the end of a row's candidates may give a row. */
    boolean decidesRows() {
      return keepsStreamed() || isSemi();
    }

    /** Whether a streamed row comes out by itself, all of its candidates having been tested. */
    boolean emitsRow(boolean matched) {
      return isSemi() ? matched : keepsStreamed() && !matched;
    }
  }

  Roles roles() {
    boolean fromLeft = streamsLeft(type);
    return new Roles(
        type,
        fromLeft,
        (fromLeft ? left() : right()).schema(),
        (fromLeft ? right() : left()).schema());
  }

  @Override
  PhysicalPlan over(List<PhysicalPlan> replacement) {
    return new SortMergeJoinExec(
        replacement.get(0),
        replacement.get(1),
        on,
        options,
        residual,
        type,
        partitioned,
        JoinFacts.schema(replacement.get(0), replacement.get(1), type),
        projection);
  }

  /** For each output column its position among the left columns followed by the right ones. */
  List<Integer> output() {
    List<Integer> all = JoinFacts.outputColumns(left().schema(), right().schema(), type);
    return projection
        .map(p -> p.stream().map(e -> all.get(Exprs.columns(e.expr()).nextSetBit(0))).toList())
        .orElse(all);
  }

  /** Columns that are not asked for are not put together. */
  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> wanted) {
    if (!wanted.stream().allMatch(e -> e.expr() instanceof ColumnExpr)) {
      return Optional.empty();
    }
    List<NamedExpr> composed =
        projection.isEmpty()
            ? List.copyOf(wanted)
            : wanted.stream()
                .map(
                    e ->
                        new NamedExpr(
                            ColumnRewrite.inline(e.expr(), projection.get()).orElseThrow(),
                            e.name()))
                .toList();
    return Optional.of(
        new SortMergeJoinExec(
            left(),
            right(),
            on,
            options,
            residual,
            type,
            partitioned,
            joined,
            Optional.of(composed)));
  }

  @Override
  public DistributionRequirements inputDistributionRequirements() {
    return partitioned
        ? DistributionRequirements.coPartitioned(
            new Distribution.KeyPartitioned(on.stream().map(JoinKey::left).toList()),
            new Distribution.KeyPartitioned(on.stream().map(JoinKey::right).toList()))
        : DistributionRequirements.of(Distribution.SINGLE, Distribution.SINGLE);
  }

  @Override
  public List<Optional<LexOrdering>> requiredInputOrdering() {
    return List.of(Optional.of(ordering(0)), Optional.of(ordering(1)));
  }

  /** Only the order of the keys: within one, pairs come as the other side's rows are read. */
  @Override
  public List<Boolean> maintainsInputOrder() {
    return List.of(false, false);
  }

  @Override
  public List<Boolean> benefitsFromInputPartitioning() {
    return List.of(false, false);
  }

  @Override
  Statistics estimate() {
    Statistics all =
        JoinEstimate.of(
            left().statistics(), right().statistics(), on, residual.isPresent(), type, joined);
    return projection.map(p -> ColumnRewrite.project(all, p, schema())).orElse(all);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering request) {
    return Requests.answerFromOwnOrder(this, request);
  }

  @Override
  public String details() {
    List<String> parts = new ArrayList<>();
    parts.add("join_type=" + type);
    parts.add(on.stream().map(JoinKey::toString).collect(Collectors.joining(", ", "on=[", "]")));
    if (!options.stream().allMatch(SortOptions.ASC::equals)) {
      parts.add("order=" + options);
    }
    if (partitioned) {
      parts.add("partitions=" + left().properties().partitioning().count());
    }
    projection.ifPresent(p -> parts.add("projection=" + p));
    residual.ifPresent(r -> parts.add("filter=" + r));
    return String.join(", ", parts);
  }

  @Override
  BatchStream open(int partition, TaskContext context) {
    return new SortMergeJoinStream(this, partition, context);
  }
}
