package dev.varve.engine.physical;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values that a client gives for parameters, as values of the types that the statement wants. */
public final class ParameterValues {
  private static final Batch ONE_ROW = new Batch(Schema.EMPTY, List.of(), 1);

  private ParameterValues() {}

  /**
   * Whether the statement means the same with these values as with literals in their places: each
   * is of the kind of its parameter's type. A text is, as a quoted literal, of any type.
   */
  public static boolean readAsLiterals(
      List<? extends @Nullable Object> values, List<DataType> types) {
    if (values.size() != types.size()) {
      return false;
    }
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      TypeKind type = types.get(i).kind();
      boolean same =
          switch (value) {
            case null -> true;
            // A number keeps all its digits as a literal; as a value it has those of the type.
            case String text -> type != TypeKind.NULL && type != TypeKind.DECIMAL;
            case BigDecimal number -> type == TypeKind.DECIMAL && fits(number, types.get(i));
            case Short number -> isInteger(type);
            case Integer number -> isInteger(type);
            case Long number ->
                type == TypeKind.BIGINT
                    || (type == TypeKind.INTEGER && number == number.intValue());
            default -> naturalType(value, types.get(i)).kind() == type;
          };
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(BigDecimal number, DataType type) {
    BigDecimal shortest = number.stripTrailingZeros();
    return shortest.scale() <= type.scale()
        && shortest.precision() - shortest.scale() <= type.precision() - type.scale();
  }

  private static boolean isInteger(TypeKind type) {
    return type == TypeKind.INTEGER || type == TypeKind.BIGINT;
  }

  /**
   * The values in the engine's form of the types. A number is never rounded to an exact type.
   *
   * @throws VarveException INVALID_PARAMETER, naming the parameter, where one has no such value
   */
  public static List<@Nullable Object> convert(
      List<? extends @Nullable Object> values, List<DataType> types, EvalContext context) {
    if (values.size() != types.size()) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "the statement has " + types.size() + " parameters but " + values.size() + " values");
    }
    List<@Nullable Object> converted = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      converted.add(convert(i, values.get(i), types.get(i), context));
    }
    return converted;
  }

  private static @Nullable Object convert(
      int index, @Nullable Object value, DataType type, EvalContext context) {
    if (value == null || type.kind() == TypeKind.NULL) {
      return value;
    }
    @Nullable Object converted;
    try {
      LiteralExpr literal = new LiteralExpr(value, naturalType(value, type));
      converted = LiteralExpr.of(CastExpr.to(literal, type).evaluate(ONE_ROW, context), 0).value();
    } catch (VarveException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "parameter " + (index + 1) + " is " + type + ": " + e.getMessage(),
          e);
    }
    if (isRounded(value, converted, type)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "parameter " + (index + 1) + " is " + type + ", which cannot hold " + value,
          null,
          "a cast gives a parameter another type, as in CAST(? AS decimal(20, 6))",
          null);
    }
    return converted;
  }

  private static boolean isRounded(Object value, @Nullable Object converted, DataType type) {
    if (!type.isDecimal() && !isInteger(type.kind()) && type.kind() != TypeKind.SMALLINT) {
      return false;
    }
    BigDecimal given = exactly(value);
    BigDecimal taken = converted == null ? null : exactly(converted);
    return given != null && taken != null && given.compareTo(taken) != 0;
  }

  /** Null for what is no number. */
  private static @Nullable BigDecimal exactly(Object value) {
    try {
      return switch (value) {
        case BigDecimal number -> number;
        case Number number -> new BigDecimal(number.toString());
        case String text -> new BigDecimal(text.strip());
        default -> null;
      };
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static DataType naturalType(Object value, DataType wanted) {
    return switch (value) {
      case String text -> DataType.VARCHAR;
      case Boolean flag -> DataType.BOOLEAN;
      case Short number -> DataType.SMALLINT;
      case Integer number -> DataType.INTEGER;
      case Long number -> DataType.BIGINT;
      case Float number -> DataType.REAL;
      case Double number -> DataType.DOUBLE;
      case BigDecimal number ->
          DataType.decimal(
              Math.max(
                  number.precision() - Math.min(0, number.scale()), Math.max(1, number.scale())),
              Math.max(0, number.scale()));
      case LocalDate date -> DataType.DATE;
      case LocalTime time -> DataType.TIME;
      case LocalDateTime time -> DataType.TIMESTAMP;
      case Instant time -> DataType.TIMESTAMPTZ;
      case Duration duration -> DataType.INTERVAL_DAY;
      case Period period -> DataType.INTERVAL_MONTH;
      case UUID uuid -> DataType.UUID;
      case byte[] bytes -> DataType.VARBINARY;
      default ->
          throw new VarveException(
              ErrorCode.INVALID_PARAMETER,
              "a " + value.getClass().getSimpleName() + " is no value of " + wanted);
    };
  }
}
