package dev.varve.engine.physical;

import dev.varve.engine.expr.FunctionExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.ExtractFunction;
import dev.varve.engine.function.FunctionDefinition;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.RegistryOperator;
import dev.varve.engine.function.Resolution;
import dev.varve.engine.function.TypeMapping;
import dev.varve.engine.function.UnitFunction;
import dev.varve.engine.kernel.DateField;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Calls of functions, by registry or by the special syntax that the standard gives them. */
final class FunctionCallTranslator {
  private final FunctionRegistry registry;

  FunctionCallTranslator(FunctionRegistry registry) {
    this.registry = registry;
  }

  PhysicalExpr translate(RexCall call, List<PhysicalExpr> operands, DataType type) {
    String name = call.getOperator().getName().toLowerCase(Locale.ROOT);
    if (call.getKind() == SqlKind.EXTRACT) {
      return extract(call, operands.get(1));
    }
    if (call.getKind() == SqlKind.TRIM) {
      return trim(call, operands);
    }
    boolean toUnit = operands.size() == 2 && symbol(call.getOperands().get(1)) != null;
    if ((call.getKind() == SqlKind.FLOOR || call.getKind() == SqlKind.CEIL) && toUnit) {
      DateField unit = field(call.getOperands().get(1));
      PhysicalExpr value = operands.get(0);
      return new FunctionExpr(
          new UnitFunction(unit, call.getKind() == SqlKind.CEIL, value.type().kind()),
          List.of(value),
          value.type());
    }
    return switch (name) {
      case "||" -> byName("text$concat", call, operands);
      case "position" -> position(call, operands);
      default ->
          call.getOperator() instanceof RegistryOperator operator
              ? resolved(operator.definition(), call, operands)
              : byName(name, call, operands);
    };
  }

  private PhysicalExpr position(RexCall call, List<PhysicalExpr> operands) {
    if (operands.size() != 2) {
      throw RexTranslator.unsupported(call);
    }
    return byName("strpos", call, List.of(operands.get(1), operands.get(0)));
  }

  private PhysicalExpr byName(String name, RexCall call, List<PhysicalExpr> operands) {
    FunctionDefinition definition = registry.find(name);
    if (definition == null) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED, "function is not supported: " + call);
    }
    return resolved(definition, call, operands);
  }

  private static PhysicalExpr resolved(
      FunctionDefinition definition, RexCall call, List<PhysicalExpr> operands) {
    List<DataType> types = new ArrayList<>(operands.size());
    for (int i = 0; i < operands.size(); i++) {
      types.add(RegistryOperator.argumentType(call.getOperands().get(i).getType()));
    }
    Resolution resolution =
        definition.resolve(
            types, index -> operands.get(index) instanceof LiteralExpr l ? l.value() : null);
    if (resolution == null) {
      throw new VarveException(
          ErrorCode.UNDEFINED_FUNCTION,
          "no function matches " + definition.name() + types,
          null,
          "there is " + String.join(", ", definition.signatures()),
          null);
    }
    List<PhysicalExpr> converted = new ArrayList<>(operands.size());
    for (int i = 0; i < operands.size(); i++) {
      converted.add(Literals.cast(operands.get(i), resolution.argumentTypes().get(i)));
    }
    return resolution.maker().make(converted, resolution.type());
  }

  private static PhysicalExpr extract(RexCall call, PhysicalExpr source) {
    DateField field = field(call.getOperands().get(0));
    return new FunctionExpr(
        new ExtractFunction(field, source.type().kind()),
        List.of(source),
        TypeMapping.toDataType(call.getType()));
  }

  private static DateField field(RexNode flag) {
    Object symbol = symbol(flag);
    String name =
        symbol instanceof TimeUnitRange range ? range.startUnit.name() : String.valueOf(symbol);
    return DateField.of(name);
  }

  private static @Nullable Object symbol(RexNode node) {
    return node instanceof RexLiteral literal
            && literal.getType().getSqlTypeName() == SqlTypeName.SYMBOL
        ? literal.getValue()
        : null;
  }

  private PhysicalExpr trim(RexCall call, List<PhysicalExpr> operands) {
    String function =
        switch (String.valueOf(symbol(call.getOperands().get(0)))) {
          case "LEADING" -> "ltrim";
          case "TRAILING" -> "rtrim";
          default -> "btrim";
        };
    Resolution resolution = registry.resolve(function, List.of(DataType.VARCHAR, DataType.VARCHAR));
    if (resolution == null || !(call.getOperator() instanceof SqlTrimFunction)) {
      throw RexTranslator.unsupported(call);
    }
    return resolution
        .maker()
        .make(
            List.of(
                Literals.cast(operands.get(2), DataType.VARCHAR),
                Literals.cast(operands.get(1), DataType.VARCHAR)),
            DataType.VARCHAR);
  }

  /** A cast to VARCHAR(n) or CHAR(n) keeps n characters, as PostgreSQL's explicit casts do. */
  static PhysicalExpr limitLength(PhysicalExpr value, RelDataType type) {
    boolean text =
        type.getSqlTypeName() == SqlTypeName.VARCHAR || type.getSqlTypeName() == SqlTypeName.CHAR;
    int length = type.getPrecision();
    boolean limited = text && length >= 0 && length < 65_536;
    if (!limited || !value.type().equals(DataType.VARCHAR)) {
      return value;
    }
    Resolution left =
        FunctionRegistry.standard().resolve("left", List.of(DataType.VARCHAR, DataType.INTEGER));
    if (left == null) {
      throw new IllegalStateException("no function left(varchar, integer)");
    }
    PhysicalExpr cut =
        left.maker()
            .make(List.of(value, new LiteralExpr(length, DataType.INTEGER)), DataType.VARCHAR);
    return value instanceof LiteralExpr ? Literals.folded(cut) : cut;
  }
}
