package dev.varve.engine.properties;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which expressions of a stream are equal, which are constant, which are never null, and which
 * orderings each of its partitions has. Immutable: every change gives a new value. All claims are
 * proven; what is not known is absent. The same facts added in the same order always give the same
 * answers and the same text.
 *
 * <p>An ordering may also hold across partitions: then all rows have it when the partitions are
 * read one after the other, in their sequence.
 *
 * <p>Equal means the engine's one key equality: nulls are the same as nulls, NaN as NaN, and 0.0 as
 * -0.0. Orders agree with it.
 */
public final class EquivalenceProperties {
  private final Schema schema;
  private final EquivalenceClasses classes;
  private final Map<PhysicalExpr, Constant> constants;
  private final Set<PhysicalExpr> notNull;
  private final List<LexOrdering> orderings;
  private final List<LexOrdering> across;
  private @Nullable OrderingIndex index;

  EquivalenceProperties(
      Schema schema,
      EquivalenceClasses classes,
      Map<PhysicalExpr, Constant> constants,
      Set<PhysicalExpr> notNull,
      List<LexOrdering> orderings,
      List<LexOrdering> across) {
    this.schema = schema;
    this.classes = classes;
    this.constants = Collections.unmodifiableMap(constants);
    this.notNull = Collections.unmodifiableSet(notNull);
    this.orderings = List.copyOf(new LinkedHashSet<>(orderings));
    this.across = List.copyOf(new LinkedHashSet<>(across));
  }

  /** Nothing is known. */
  public static EquivalenceProperties of(Schema schema) {
    return new EquivalenceProperties(
        schema, EquivalenceClasses.NONE, Map.of(), Set.of(), List.of(), List.of());
  }

  public Schema schema() {
    return schema;
  }

  EquivalenceClasses classes() {
    return classes;
  }

  /** Of representatives. */
  Map<PhysicalExpr, Constant> constants() {
    return constants;
  }

  Set<PhysicalExpr> notNull() {
    return notNull;
  }

  /** Adds an ordering that every partition's stream has, beside those it already has. */
  public EquivalenceProperties withOrdering(LexOrdering ordering) {
    List<LexOrdering> all = new ArrayList<>(orderings);
    all.add(ordering);
    return new EquivalenceProperties(schema, classes, constants, notNull, all, across);
  }

  /** Adds an ordering that every partition has, and all of them one after the other. */
  public EquivalenceProperties withOrderingAcross(LexOrdering ordering) {
    List<LexOrdering> all = new ArrayList<>(across);
    all.add(ordering);
    return new EquivalenceProperties(schema, classes, constants, notNull, orderings, all)
        .withOrdering(ordering);
  }

  /** The orderings that hold across partitions, as they were declared. */
  public List<LexOrdering> orderingsAcross() {
    return across;
  }

  /** What is known of the partitions read one after the other, as one stream. */
  public EquivalenceProperties concatenated() {
    return new EquivalenceProperties(schema, classes, constants, notNull, across, List.of())
        .withoutPartitionConstants();
  }

  /** What remains when rows are moved between partitions, each partition keeping its order. */
  public EquivalenceProperties withoutOrderingsAcross() {
    return across.isEmpty()
        ? this
        : new EquivalenceProperties(schema, classes, constants, notNull, orderings, List.of());
  }

  /** Forgets every ordering; equalities and constants stay. */
  public EquivalenceProperties withoutOrderings() {
    return orderings.isEmpty()
        ? this
        : new EquivalenceProperties(schema, classes, constants, notNull, List.of(), List.of());
  }

  /** Every row has {@code left = right}, neither null. */
  public EquivalenceProperties withEqual(PhysicalExpr left, PhysicalExpr right) {
    return withSame(left, right).withNotNull(left).withNotNull(right);
  }

  /** Every row has {@code left IS NOT DISTINCT FROM right}: equal, or both null. */
  public EquivalenceProperties withSame(PhysicalExpr left, PhysicalExpr right) {
    EquivalenceClasses merged = classes.with(left, right);
    if (merged == classes) {
      return this;
    }
    Map<PhysicalExpr, Constant> moved = new LinkedHashMap<>();
    constants.forEach((expr, c) -> moved.merge(merged.normalize(expr), c, Constant::and));
    Set<PhysicalExpr> known = new LinkedHashSet<>();
    notNull.forEach(expr -> known.add(merged.normalize(expr)));
    return new EquivalenceProperties(schema, merged, moved, known, orderings, across);
  }

  /**
   * Every row of a partition has the same value here; {@code acrossPartitions} if it is the same in
   * all of them. The value, as {@link dev.varve.engine.batch.Column#value} gives it, where it is
   * known; null where it is not (a known null is {@link #withNull}).
   */
  public EquivalenceProperties withConstant(
      PhysicalExpr expr, boolean acrossPartitions, @Nullable Object value) {
    if (!acrossPartitions) {
      return withConstant(expr, Constant.perPartition());
    }
    return value == null
        ? withConstant(expr, Constant.across())
        : withConstant(expr, Constant.of(value)).withNotNull(expr);
  }

  /** Every row has a null here. */
  public EquivalenceProperties withNull(PhysicalExpr expr) {
    return withConstant(expr, Constant.of(null));
  }

  EquivalenceProperties withConstant(PhysicalExpr expr, Constant constant) {
    if (expr.volatility() == Volatility.VOLATILE) {
      return this;
    }
    Map<PhysicalExpr, Constant> more = new LinkedHashMap<>(constants);
    more.merge(classes.normalize(expr), constant, Constant::and);
    return new EquivalenceProperties(schema, classes, more, notNull, orderings, across);
  }

  /** No row has a null here. */
  public EquivalenceProperties withNotNull(PhysicalExpr expr) {
    if (expr.volatility() == Volatility.VOLATILE || !canBeNull(expr)) {
      return this;
    }
    Set<PhysicalExpr> more = new LinkedHashSet<>(notNull);
    more.add(classes.normalize(expr));
    return new EquivalenceProperties(schema, classes, constants, more, orderings, across);
  }

  /**
   * What remains when partitions are merged or rows are moved between them: constants of single
   * partitions go.
   */
  public EquivalenceProperties withoutPartitionConstants() {
    Map<PhysicalExpr, Constant> kept = new LinkedHashMap<>();
    constants.forEach(
        (expr, constant) -> {
          if (constant.acrossPartitions()) {
            kept.put(expr, constant);
          }
        });
    return kept.size() == constants.size()
        ? this
        : new EquivalenceProperties(schema, classes, kept, notNull, orderings, across);
  }

  /**
   * What is known after partitions were merged by {@code ordering}: that order and no other, and
   * what holds in all partitions.
   */
  public EquivalenceProperties mergedBy(LexOrdering ordering) {
    return withoutPartitionConstants().withoutOrderings().withOrdering(ordering);
  }

  /**
   * Facts that a conjunctive filter adds: column = literal is constant, column = column is equal,
   * what is compared is not null.
   */
  public EquivalenceProperties withFilter(PhysicalExpr predicate) {
    return FilterFacts.add(this, predicate);
  }

  /** The facts that survive a projection, over its output columns. */
  public EquivalenceProperties project(List<NamedExpr> projection, Schema output) {
    EquivalenceProperties projected = ProjectionFacts.project(this, projection, output);
    if (across.isEmpty()) {
      return projected;
    }
    // By what holds across partitions alone: a constant of each would let through too much.
    for (LexOrdering ordering :
        ProjectionFacts.project(concatenated(), projection, output).orderings()) {
      projected = projected.withOrderingAcross(ordering);
    }
    return projected;
  }

  /**
   * The facts of a join's output, whose columns are the left side's followed by the right side's. A
   * side that may be missing gives rows of nulls where the other finds no match. The equality of
   * the keys is not among them: an inner join adds it.
   */
  public static EquivalenceProperties ofJoin(
      EquivalenceProperties left,
      boolean leftMayBeMissing,
      boolean keepsLeftOrder,
      EquivalenceProperties right,
      boolean rightMayBeMissing,
      boolean keepsRightOrder,
      Schema output) {
    return JoinFacts.join(
        new JoinFacts.Side(left, leftMayBeMissing, keepsLeftOrder),
        new JoinFacts.Side(right, rightMayBeMissing, keepsRightOrder),
        output);
  }

  /** What holds in every one of several inputs, whose partitions stand side by side. */
  public static EquivalenceProperties ofUnion(List<EquivalenceProperties> inputs, Schema output) {
    return UnionFacts.union(inputs, output);
  }

  /** Whether every partition's stream is in {@code required} order. */
  public boolean satisfies(LexOrdering required) {
    return satisfiedPrefix(required) == required.keys().size();
  }

  /** How many leading keys of {@code required} the stream already has. */
  public int satisfiedPrefix(LexOrdering required) {
    return index().satisfiedPrefix(required);
  }

  /** Whether the expression has one value in each partition. */
  public boolean isConstant(PhysicalExpr expr) {
    return fixed(false).isFixed(expr);
  }

  /** Whether the expression has one and the same value in all partitions. */
  public boolean isConstantAcrossPartitions(PhysicalExpr expr) {
    return fixed(true).isFixed(expr);
  }

  /** The expression's value in every row, where it is known to be constant and known. */
  public Optional<Constant.Value> constantValue(PhysicalExpr expr) {
    return expr instanceof dev.varve.engine.expr.LiteralExpr literal
        ? Optional.of(new Constant.Value(literal.value()))
        : Optional.ofNullable(constants.get(classes.normalize(expr))).flatMap(Constant::value);
  }

  /** Whether both expressions have the same value in every row. */
  public boolean areSame(PhysicalExpr left, PhysicalExpr right) {
    return left.volatility() != Volatility.VOLATILE && normalize(left).equals(normalize(right));
  }

  /** False only if no row has a null there. */
  public boolean canBeNull(PhysicalExpr expr) {
    if (!expr.nullable()) {
      return false;
    }
    PhysicalExpr normal = classes.normalize(expr);
    return !notNull.contains(normal)
        && classes.members(normal).stream().allMatch(PhysicalExpr::nullable);
  }

  /** The representative of an expression's class; itself if it is alone. */
  public PhysicalExpr normalize(PhysicalExpr expr) {
    return classes.normalize(expr);
  }

  /**
   * The shortest ordering that says the same of this stream: expressions replaced by the
   * representatives of their classes, keys left out that are fixed once those before them are.
   * Empty when every key is.
   */
  public Optional<LexOrdering> normalize(LexOrdering ordering) {
    FixedExpressions fixed = fixed(false);
    List<SortExpr> keys = new ArrayList<>();
    for (SortExpr key : ordering.keys()) {
      if (!fixed.isFixed(key.expr())) {
        keys.add(normalize(key));
        fixed.pin(key.expr());
      }
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new LexOrdering(keys));
  }

  /** Where there are no nulls their position says nothing. */
  SortExpr normalize(SortExpr key) {
    SortOptions options =
        canBeNull(key.expr())
            ? key.options()
            : key.options().descending() ? SortOptions.DESC : SortOptions.ASC;
    return new SortExpr(classes.normalize(key.expr()), options);
  }

  /** The main ordering: the longest known, first declared wins. */
  public Optional<LexOrdering> outputOrdering() {
    LexOrdering longest = null;
    for (LexOrdering ordering : orderings) {
      if (longest == null || ordering.keys().size() > longest.keys().size()) {
        longest = ordering;
      }
    }
    return Optional.ofNullable(longest);
  }

  /** As they were declared. */
  public List<LexOrdering> orderings() {
    return orderings;
  }

  /** The constants as a starting point; {@code across}: only what is the same in all partitions. */
  FixedExpressions fixed(boolean across) {
    FixedExpressions fixed = new FixedExpressions(this);
    constants.forEach(
        (expr, constant) -> {
          if (constant.acrossPartitions() || !across) {
            fixed.pin(expr);
          }
        });
    return fixed;
  }

  /** Built when first asked for; a race builds it twice, to the same effect. */
  private OrderingIndex index() {
    OrderingIndex built = index;
    if (built == null) {
      built = new OrderingIndex(this);
      index = built;
    }
    return built;
  }

  /** The columns of the schema as expressions. */
  static List<ColumnExpr> columns(Schema schema) {
    List<ColumnExpr> columns = new ArrayList<>(schema.size());
    for (int i = 0; i < schema.size(); i++) {
      columns.add(ColumnExpr.of(schema, i));
    }
    return columns;
  }

  @Override
  public String toString() {
    return "orderings=" + orderings + ", equal=" + classes + ", constant=" + constants.keySet();
  }
}
