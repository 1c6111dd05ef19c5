package dev.varve.engine.function;

import dev.varve.engine.type.TypeKind;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlMonotonicBinaryOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Plus and minus that also know what the standard leaves out: date and integer, date minus date,
 * timestamp minus timestamp, and a date with an interval as a timestamp. Calls with such operands
 * become functions of the registry, all others the standard operators.
 */
final class DatetimeOperators {
  static final String ADD_DAYS = "date$add_days";
  static final String SUBTRACT_DAYS = "date$subtract_days";
  static final String DAYS_BETWEEN = "date$days_between";
  static final String TIMESTAMP_DIFFERENCE = "timestamp$difference";

  static final SqlBinaryOperator PLUS = new Dispatching(SqlStdOperatorTable.PLUS);
  static final SqlBinaryOperator MINUS = new Dispatching(SqlStdOperatorTable.MINUS);

  private DatetimeOperators() {}

  private static final class Dispatching extends SqlMonotonicBinaryOperator {
    private final SqlBinaryOperator standard;

    Dispatching(SqlBinaryOperator standard) {
      super(
          standard.getName(),
          standard.getKind(),
          40,
          true,
          binding -> standard.inferReturnType(binding),
          InferTypes.FIRST_KNOWN,
          Objects.requireNonNull(standard.getOperandTypeChecker()));
      this.standard = standard;
    }

    /** Puts the operator that the operand types mean into the call, before it is checked. */
    @Override
    protected void preValidateCall(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
      SqlOperator meant = standard;
      if (call.operandCount() == 2) {
        TypeKind left = kind(validator, scope, call, 0);
        TypeKind right = kind(validator, scope, call, 1);
        String function =
            standard == SqlStdOperatorTable.PLUS ? plus(left, right) : minus(left, right);
        if (left == TypeKind.DATE && INTERVALS.contains(right)) {
          midnight(call, 0);
        } else if (standard == SqlStdOperatorTable.PLUS
            && right == TypeKind.DATE
            && INTERVALS.contains(left)) {
          midnight(call, 1);
        }
        if (function != null) {
          meant =
              new RegistryOperator(
                  Objects.requireNonNull(FunctionRegistry.standard().find(function)));
        }
      }
      ((SqlBasicCall) call).setOperator(meant);
    }

    /** A date and an interval are a timestamp, as in PostgreSQL. */
    private static void midnight(SqlCall call, int index) {
      SqlNode date = call.operand(index);
      SqlParserPos position = date.getParserPosition();
      call.setOperand(
          index,
          SqlStdOperatorTable.CAST.createCall(
              position,
              date,
              new SqlDataTypeSpec(
                  new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, MICROS_DIGITS, position),
                  position)));
    }

    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      return binding.getOperator().checkOperandTypes(binding, throwOnFailure);
    }

    @Override
    public RelDataType inferReturnType(SqlOperatorBinding binding) {
      return binding.getOperator().inferReturnType(binding);
    }

    private static TypeKind kind(
        SqlValidator validator, SqlValidatorScope scope, SqlCall call, int index) {
      return RegistryOperator.argumentType(
              validator.deriveType(scope, call.getOperandList().get(index)))
          .kind();
    }
  }

  private static @Nullable String plus(TypeKind left, TypeKind right) {
    boolean days =
        (left == TypeKind.DATE && INTEGERS.contains(right))
            || (right == TypeKind.DATE && INTEGERS.contains(left));
    return days ? ADD_DAYS : null;
  }

  private static @Nullable String minus(TypeKind left, TypeKind right) {
    if (left == TypeKind.DATE && INTEGERS.contains(right)) {
      return SUBTRACT_DAYS;
    }
    if (left == TypeKind.DATE && (right == TypeKind.DATE || right == TypeKind.NULL)) {
      return DAYS_BETWEEN;
    }
    boolean instants =
        (POINTS.contains(left) && (POINTS.contains(right) || right == TypeKind.DATE))
            || (left == TypeKind.DATE && POINTS.contains(right));
    return instants ? TIMESTAMP_DIFFERENCE : null;
  }

  private static final List<TypeKind> INTEGERS =
      List.of(TypeKind.SMALLINT, TypeKind.INTEGER, TypeKind.BIGINT);
  private static final List<TypeKind> INTERVALS =
      List.of(TypeKind.INTERVAL_DAY, TypeKind.INTERVAL_MONTH);
  private static final int MICROS_DIGITS = 6;
  private static final List<TypeKind> POINTS = List.of(TypeKind.TIMESTAMP, TypeKind.TIMESTAMPTZ);
}
