package dev.varve.engine.logical;

import dev.varve.engine.sql.CalciteTypes;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Makes the expressions of one statement and notices, at each, that the statement has been ended:
 * conversion and rewriting make expressions all the time.
 */
final class InterruptibleRexBuilder extends RoundingRexBuilder {
  private volatile Runnable checkpoint;
  private volatile boolean forLong;

  InterruptibleRexBuilder(Runnable checkpoint) {
    super(CalciteTypes.FACTORY);
    this.checkpoint = checkpoint;
  }

  /** Whether the statement has expressions too long to be simplified. */
  boolean isForLong() {
    return forLong;
  }

  void markLong() {
    forLong = true;
  }

  /** The plan may outlive its statement: from now on nothing is asked and nothing of it held. */
  void release() {
    checkpoint = () -> {};
  }

  @Override
  public RexNode makeCall(
      SqlParserPos position, RelDataType returnType, SqlOperator operator, List<RexNode> operands) {
    checkpoint.run();
    return super.makeCall(position, returnType, operator, operands);
  }

  @Override
  public RexNode makeCall(
      SqlParserPos position, SqlOperator operator, List<? extends RexNode> operands) {
    checkpoint.run();
    return super.makeCall(position, operator, operands);
  }
}
