package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Arithmetic;
import dev.varve.engine.type.DataType;
import java.util.List;

/** Unary minus on a number or an interval; the negative of the smallest integer is an error. */
public record NegateExpr(PhysicalExpr child) implements PhysicalExpr {
  @Override
  public DataType type() {
    return child.type();
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
    return children.get(0) == child ? this : new NegateExpr(children.get(0));
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Arithmetic.negate(child.evaluate(batch, context));
  }

  /** NaN stays the greatest, so floating values do not turn around. */
  @Override
  public Monotonicity monotonicity(int index) {
    return type().isFloating() ? Monotonicity.NONE : Monotonicity.STRICTLY_DECREASING;
  }

  @Override
  public boolean fallible() {
    return child.fallible() || !(type().isFloating() || type().isDecimal());
  }

  @Override
  public String toString() {
    return "-" + Text.operand(child);
  }
}
