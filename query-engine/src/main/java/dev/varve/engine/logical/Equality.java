package dev.varve.engine.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** A condition of a join that equates its two sides. */
record Equality(RexNode outer, RexNode inner, boolean nullsEqual) {

  /** Null for any other condition; {@code leftCount} is the number of the left side's columns. */
  static @Nullable Equality of(RexNode condition, int leftCount) {
    if (condition.getKind() != SqlKind.EQUALS
        && condition.getKind() != SqlKind.IS_NOT_DISTINCT_FROM) {
      return null;
    }
    boolean nullsEqual = condition.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
    List<RexNode> operands = ((RexCall) condition).getOperands();
    RexNode first = operands.get(0);
    RexNode second = operands.get(1);
    if (isLeft(first, leftCount) && isRight(second, leftCount)) {
      return new Equality(first, second, nullsEqual);
    }
    return isLeft(second, leftCount) && isRight(first, leftCount)
        ? new Equality(second, first, nullsEqual)
        : null;
  }

  private static boolean isLeft(RexNode expression, int leftCount) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(expression);
    return !columns.isEmpty() && columns.length() <= leftCount;
  }

  private static boolean isRight(RexNode expression, int leftCount) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(expression);
    return !columns.isEmpty() && columns.nth(0) >= leftCount;
  }
}
