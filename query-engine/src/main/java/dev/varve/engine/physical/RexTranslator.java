package dev.varve.engine.physical;

import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.ArithmeticExpr;
import dev.varve.engine.expr.CaseExpr;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.CoalesceExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.InListExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.IsTrueExpr;
import dev.varve.engine.expr.LikeExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NegateExpr;
import dev.varve.engine.expr.NotExpr;
import dev.varve.engine.expr.OrExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.Conversions;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.TypeMapping;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Turns the logical plan's expressions into physical ones, over the columns of an input. Operands
 * meet in common types by casts that are spelled out here, so that kernels see equal types. Safe
 * for concurrent use.
 */
public final class RexTranslator {
  private final List<@Nullable Object> parameters;
  private final FunctionCallTranslator calls;

  /** {@code parameters} are the values of the statement's dynamic parameters, in order. */
  public RexTranslator(FunctionRegistry registry, List<@Nullable Object> parameters) {
    this(new FunctionCallTranslator(registry), parameters);
  }

  private RexTranslator(FunctionCallTranslator calls, List<@Nullable Object> parameters) {
    this.calls = calls;
    this.parameters = new ArrayList<>(parameters);
  }

  /** The same for other values of the dynamic parameters. */
  public RexTranslator withParameters(List<@Nullable Object> values) {
    return new RexTranslator(calls, values);
  }

  /** The expression of the same value and type over the input's columns. */
  public PhysicalExpr translate(RexNode node, Schema input) {
    return switch (node) {
      case RexInputRef reference -> ColumnExpr.of(input, reference.getIndex());
      case RexLiteral literal -> Literals.translate(literal);
      case RexDynamicParam parameter -> parameter(parameter);
      case RexCall call -> call(call, input);
      default -> throw unsupported(node);
    };
  }

  private PhysicalExpr parameter(RexDynamicParam parameter) {
    if (parameter.getIndex() >= parameters.size()) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "the statement has a parameter "
              + (parameter.getIndex() + 1)
              + " but "
              + parameters.size()
              + " values were given");
    }
    DataType type = TypeMapping.toDataType(parameter.getType());
    return Literals.parameter(parameters.get(parameter.getIndex()), type);
  }

  private PhysicalExpr call(RexCall call, Schema input) {
    DataType type = TypeMapping.toDataType(call.getType());
    if (call.getKind() == SqlKind.SEARCH) {
      return SearchTranslator.translate(
          translate(call.getOperands().get(0), input), (RexLiteral) call.getOperands().get(1));
    }
    if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST) {
      return cast(call, translate(call.getOperands().get(0), input), type);
    }
    List<PhysicalExpr> operands = new ArrayList<>(call.getOperands().size());
    for (RexNode operand : call.getOperands()) {
      // Flags of special syntax (TRIM's side, EXTRACT's field) are not values.
      boolean symbol =
          operand instanceof RexLiteral literal
              && literal.getType().getSqlTypeName() == SqlTypeName.SYMBOL;
      operands.add(symbol ? LiteralExpr.of(true) : translate(operand, input));
    }
    PhysicalExpr result = translate(call, operands, type);
    return CastExpr.to(result, type.kind() == TypeKind.NULL ? result.type() : type);
  }

  private PhysicalExpr translate(RexCall call, List<PhysicalExpr> operands, DataType type) {
    return switch (call.getKind()) {
      case EQUALS -> comparison(ComparisonOp.EQ, operands, call);
      case NOT_EQUALS -> comparison(ComparisonOp.NE, operands, call);
      case LESS_THAN -> comparison(ComparisonOp.LT, operands, call);
      case LESS_THAN_OR_EQUAL -> comparison(ComparisonOp.LE, operands, call);
      case GREATER_THAN -> comparison(ComparisonOp.GT, operands, call);
      case GREATER_THAN_OR_EQUAL -> comparison(ComparisonOp.GE, operands, call);
      case IS_DISTINCT_FROM -> comparison(ComparisonOp.IS_DISTINCT, operands, call);
      case IS_NOT_DISTINCT_FROM -> comparison(ComparisonOp.IS_NOT_DISTINCT, operands, call);
      case AND -> new AndExpr(conditions(operands));
      case OR -> new OrExpr(conditions(operands));
      case NOT -> new NotExpr(condition(operands.get(0)));
      case IS_NULL, IS_UNKNOWN -> new IsNullExpr(operands.get(0), false);
      case IS_NOT_NULL -> new IsNullExpr(operands.get(0), true);
      case IS_TRUE -> new IsTrueExpr(condition(operands.get(0)), true, false);
      case IS_NOT_TRUE -> new IsTrueExpr(condition(operands.get(0)), true, true);
      case IS_FALSE -> new IsTrueExpr(condition(operands.get(0)), false, false);
      case IS_NOT_FALSE -> new IsTrueExpr(condition(operands.get(0)), false, true);
      case BETWEEN -> between(operands, call);
      case IN -> inList(operands, false, call);
      case NOT_IN -> inList(operands, true, call);
      case LIKE -> like(call, operands);
      case CASE -> caseOf(operands, type);
      case COALESCE -> new CoalesceExpr(converted(operands, type));
      case NULLIF -> nullIf(operands, type, call);
      case PLUS -> plusOrMinus(ArithmeticOp.ADD, operands, type, call);
      case MINUS -> plusOrMinus(ArithmeticOp.SUBTRACT, operands, type, call);
      case TIMES -> times(operands, type, false);
      case DIVIDE -> times(operands, type, true);
      case MOD -> modulo(operands, type);
      case MINUS_PREFIX -> new NegateExpr(CastExpr.to(operands.get(0), type));
      case PLUS_PREFIX -> operands.get(0);
      case REINTERPRET -> reinterpret(operands.get(0), type);
      case ITEM, DOT, ARRAY_VALUE_CONSTRUCTOR, MAP_VALUE_CONSTRUCTOR, ROW ->
          throw unsupported(call);
      default -> calls.translate(call, operands, type);
    };
  }

  static VarveException unsupported(RexNode node) {
    return new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED, "expression is not supported: " + node);
  }

  private static PhysicalExpr comparison(
      ComparisonOp op, List<PhysicalExpr> operands, RexCall call) {
    return comparison(op, operands.get(0), operands.get(1), call);
  }

  private static PhysicalExpr comparison(
      ComparisonOp op, PhysicalExpr left, PhysicalExpr right, RexCall call) {
    if (left.type().isDecimal() && right.type().isDecimal()) {
      // Compared by value at any scales; a literal at the other's scale makes it cheap.
      return new ComparisonExpr(
          op, Literals.atScaleOf(left, right.type()), Literals.atScaleOf(right, left.type()));
    }
    DataType common = common(left, right, call);
    return new ComparisonExpr(op, Literals.cast(left, common), Literals.cast(right, common));
  }

  /** The type in which two operands meet. */
  private static DataType common(PhysicalExpr left, PhysicalExpr right, RexCall call) {
    DataType common = Conversions.common(left.type(), right.type());
    if (common == null) {
      throw new VarveException(
          ErrorCode.TYPE_MISMATCH,
          "operator does not exist: "
              + left.type()
              + " "
              + call.getOperator().getName()
              + " "
              + right.type());
    }
    return common.kind() == TypeKind.NULL ? DataType.BOOLEAN : common;
  }

  private static PhysicalExpr condition(PhysicalExpr expr) {
    return Literals.cast(expr, DataType.BOOLEAN);
  }

  private static List<PhysicalExpr> conditions(List<PhysicalExpr> exprs) {
    return exprs.stream().map(RexTranslator::condition).toList();
  }

  private static List<PhysicalExpr> converted(List<PhysicalExpr> exprs, DataType type) {
    return exprs.stream().map(e -> Literals.cast(e, type)).toList();
  }

  private static PhysicalExpr between(List<PhysicalExpr> operands, RexCall call) {
    return new AndExpr(
        List.of(
            comparison(ComparisonOp.GE, operands.get(0), operands.get(1), call),
            comparison(ComparisonOp.LE, operands.get(0), operands.get(2), call)));
  }

  private static PhysicalExpr inList(List<PhysicalExpr> operands, boolean negated, RexCall call) {
    DataType common = Conversions.common(operands.stream().map(PhysicalExpr::type).toList());
    if (common == null) {
      throw unsupported(call);
    }
    List<PhysicalExpr> same = converted(operands, common);
    return new InListExpr(same.get(0), same.subList(1, same.size()), negated);
  }

  private static PhysicalExpr like(RexCall call, List<PhysicalExpr> operands) {
    boolean caseInsensitive =
        call.getOperator() instanceof SqlLikeOperator like && !like.isCaseSensitive();
    boolean negated = call.getOperator() instanceof SqlLikeOperator like && like.isNegated();
    String escape = "\\";
    if (operands.size() > 2) {
      if (!(operands.get(2) instanceof LiteralExpr literal)
          || !(literal.value() instanceof String text)) {
        throw new VarveException(
            ErrorCode.FEATURE_NOT_SUPPORTED, "ESCAPE must be a constant: " + operands.get(2));
      }
      escape = text;
    }
    return new LikeExpr(
        Literals.cast(operands.get(0), DataType.VARCHAR),
        Literals.cast(operands.get(1), DataType.VARCHAR),
        escape,
        negated,
        caseInsensitive);
  }

  private static PhysicalExpr caseOf(List<PhysicalExpr> operands, DataType type) {
    List<CaseExpr.Branch> branches = new ArrayList<>();
    for (int i = 0; i + 1 < operands.size(); i += 2) {
      branches.add(
          new CaseExpr.Branch(
              condition(operands.get(i)), Literals.cast(operands.get(i + 1), type)));
    }
    PhysicalExpr otherwise =
        operands.size() % 2 == 1 ? operands.getLast() : LiteralExpr.ofNull(type);
    return new CaseExpr(branches, Literals.cast(otherwise, type), type);
  }

  private static PhysicalExpr nullIf(List<PhysicalExpr> operands, DataType type, RexCall call) {
    PhysicalExpr value = Literals.cast(operands.get(0), type);
    return new CaseExpr(
        List.of(
            new CaseExpr.Branch(
                comparison(ComparisonOp.EQ, operands, call), LiteralExpr.ofNull(type))),
        value,
        type);
  }

  private static PhysicalExpr plusOrMinus(
      ArithmeticOp op, List<PhysicalExpr> operands, DataType type, RexCall call) {
    boolean plus = op == ArithmeticOp.ADD;
    PhysicalExpr left = operands.get(0);
    PhysicalExpr right = operands.get(1);
    if (isInterval(left.type()) && !isInterval(right.type()) && plus && !type.isNumeric()) {
      return DatetimeTranslator.addInterval(right, left, type, true);
    }
    if (isInterval(right.type()) && !isInterval(left.type())) {
      return DatetimeTranslator.addInterval(left, right, type, plus);
    }
    if (!plus && isInterval(type) && !isInterval(left.type())) {
      return DatetimeTranslator.difference(left, right, type, call);
    }
    return arithmetic(op, left, right, type);
  }

  static boolean isInterval(DataType type) {
    return type.kind() == TypeKind.INTERVAL_DAY || type.kind() == TypeKind.INTERVAL_MONTH;
  }

  private static PhysicalExpr times(List<PhysicalExpr> operands, DataType type, boolean divide) {
    if (isInterval(type)) {
      return DatetimeTranslator.scale(operands.get(0), operands.get(1), type, divide);
    }
    ArithmeticOp op = divide ? ArithmeticOp.DIVIDE : ArithmeticOp.MULTIPLY;
    return arithmetic(op, operands.get(0), operands.get(1), type);
  }

  private static PhysicalExpr arithmetic(
      ArithmeticOp op, PhysicalExpr left, PhysicalExpr right, DataType type) {
    if (type.isDecimal()) {
      return new ArithmeticExpr(op, asDecimal(left), asDecimal(right), type);
    }
    return new ArithmeticExpr(op, Literals.cast(left, type), Literals.cast(right, type), type);
  }

  private static PhysicalExpr asDecimal(PhysicalExpr operand) {
    return Literals.cast(operand, Conversions.asDecimal(operand.type()));
  }

  /** The front end gives the remainder the divisor's type; the dividend may be wider. */
  private static PhysicalExpr modulo(List<PhysicalExpr> operands, DataType type) {
    PhysicalExpr left = operands.get(0);
    PhysicalExpr right = operands.get(1);
    if (type.isDecimal()) {
      return arithmetic(ArithmeticOp.MODULO, left, right, type);
    }
    DataType common = Conversions.common(left.type(), right.type());
    DataType computed = common == null ? type : common;
    return CastExpr.to(
        new ArithmeticExpr(
            ArithmeticOp.MODULO,
            Literals.cast(left, computed),
            Literals.cast(right, computed),
            computed),
        type);
  }

  private static PhysicalExpr cast(RexCall call, PhysicalExpr operand, DataType type) {
    DataType target = type.kind() == TypeKind.NULL ? operand.type() : type;
    boolean safe = call.getKind() == SqlKind.SAFE_CAST;
    PhysicalExpr converted =
        safe && !operand.type().equals(target)
            ? new CastExpr(operand, target, true)
            : Literals.cast(operand, target);
    return DatetimeTranslator.limitFraction(
        FunctionCallTranslator.limitLength(converted, call.getType()), call.getType());
  }

  private static PhysicalExpr reinterpret(PhysicalExpr operand, DataType type) {
    if (operand.type().physical() != type.physical()) {
      return Literals.cast(operand, type);
    }
    return operand.type().equals(type) ? operand : CastExpr.to(operand, type);
  }

  /** All terms true; for callers that hold a condition list. */
  public PhysicalExpr translateAll(List<RexNode> conjuncts, Schema input) {
    return Exprs.conjunction(conjuncts.stream().map(c -> condition(translate(c, input))).toList());
  }
}
