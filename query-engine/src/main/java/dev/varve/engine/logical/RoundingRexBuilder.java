package dev.varve.engine.logical;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Leaves casts of time literals to fewer digits for the engine to fold: it rounds them, Calcite
 * would cut them.
 */
class RoundingRexBuilder extends RexBuilder {
  RoundingRexBuilder(RelDataTypeFactory types) {
    super(types);
  }

  @Override
  public RexNode makeCast(
      SqlParserPos position,
      RelDataType type,
      RexNode operand,
      boolean matchNullability,
      boolean safe,
      @Nullable RexLiteral format) {
    return operand instanceof RexLiteral && losesDigits(operand.getType(), type)
        ? makeAbstractCast(position, type, operand, safe)
        : super.makeCast(position, type, operand, matchNullability, safe, format);
  }

  private static boolean losesDigits(RelDataType from, RelDataType to) {
    boolean time =
        switch (from.getSqlTypeName()) {
          case TIME, TIMESTAMP -> true;
          default -> false;
        };
    return time
        && from.getSqlTypeName() == to.getSqlTypeName()
        && to.getPrecision() < from.getPrecision();
  }
}
