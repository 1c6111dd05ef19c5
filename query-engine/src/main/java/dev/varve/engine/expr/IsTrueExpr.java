package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Booleans;
import dev.varve.engine.type.DataType;
import java.util.List;

/** {@code IS [NOT] TRUE} or {@code IS [NOT] FALSE}: a null is neither. */
public record IsTrueExpr(PhysicalExpr child, boolean expected, boolean negated)
    implements PhysicalExpr {
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
    return List.of(child);
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return children.get(0) == child ? this : new IsTrueExpr(children.get(0), expected, negated);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Booleans.is(child.evaluate(batch, context), expected, negated);
  }

  @Override
  public String toString() {
    return Text.operand(child) + (negated ? " IS NOT " : " IS ") + (expected ? "TRUE" : "FALSE");
  }
}
