package dev.varve.engine.sql;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.jspecify.annotations.Nullable;

/**
 * Implicit casts as PostgreSQL makes them: a string literal has no type of its own and takes that
 * of its surroundings; a string column beside a number is an error. Casts are put on literals,
 * never on columns that are compared with them, so that files can be pruned by the comparison.
 */
final class PostgresCoercion extends TypeCoercionImpl {
  PostgresCoercion(RelDataTypeFactory typeFactory, SqlValidator validator) {
    super(typeFactory, validator);
  }

  /** A place in the tree that an operand can be replaced in. */
  private interface Slot {
    SqlNode get();

    void set(SqlNode node);
  }

  private static Slot operand(SqlCall call, int index) {
    return new Slot() {
      @Override
      public SqlNode get() {
        return call.operand(index);
      }

      @Override
      public void set(SqlNode node) {
        call.setOperand(index, node);
      }
    };
  }

  private static Slot element(SqlNodeList list, int index) {
    return new Slot() {
      @Override
      public SqlNode get() {
        return list.get(index);
      }

      @Override
      public void set(SqlNode node) {
        list.set(index, node);
      }
    };
  }

  private static List<Slot> operands(SqlCall call) {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < call.operandCount(); i++) {
      slots.add(operand(call, i));
    }
    return slots;
  }

  @Override
  public boolean binaryComparisonCoercion(SqlCallBinding binding) {
    return unify(binding.getScope(), operands(binding.getCall()), "compare");
  }

  @Override
  public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    if (call.operandCount() != 2) {
      return false;
    }
    SqlValidatorScope scope = binding.getScope();
    for (int i = 0; i < 2; i++) {
      RelDataType other = validator.deriveType(scope, call.operand(1 - i));
      if (call.operand(i) instanceof SqlCharStringLiteral literal && SqlTypeUtil.isNumeric(other)) {
        replace(operand(call, i), typed(literal, other));
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean inOperationCoercion(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    SqlValidatorScope scope = binding.getScope();
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    if (!(right instanceof SqlNodeList list)) {
      return unifyWithQuery(scope, call, left, right);
    }
    boolean changed = false;
    if (left.getKind() == SqlKind.ROW) {
      for (int column = 0; column < ((SqlCall) left).operandCount(); column++) {
        List<Slot> slots = new ArrayList<>(List.of(operand((SqlCall) left, column)));
        for (SqlNode row : list) {
          if (!(row instanceof SqlCall values) || values.operandCount() <= column) {
            return changed;
          }
          slots.add(operand(values, column));
        }
        changed |= unify(scope, slots, "compare");
      }
    } else {
      List<Slot> slots = new ArrayList<>(List.of(operand(call, 0)));
      for (int i = 0; i < list.size(); i++) {
        slots.add(element(list, i));
      }
      changed = unify(scope, slots, "compare");
    }
    if (changed) {
      List<RelDataType> types = new ArrayList<>();
      for (SqlNode node : list) {
        types.add(validator.deriveType(scope, node));
      }
      RelDataType common = factory.leastRestrictive(types);
      if (common != null) {
        updateInferredType(right, common);
      }
    }
    return changed;
  }

  private boolean unifyWithQuery(
      SqlValidatorScope scope, SqlCall call, SqlNode left, SqlNode right) {
    RelDataType leftType = validator.deriveType(scope, left);
    RelDataType rightType = validator.deriveType(scope, right);
    int columns = rightType.getFieldCount();
    if (leftType.isStruct() ? leftType.getFieldCount() != columns : columns != 1) {
      return false;
    }
    boolean changed = false;
    for (int i = 0; i < columns; i++) {
      Slot slot = leftType.isStruct() ? rowOperand(left, i) : operand(call, 0);
      if (slot == null) {
        return changed;
      }
      RelDataType a = validator.deriveType(scope, slot.get());
      RelDataType b = rightType.getFieldList().get(i).getType();
      if (slot.get() instanceof SqlCharStringLiteral literal && !SqlTypeUtil.isCharacter(b)) {
        replace(slot, typed(literal, b));
        changed = true;
        continue;
      }
      requireSameFamily(a, b, slot.get(), "compare");
      RelDataType common = common(a, b);
      if (!sameType(a, common)) {
        replace(slot, cast(slot.get(), common, a.isNullable()));
        changed = true;
      }
      if (!sameType(b, common)) {
        SqlValidatorScope inner =
            right instanceof SqlSelect select ? validator.getSelectScope(select) : scope;
        changed |= rowTypeCoercion(inner, right, i, common);
      }
    }
    return changed;
  }

  private static @Nullable Slot rowOperand(SqlNode row, int index) {
    return row.getKind() == SqlKind.ROW ? operand((SqlCall) row, index) : null;
  }

  @Override
  public boolean quantifyOperationCoercion(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    return call.operand(1) instanceof SqlNodeList
        ? inOperationCoercion(binding)
        : unifyWithQuery(binding.getScope(), call, call.operand(0), call.operand(1));
  }

  @Override
  public boolean caseOrEquivalentCoercion(SqlCallBinding binding) {
    List<Slot> slots = new ArrayList<>();
    String verb = "combine";
    if (binding.getCall() instanceof SqlCase choice) {
      for (int i = 0; i < choice.getThenOperands().size(); i++) {
        slots.add(element(choice.getThenOperands(), i));
      }
      slots.add(operand(choice, 3));
    } else if (binding.getCall().getKind() == SqlKind.NULLIF) {
      return false;
    } else {
      slots.addAll(operands(binding.getCall()));
    }
    return unify(binding.getScope(), slots, verb);
  }

  /** Gives each column of VALUES one type; rows of different lengths are left as they are. */
  void unifyRows(SqlValidatorScope scope, SqlCall values) {
    List<SqlCall> rows = new ArrayList<>();
    for (SqlNode row : values.getOperandList()) {
      rows.add((SqlCall) row);
    }
    int columns = rows.getFirst().operandCount();
    if (rows.size() == 1 || rows.stream().anyMatch(row -> row.operandCount() != columns)) {
      return;
    }
    for (int column = 0; column < columns; column++) {
      List<Slot> slots = new ArrayList<>();
      for (SqlCall row : rows) {
        if (row.operand(column).getKind() != SqlKind.DYNAMIC_PARAM) {
          slots.add(operand(row, column));
        }
      }
      unify(scope, slots, "combine", true);
    }
  }

  private boolean unify(@Nullable SqlValidatorScope scope, List<Slot> slots, String verb) {
    return unify(scope, slots, verb, verb.equals("compare"));
  }

  /**
   * Gives string literals the type that their typed neighbours have in common; answers whether it
   * changed any. Neighbours of different kinds are an error.
   *
   * @param widen whether exact numbers beside floating ones become such
   */
  private boolean unify(
      @Nullable SqlValidatorScope scope, List<Slot> slots, String verb, boolean widen) {
    if (scope == null) {
      return false;
    }
    RelDataType target = null;
    boolean differ = false;
    for (Slot slot : slots) {
      RelDataType type = validator.deriveType(scope, slot.get());
      if (slot.get() instanceof SqlCharStringLiteral || SqlTypeUtil.isNull(type)) {
        continue;
      }
      if (type.isStruct() || type.getSqlTypeName() == SqlTypeName.ANY) {
        return false;
      }
      if (target != null) {
        requireSameFamily(target, type, slot.get(), verb);
        differ |= target.getSqlTypeName() != type.getSqlTypeName();
      }
      target = target == null ? type : common(target, type);
    }
    if (target == null || SqlTypeUtil.isCharacter(target)) {
      return false;
    }
    boolean changed = false;
    for (Slot slot : slots) {
      if (slot.get() instanceof SqlCharStringLiteral literal) {
        replace(slot, typed(literal, target));
        changed = true;
      } else if (kind(target) == Kind.DATETIME) {
        // A date is its midnight; a local time becomes an instant in the session's zone.
        RelDataType type = validator.deriveType(scope, slot.get());
        if (precedence(type) != 0 && precedence(type) < precedence(target)) {
          replace(slot, cast(slot.get(), target, type.isNullable()));
          changed = true;
        }
      } else if (widen && SqlTypeUtil.isApproximateNumeric(target) && differ) {
        changed |= widen(scope, slot);
      }
    }
    return changed;
  }

  /**
   * Numbers beside a floating one meet in double precision, and the cast is in the tree: the
   * planner reasons about ranges of one kind of number only.
   */
  private boolean widen(SqlValidatorScope scope, Slot slot) {
    RelDataType type = validator.deriveType(scope, slot.get());
    if (!SqlTypeUtil.isNumeric(type)
        || type.getSqlTypeName() == SqlTypeName.DOUBLE
        || type.getSqlTypeName() == SqlTypeName.FLOAT) {
      return false;
    }
    SqlNode number = slot.get();
    BigDecimal exact =
        number instanceof SqlNumericLiteral literal && literal.isExact()
            ? literal.bigDecimalValue()
            : null;
    if (exact != null) {
      replace(slot, SqlLiteral.createApproxNumeric(exact.toString(), number.getParserPosition()));
      return true;
    }
    RelDataType wide = factory.createSqlType(SqlTypeName.DOUBLE);
    replace(slot, cast(number, wide, type.isNullable()));
    return true;
  }

  private RelDataType common(RelDataType a, RelDataType b) {
    if (kind(a) == Kind.DATETIME && kind(b) == Kind.DATETIME) {
      return nullableIfAny(precedence(a) >= precedence(b) ? a : b, List.of(a, b));
    }
    RelDataType common = factory.leastRestrictive(List.of(a, b));
    return common == null ? a : common;
  }

  private static int precedence(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case DATE -> 1;
      case TIMESTAMP -> 2;
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> 3;
      default -> 0;
    };
  }

  private void replace(Slot slot, SqlNode node) {
    slot.set(node);
    if (node instanceof SqlCall call && call.getKind() == SqlKind.CAST) {
      updateInferredType(
          node,
          factory.createTypeWithNullability(
              ((SqlDataTypeSpec) call.operand(1)).deriveType(validator),
              Boolean.TRUE.equals(((SqlDataTypeSpec) call.operand(1)).getNullable())));
    }
  }

  private boolean sameType(RelDataType a, RelDataType b) {
    return SqlTypeUtil.equalSansNullability(factory, a, b)
        || (SqlTypeUtil.isCharacter(a) && SqlTypeUtil.isCharacter(b));
  }

  private static SqlNode cast(SqlNode node, RelDataType type, boolean nullable) {
    SqlParserPos position = node.getParserPosition();
    SqlDataTypeSpec spec =
        SqlTypeUtil.isInterval(type)
            ? SqlTypeUtil.convertTypeToSpec(type)
            : new SqlDataTypeSpec(
                new SqlBasicTypeNameSpec(
                    type.getSqlTypeName(),
                    type.getSqlTypeName().allowsPrec() ? type.getPrecision() : -1,
                    type.getSqlTypeName().allowsScale()
                        ? type.getScale()
                        : RelDataType.SCALE_NOT_SPECIFIED,
                    position),
                position);
    return SqlStdOperatorTable.CAST.createCall(position, node, spec.withNullable(nullable));
  }

  /** A string literal read as a value of a type. */
  private static SqlNode typed(SqlCharStringLiteral literal, RelDataType type) {
    String text = literal.getValueAs(String.class).strip();
    SqlParserPos position = literal.getParserPosition();
    if (SqlTypeUtil.isInterval(type)) {
      return IntervalText.parse(text, 1, position);
    }
    if (!SqlTypeUtil.isExactNumeric(type)) {
      return cast(literal, type, false);
    }
    try {
      BigDecimal number = new BigDecimal(text);
      if (SqlTypeUtil.isDecimal(type)
          || number.stripTrailingZeros().scale() <= 0 && !text.contains(".")) {
        return SqlLiteral.createExactNumeric(number.toPlainString(), position);
      }
    } catch (NumberFormatException e) {
      // Said below, with the type that was expected.
    }
    throw new VarveException(
        ErrorCode.INVALID_TEXT,
        "invalid " + CalciteTypes.dataType(type) + " '" + text + "'",
        Positions.of(position),
        null,
        null);
  }

  private enum Kind {
    NUMBER,
    TEXT,
    BOOLEAN,
    BINARY,
    DATETIME,
    TIME,
    INTERVAL,
    OTHER
  }

  private static Kind kind(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case CHAR, VARCHAR -> Kind.TEXT;
      case BOOLEAN -> Kind.BOOLEAN;
      case BINARY, VARBINARY -> Kind.BINARY;
      case DATE, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> Kind.DATETIME;
      case TIME, TIME_WITH_LOCAL_TIME_ZONE, TIME_TZ -> Kind.TIME;
      default ->
          SqlTypeUtil.isNumeric(type)
              ? Kind.NUMBER
              : SqlTypeUtil.isInterval(type) ? Kind.INTERVAL : Kind.OTHER;
    };
  }

  private static void requireSameFamily(RelDataType a, RelDataType b, SqlNode place, String verb) {
    if (SqlTypeUtil.isNull(a) || SqlTypeUtil.isNull(b) || a.isStruct() || b.isStruct()) {
      return;
    }
    boolean same =
        kind(a) == kind(b) && (kind(a) != Kind.OTHER || a.getSqlTypeName() == b.getSqlTypeName());
    if (!same) {
      throw new VarveException(
          ErrorCode.TYPE_MISMATCH,
          "cannot "
              + verb
              + " "
              + CalciteTypes.dataType(a)
              + (verb.equals("compare") ? " with " : " and ")
              + CalciteTypes.dataType(b),
          Positions.start(place),
          "cast one of them",
          null);
    }
  }

  /** A column of one part of a set operation: only a literal may change its kind. */
  @Override
  public boolean rowTypeCoercion(
      @Nullable SqlValidatorScope scope, SqlNode query, int column, RelDataType targetType) {
    RelDataType row = scope == null ? null : validator.deriveType(scope, query);
    if (row != null && row.isStruct() && column < row.getFieldCount()) {
      RelDataType type = row.getFieldList().get(column).getType();
      if (type.getSqlTypeName() != SqlTypeName.CHAR) {
        requireSameFamily(targetType, type, query, "combine");
      }
    }
    return super.rowTypeCoercion(scope, query, column, targetType);
  }

  @Override
  public @Nullable RelDataType getWiderTypeForTwo(
      @Nullable RelDataType type1, @Nullable RelDataType type2, boolean stringPromotion) {
    return type1 != null && type2 != null && kind(type1) != kind(type2)
        ? null
        : super.getWiderTypeForTwo(type1, type2, false);
  }

  /** A list of literals and typed values: the literals do not count, nor do nulls. */
  @Override
  public @Nullable RelDataType getWiderTypeFor(
      List<RelDataType> typeList, boolean stringPromotion) {
    List<RelDataType> typed =
        typeList.stream()
            .filter(type -> type.getSqlTypeName() != SqlTypeName.CHAR && !SqlTypeUtil.isNull(type))
            .toList();
    if (typed.isEmpty()) {
      return factory.leastRestrictive(typeList);
    }
    RelDataType common = typed.getFirst();
    for (RelDataType type : typed) {
      // Without a common type the coercion that follows says which two do not fit.
      common = common(common, type);
    }
    return nullableIfAny(common, typeList);
  }

  private RelDataType nullableIfAny(RelDataType type, List<RelDataType> types) {
    return factory.createTypeWithNullability(
        type, types.stream().anyMatch(RelDataType::isNullable));
  }

  @Override
  public boolean builtinFunctionCoercion(
      SqlCallBinding binding, List<RelDataType> operandTypes, List<SqlTypeFamily> expected) {
    boolean changed = false;
    SqlCall call = binding.getCall();
    for (int i = 0; i < operandTypes.size() && i < expected.size(); i++) {
      SqlNode node = call.operand(i);
      if (!(node instanceof SqlCharStringLiteral literal)
          || expected.get(i).getTypeNames().contains(SqlTypeName.CHAR)) {
        continue;
      }
      RelDataType type = expected.get(i).getDefaultConcreteType(factory);
      if (type != null) {
        replace(operand(call, i), typed(literal, type));
        changed = true;
      }
    }
    return changed;
  }

  /** Functions of the registry say themselves what they accept. */
  @Override
  public boolean userDefinedFunctionCoercion(
      SqlValidatorScope scope, SqlCall call, SqlFunction function) {
    return false;
  }
}
