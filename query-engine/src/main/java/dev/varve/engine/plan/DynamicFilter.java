package dev.varve.engine.plan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.type.DataType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one operand whose content is found while the query runs: which keys a join's build
 * side has, say. Its maker offers it to a child as one of its own filters ({@link
 * FilterPushdown.ChildFilters}); it moves towards the data as any filter does, and a source that
 * can use it answers {@link FilterPushdown.Outcome#INEXACT}. Whatever it removes its maker would
 * drop as well: so it may be ignored anywhere, and content may come late or never.
 *
 * <p>Evaluated as an expression it is TRUE: nothing is known without an execution. Content belongs
 * to one execution and is in its {@link Slot}. Two are equal if they have one origin and operand.
 */
public final class DynamicFilter implements PhysicalExpr {
  /** Which filter it is, whatever columns it has been rewritten to: known by identity. */
  private static final class Origin {
    private final String name;

    Origin(String name) {
      this.name = name;
    }
  }

  private final Origin origin;
  private final PhysicalExpr operand;

  private DynamicFilter(Origin origin, PhysicalExpr operand) {
    this.origin = origin;
    this.operand = operand;
  }

  /** A new filter; {@code name} is how EXPLAIN calls it. */
  public static DynamicFilter create(String name, PhysicalExpr operand) {
    return new DynamicFilter(new Origin(name), operand);
  }

  public PhysicalExpr operand() {
    return operand;
  }

  /** Its content in one execution: the same for maker and source. */
  public Slot slot(QueryContext query) {
    return query.shared(origin, Slot.class, Slot::new);
  }

  /** Where content is left for those who look. Safe for concurrent use. */
  public static final class Slot {
    private volatile @Nullable KeyTest test;

    /** Content from now on. A later test may only accept less than an earlier one. */
    public void publish(KeyTest content) {
      test = content;
    }

    /** Null until something is known. */
    public @Nullable KeyTest test() {
      return test;
    }
  }

  @Override
  public DataType type() {
    return DataType.BOOLEAN;
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public List<PhysicalExpr> children() {
    return List.of(operand);
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return children.getFirst() == operand ? this : new DynamicFilter(origin, children.getFirst());
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return new ConstantColumn(
        ColumnBuilder.of(DataType.BOOLEAN, 1).appendBoolean(true).build(), batch.rowCount());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DynamicFilter filter
        && filter.origin == origin
        && filter.operand.equals(operand);
  }

  @Override
  public int hashCode() {
    return Objects.hash(System.identityHashCode(origin), operand);
  }

  @Override
  public String toString() {
    return origin.name + "(" + operand + ")";
  }
}
