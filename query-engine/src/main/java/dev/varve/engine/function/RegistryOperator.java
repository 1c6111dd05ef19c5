package dev.varve.engine.function;

import dev.varve.engine.expr.Volatility;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** A function of the registry as the validator sees it: all overloads under one name. */
public final class RegistryOperator extends SqlFunction {
  private static final Set<String> IDENTIFIERS =
      Set.of(
          "current_date",
          "current_timestamp",
          "current_time",
          "localtime",
          "localtimestamp",
          "current_user",
          "session_user",
          "user",
          "current_catalog",
          "current_schema");

  private final FunctionDefinition definition;

  RegistryOperator(FunctionDefinition definition) {
    super(
        definition.name(),
        SqlKind.OTHER_FUNCTION,
        binding -> resultType(definition, binding),
        null,
        new Checker(definition),
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    this.definition = definition;
  }

  /** The operator of a function that the registry has. */
  public static RegistryOperator named(FunctionRegistry registry, String name) {
    FunctionDefinition definition = registry.find(name);
    if (definition == null) {
      throw new IllegalArgumentException("no function is named " + name);
    }
    return new RegistryOperator(definition);
  }

  public FunctionDefinition definition() {
    return definition;
  }

  /** Some of the standard's functions are called without parentheses. */
  @Override
  public SqlSyntax getSyntax() {
    return IDENTIFIERS.contains(definition.name()) ? SqlSyntax.FUNCTION_ID : SqlSyntax.FUNCTION;
  }

  @Override
  public boolean isDeterministic() {
    return definition.volatility() != Volatility.VOLATILE;
  }

  @Override
  public boolean isDynamicFunction() {
    return definition.volatility() != Volatility.IMMUTABLE;
  }

  /** Types as overloads see them: a character literal has none of its own yet. */
  static List<DataType> argumentTypes(SqlOperatorBinding binding) {
    List<DataType> types = new ArrayList<>(binding.getOperandCount());
    for (int i = 0; i < binding.getOperandCount(); i++) {
      types.add(argumentType(binding.getOperandType(i)));
    }
    return types;
  }

  /** {@link DataType#NULL} for a literal whose type its use decides. */
  public static DataType argumentType(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.CHAR ? DataType.NULL : TypeMapping.toDataType(type);
  }

  private static RelDataType resultType(FunctionDefinition definition, SqlOperatorBinding binding) {
    Resolution resolution =
        definition.resolve(argumentTypes(binding), index -> constant(binding, index));
    if (resolution == null) {
      throw new IllegalStateException(
          definition.name() + " was not checked against " + argumentTypes(binding));
    }
    boolean any = false;
    boolean all = true;
    for (int i = 0; i < binding.getOperandCount(); i++) {
      boolean nullable = binding.getOperandType(i).isNullable();
      any |= nullable;
      all &= nullable;
    }
    return TypeMapping.toRelType(
        binding.getTypeFactory(), resolution.type(), definition.nulls().nullable(any, all));
  }

  private static @Nullable Object constant(SqlOperatorBinding binding, int index) {
    return binding.isOperandLiteral(index, false) && !binding.isOperandNull(index, false)
        ? binding.getOperandLiteralValue(index, Object.class)
        : null;
  }

  private record Checker(FunctionDefinition definition) implements SqlOperandTypeChecker {
    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      boolean fits = definition.resolve(argumentTypes(binding)) != null;
      if (!fits && throwOnFailure) {
        throw binding.newValidationSignatureError();
      }
      return fits;
    }

    @Override
    public SqlOperandCountRange getOperandCountRange() {
      return SqlOperandCountRanges.any();
    }

    @Override
    public String getAllowedSignatures(SqlOperator op, String opName) {
      return String.join("\n", definition.signatures());
    }
  }
}
