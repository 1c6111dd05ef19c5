package dev.varve.engine.properties;

import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which expressions of a stream are equal, which are constant, and which orderings each of its
 * partitions has. Immutable: every change gives a new value. All claims are proven; what is not
 * known is absent.
 */
public final class EquivalenceProperties {
  private final Schema schema;
  private final List<LexOrdering> orderings;

  private EquivalenceProperties(Schema schema, List<LexOrdering> orderings) {
    this.schema = schema;
    this.orderings = List.copyOf(orderings);
  }

  /** Nothing is known. */
  public static EquivalenceProperties of(Schema schema) {
    return new EquivalenceProperties(schema, List.of());
  }

  public Schema schema() {
    return schema;
  }

  /** Adds an ordering that every partition's stream has, beside those it already has. */
  public EquivalenceProperties withOrdering(LexOrdering ordering) {
    List<LexOrdering> all = new ArrayList<>(orderings);
    all.add(ordering);
    return new EquivalenceProperties(schema, all);
  }

  /** Forgets every ordering; equalities and constants stay. */
  public EquivalenceProperties withoutOrderings() {
    return new EquivalenceProperties(schema, List.of());
  }

  /** Every row has {@code left = right}, neither null. */
  public EquivalenceProperties withEqual(PhysicalExpr left, PhysicalExpr right) {
    return this;
  }

  /**
   * Every row of a partition has the same value here; {@code acrossPartitions} if it is the same in
   * all of them. The value, as {@link dev.varve.engine.batch.Column#value} gives it, where it is
   * known.
   */
  public EquivalenceProperties withConstant(
      PhysicalExpr expr, boolean acrossPartitions, @Nullable Object value) {
    return this;
  }

  /**
   * What remains when partitions are merged or rows are moved between them: constants of single
   * partitions go.
   */
  public EquivalenceProperties withoutPartitionConstants() {
    return this;
  }

  /**
   * Facts that a conjunctive filter adds: column = literal is constant, column = column is equal.
   */
  public EquivalenceProperties withFilter(PhysicalExpr predicate) {
    return this;
  }

  /** The facts that survive a projection, over its output columns. */
  public EquivalenceProperties project(List<NamedExpr> projection, Schema output) {
    return of(output);
  }

  /** Whether every partition's stream is in {@code required} order. */
  public boolean satisfies(LexOrdering required) {
    for (LexOrdering ordering : orderings) {
      if (ordering.keys().size() >= required.keys().size()
          && ordering.keys().subList(0, required.keys().size()).equals(required.keys())) {
        return true;
      }
    }
    return false;
  }

  /** How many leading keys of {@code required} the stream already has. */
  public int satisfiedPrefix(LexOrdering required) {
    for (int n = required.keys().size(); n > 0; n--) {
      if (satisfies(new LexOrdering(required.keys().subList(0, n)))) {
        return n;
      }
    }
    return 0;
  }

  public boolean isConstant(PhysicalExpr expr) {
    return false;
  }

  /** The representative of an expression's class; itself if it is alone. */
  public PhysicalExpr normalize(PhysicalExpr expr) {
    return expr;
  }

  /** The main ordering: the longest known, first declared wins. */
  public Optional<LexOrdering> outputOrdering() {
    return orderings.stream().findFirst();
  }

  public List<LexOrdering> orderings() {
    return orderings;
  }
}
