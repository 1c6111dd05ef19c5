package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Booleans;
import dev.varve.engine.type.DataType;
import java.util.List;

/** Three-valued NOT. */
public record NotExpr(PhysicalExpr child) implements PhysicalExpr {
  @Override
  public DataType type() {
    return DataType.BOOLEAN;
  }

  @Override
  public boolean nullable() {
    return child.nullable();
  }

  @Override
  public List<PhysicalExpr> children() {
    return List.of(child);
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return children.get(0) == child ? this : new NotExpr(children.get(0));
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Booleans.not(child.evaluate(batch, context));
  }

  @Override
  public Monotonicity monotonicity(int index) {
    return Monotonicity.STRICTLY_DECREASING;
  }

  @Override
  public String toString() {
    return "NOT " + Text.operand(child);
  }
}
