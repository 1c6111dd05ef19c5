package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Booleans;
import dev.varve.engine.type.DataType;
import java.util.List;

/** {@code IS NULL}, or {@code IS NOT NULL} if negated. */
public record IsNullExpr(PhysicalExpr child, boolean negated) implements PhysicalExpr {
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
    return children.get(0) == child ? this : new IsNullExpr(children.get(0), negated);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Booleans.isNull(child.evaluate(batch, context), negated);
  }

  @Override
  public String toString() {
    return Text.operand(child) + (negated ? " IS NOT NULL" : " IS NULL");
  }
}
