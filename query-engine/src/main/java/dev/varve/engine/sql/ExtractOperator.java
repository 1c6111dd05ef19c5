package dev.varve.engine.sql;

import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlExtractFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * EXTRACT: seconds, milliseconds and the epoch with their fraction, as exact numbers; every other
 * field is a whole number.
 */
final class ExtractOperator extends SqlExtractFunction {
  static final ExtractOperator INSTANCE = new ExtractOperator();

  private ExtractOperator() {
    super("EXTRACT", false);
  }

  /** Not by its name, which would find the standard's function. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return validateOperands(validator, scope, call);
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    TimeUnitRange field =
        binding instanceof SqlCallBinding call
            ? call.operand(0) instanceof SqlIntervalQualifier unit ? unit.timeUnitRange : null
            : binding.getOperandLiteralValue(0, TimeUnitRange.class);
    RelDataTypeFactory types = binding.getTypeFactory();
    RelDataType type =
        switch (field) {
          case SECOND -> types.createSqlType(SqlTypeName.DECIMAL, 8, 6);
          case MILLISECOND -> types.createSqlType(SqlTypeName.DECIMAL, 8, 3);
          case EPOCH -> types.createSqlType(SqlTypeName.DECIMAL, 20, 6);
          case null, default -> types.createSqlType(SqlTypeName.BIGINT);
        };
    return types.createTypeWithNullability(type, binding.getOperandType(1).isNullable());
  }
}
