package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.kernel.Comparisons;
import dev.varve.engine.type.DataType;
import java.util.List;

/** A comparison of two values of one type; decimals may differ in precision and scale. */
public record ComparisonExpr(ComparisonOp op, PhysicalExpr left, PhysicalExpr right)
    implements PhysicalExpr {

  public ComparisonExpr {
    if (left.type().kind() != right.type().kind()) {
      throw new IllegalStateException(
          "comparison of " + left.type() + " with " + right.type() + ": " + left + ", " + right);
    }
  }

  @Override
  public DataType type() {
    return DataType.BOOLEAN;
  }

  @Override
  public boolean nullable() {
    return !op.isNullSafe() && (left.nullable() || right.nullable());
  }

  @Override
  public List<PhysicalExpr> children() {
    return List.of(left, right);
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return children.get(0) == left && children.get(1) == right
        ? this
        : new ComparisonExpr(op, children.get(0), children.get(1));
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Comparisons.compare(op, left.evaluate(batch, context), right.evaluate(batch, context));
  }

  @Override
  public String toString() {
    return Text.operand(left) + " " + op.symbol() + " " + Text.operand(right);
  }
}
