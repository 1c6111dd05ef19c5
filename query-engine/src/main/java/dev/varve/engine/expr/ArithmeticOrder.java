package dev.varve.engine.expr;

import dev.varve.engine.kernel.ArithmeticOp;
import java.math.BigDecimal;

/** How arithmetic follows one operand while the other stays the same. */
final class ArithmeticOrder {
  private ArithmeticOrder() {}

  static Monotonicity of(ArithmeticExpr expr, int index) {
    boolean exact = !expr.type().isFloating() && keepsScale(expr);
    return switch (expr.op()) {
      case ADD -> sum(expr, index, false, exact);
      case SUBTRACT -> sum(expr, index, index == 1, exact);
      case MULTIPLY -> scaled(expr.children().get(1 - index), exact);
      case DIVIDE -> index == 0 ? scaled(expr.right(), false) : Monotonicity.NONE;
      case MODULO -> Monotonicity.NONE;
    };
  }

  /**
   * Floating sums round, so neighbours may meet; and an infinite or NaN other side breaks order
   * ({@code -inf + inf} is NaN, the greatest), so the other side must be a finite constant.
   */
  private static Monotonicity sum(
      ArithmeticExpr expr, int index, boolean decreasing, boolean exact) {
    if (expr.type().isFloating()) {
      PhysicalExpr other = expr.children().get(1 - index);
      // Negating NaN leaves it the greatest.
      boolean finite =
          other instanceof LiteralExpr literal
              && literal.value() instanceof Number number
              && Double.isFinite(number.doubleValue());
      return finite && !decreasing ? Monotonicity.INCREASING : Monotonicity.NONE;
    }
    if (decreasing) {
      return exact ? Monotonicity.STRICTLY_DECREASING : Monotonicity.DECREASING;
    }
    return exact ? Monotonicity.STRICTLY_INCREASING : Monotonicity.INCREASING;
  }

  private static Monotonicity scaled(PhysicalExpr factor, boolean exact) {
    if (!(factor instanceof LiteralExpr literal) || !(literal.value() instanceof Number number)) {
      return Monotonicity.NONE;
    }
    double approximate = number.doubleValue();
    if (!Double.isFinite(approximate)) {
      return Monotonicity.NONE;
    }
    int sign =
        number instanceof BigDecimal decimal ? decimal.signum() : (int) Math.signum(approximate);
    if (sign == 0) {
      return Monotonicity.NONE;
    }
    if (factor.type().isFloating() && sign < 0) {
      return Monotonicity.NONE;
    }
    if (sign > 0) {
      return exact ? Monotonicity.STRICTLY_INCREASING : Monotonicity.INCREASING;
    }
    return exact ? Monotonicity.STRICTLY_DECREASING : Monotonicity.DECREASING;
  }

  private static boolean keepsScale(ArithmeticExpr expr) {
    int left = expr.left().type().scale();
    int right = expr.right().type().scale();
    int needed = expr.op() == ArithmeticOp.MULTIPLY ? left + right : Math.max(left, right);
    return expr.type().scale() >= needed;
  }
}
