package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.Arithmetic;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.type.DataType;
import java.util.List;

/**
 * Arithmetic on two numbers of the result's kind; decimals may differ in precision and scale.
 * Overflow and division by zero are errors.
 */
public record ArithmeticExpr(ArithmeticOp op, PhysicalExpr left, PhysicalExpr right, DataType type)
    implements PhysicalExpr {

  public ArithmeticExpr {
    if (left.type().kind() != type.kind() || right.type().kind() != type.kind()) {
      throw new IllegalStateException(
          left.type() + " " + op.symbol() + " " + right.type() + " as " + type);
    }
  }

  @Override
  public boolean nullable() {
    return left.nullable() || right.nullable();
  }

  @Override
  public List<PhysicalExpr> children() {
    return List.of(left, right);
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return children.get(0) == left && children.get(1) == right
        ? this
        : new ArithmeticExpr(op, children.get(0), children.get(1), type);
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return Arithmetic.apply(
        op, left.evaluate(batch, context), right.evaluate(batch, context), type);
  }

  /**
   * Sums and differences follow both sides; they fail rather than wrap, so order holds wherever
   * there is a result. A product or quotient follows its side by the sign of the other, a constant.
   */
  @Override
  public Monotonicity monotonicity(int index) {
    return ArithmeticOrder.of(this, index);
  }

  @Override
  public boolean fallible() {
    return true;
  }

  @Override
  public String toString() {
    return Text.operand(left) + " " + op.symbol() + " " + Text.operand(right);
  }
}
