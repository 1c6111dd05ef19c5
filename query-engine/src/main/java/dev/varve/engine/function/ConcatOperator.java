package dev.varve.engine.function;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * {@code ||}: text beside anything that can be written as text, as PostgreSQL has it. Null if
 * either side is.
 */
final class ConcatOperator {
  static final SqlBinaryOperator INSTANCE =
      new SqlBinaryOperator(
          "||", SqlKind.OTHER, 60, true, returnType(), null, new TextBesideAnything());

  private ConcatOperator() {}

  private static SqlReturnTypeInference returnType() {
    return (SqlOperatorBinding binding) -> {
      RelDataType text = binding.getTypeFactory().createSqlType(SqlTypeName.VARCHAR);
      boolean nullable =
          binding.getOperandType(0).isNullable() || binding.getOperandType(1).isNullable();
      return binding.getTypeFactory().createTypeWithNullability(text, nullable);
    };
  }

  private static final class TextBesideAnything implements SqlOperandTypeChecker {
    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      RelDataType left = binding.getOperandType(0);
      RelDataType right = binding.getOperandType(1);
      boolean fits =
          (isText(left) || isText(right))
              && !SqlTypeUtil.isBinary(left)
              && !SqlTypeUtil.isBinary(right);
      if (!fits && throwOnFailure) {
        throw binding.newValidationSignatureError();
      }
      return fits;
    }

    private static boolean isText(RelDataType type) {
      return SqlTypeUtil.inCharFamily(type) || type.getSqlTypeName() == SqlTypeName.NULL;
    }

    @Override
    public SqlOperandCountRange getOperandCountRange() {
      return SqlOperandCountRanges.of(2);
    }

    @Override
    public String getAllowedSignatures(SqlOperator operator, String name) {
      return "text || any";
    }
  }
}
