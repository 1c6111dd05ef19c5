package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Booleans;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.kernel.Comparisons;
import dev.varve.engine.kernel.InSet;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code child [NOT] IN (list)}: null where nothing is equal and the child or a list value is null.
 * All have one type. A list of literals is probed as a set that is built once.
 */
public final class InListExpr implements PhysicalExpr {
  private final PhysicalExpr child;
  private final List<PhysicalExpr> list;
  private final boolean negated;
  private final @Nullable InSet set;

  public InListExpr(PhysicalExpr child, List<PhysicalExpr> list, boolean negated) {
    this.child = child;
    this.list = List.copyOf(list);
    this.negated = negated;
    if (list.isEmpty()) {
      throw new IllegalArgumentException("IN over an empty list");
    }
    List<Column> literals = new ArrayList<>();
    for (PhysicalExpr item : list) {
      if (!item.type().equals(child.type())) {
        throw new IllegalStateException(
            child.type() + " IN a list that has " + item.type() + ": " + child + ", " + item);
      }
      if (item instanceof LiteralExpr literal) {
        literals.add(literal.single());
      }
    }
    this.set = literals.size() == list.size() ? InSet.of(child.type(), literals) : null;
  }

  public PhysicalExpr child() {
    return child;
  }

  public List<PhysicalExpr> list() {
    return list;
  }

  public boolean negated() {
    return negated;
  }

  @Override
  public DataType type() {
    return DataType.BOOLEAN;
  }

  @Override
  public boolean nullable() {
    return child.nullable() || Exprs.anyNullable(list);
  }

  @Override
  public List<PhysicalExpr> children() {
    List<PhysicalExpr> all = new ArrayList<>(list.size() + 1);
    all.add(child);
    all.addAll(list);
    return all;
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return Exprs.same(children, children())
        ? this
        : new InListExpr(children.get(0), children.subList(1, children.size()), negated);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    Column value = child.evaluate(batch, context);
    if (set != null) {
      return set.contains(value, negated);
    }
    BooleanColumn any = null;
    for (PhysicalExpr item : list) {
      BooleanColumn equal =
          Comparisons.compare(ComparisonOp.EQ, value, item.evaluate(batch, context));
      any = any == null ? equal : Booleans.or(any, equal);
    }
    if (any == null) {
      throw new IllegalStateException("IN over an empty list");
    }
    return negated ? Booleans.not(any) : any;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof InListExpr in
        && in.negated == negated
        && in.child.equals(child)
        && in.list.equals(list);
  }

  @Override
  public int hashCode() {
    return (child.hashCode() * 31 + list.hashCode()) * 2 + (negated ? 1 : 0);
  }

  @Override
  public String toString() {
    return Text.operand(child) + (negated ? " NOT IN (" : " IN (") + Text.list(list) + ")";
  }
}
