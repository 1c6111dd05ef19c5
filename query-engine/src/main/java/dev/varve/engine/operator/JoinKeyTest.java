package dev.varve.engine.operator;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.kernel.join.KeyBounds;
import dev.varve.engine.kernel.join.KeySet;
import dev.varve.engine.plan.KeyTest;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which values one key of a join has on the build side. */
final class JoinKeyTest implements KeyTest {
  /** More values than this are told as a range. */
  private static final int MAX_LISTED = 150;

  private final DataType type;
  private final KeyBounds bounds;
  private final KeySet set;
  private final boolean acceptsNull;

  /**
   * @param bounds of at least one value
   */
  JoinKeyTest(DataType type, KeyBounds bounds, KeySet set, boolean acceptsNull) {
    this.type = type;
    this.bounds = bounds;
    this.set = set;
    this.acceptsNull = acceptsNull;
  }

  @Override
  public int select(Column values, int[] selection) {
    return set.select(values.flat(), acceptsNull, selection);
  }

  @Override
  public boolean acceptsNull() {
    return acceptsNull;
  }

  @Override
  public Optional<PhysicalExpr> implied(PhysicalExpr operand) {
    PhysicalExpr values =
        set.values(MAX_LISTED)
            .map(listed -> oneOf(operand, listed))
            .orElseGet(
                () ->
                    new AndExpr(
                        List.of(
                            new ComparisonExpr(ComparisonOp.GE, operand, literal(bounds.min())),
                            new ComparisonExpr(ComparisonOp.LE, operand, literal(bounds.max())))));
    return Optional.of(
        acceptsNull ? new OrExpr(List.of(values, new IsNullExpr(operand, false))) : values);
  }

  private PhysicalExpr oneOf(PhysicalExpr operand, long[] values) {
    List<PhysicalExpr> literals = new ArrayList<>(values.length);
    for (long value : values) {
      literals.add(literal(value));
    }
    return new InListExpr(operand, literals, false);
  }

  private LiteralExpr literal(long value) {
    Column single =
        switch (type.physical()) {
          case BOOLEAN -> new BooleanColumn(type, new byte[] {(byte) value}, null);
          case INT -> new IntColumn(type, new int[] {(int) value}, null);
          case LONG -> new LongColumn(type, new long[] {value}, null);
          case INT128, FLOAT, DOUBLE, BYTES ->
              throw new IllegalStateException("no integer type: " + type);
        };
    return LiteralExpr.of(single, 0);
  }
}
