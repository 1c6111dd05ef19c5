package dev.varve.engine.physical;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.function.TypeMapping;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/** Literals of the logical plan as values of the engine, and casts that fold on them. */
final class Literals {
  /** Seen by immutable expressions only, which ignore it. */
  static final EvalContext NO_CONTEXT = new EvalContext(0, ZoneOffset.UTC, "", "", "");

  private static final Batch ONE_ROW = new Batch(Schema.EMPTY, List.of(), 1);

  private Literals() {}

  static LiteralExpr translate(RexLiteral literal) {
    DataType type = TypeMapping.toDataType(literal.getType());
    if (literal.isNull()) {
      return LiteralExpr.ofNull(type);
    }
    return new LiteralExpr(value(literal, type), type);
  }

  private static Object value(RexLiteral literal, DataType type) {
    Object raw =
        switch (type.kind()) {
          case DATE -> literal.getValueAs(DateString.class);
          case TIME -> literal.getValueAs(TimeString.class);
          case TIMESTAMP, TIMESTAMPTZ -> literal.getValueAs(TimestampString.class);
          default -> literal.getValue();
        };
    if (raw == null) {
      throw new IllegalStateException("a literal without a value: " + literal);
    }
    return fromComparable(raw, type);
  }

  /** A value as the front end holds it, in a literal or a search argument. */
  static Object fromComparable(Object raw, DataType type) {
    return switch (raw) {
      case BigDecimal number -> number(number, type);
      case Double number -> {
        if (type.kind() == TypeKind.REAL && Double.isFinite(number)) {
          checkRange(new BigDecimal(number), number.floatValue(), type);
        }
        yield number;
      }
      case NlsString text -> text.getValue();
      case DateString date -> date.getDaysSinceEpoch();
      case TimeString time -> micros(time.getMillisOfDay(), time.toString());
      case TimestampString time -> micros(time.getMillisSinceEpoch(), time.toString());
      case ByteString bytes ->
          type.kind() == TypeKind.UUID ? uuid(bytes.getBytes()) : bytes.getBytes();
      default -> raw;
    };
  }

  /** Intervals are held in milliseconds, or months. */
  private static Object number(BigDecimal number, DataType type) {
    return switch (type.kind()) {
      case DECIMAL -> number.setScale(type.scale(), RoundingMode.HALF_UP);
      case INTERVAL_DAY -> number.movePointRight(3).setScale(0, RoundingMode.HALF_UP);
      case REAL -> {
        checkRange(number, number.floatValue(), type);
        yield number;
      }
      case DOUBLE -> {
        checkRange(number, number.doubleValue(), type);
        yield number;
      }
      default -> number;
    };
  }

  /** The front end folds casts of number literals itself, without a look at their range. */
  private static void checkRange(BigDecimal number, double value, DataType type) {
    if (Double.isInfinite(value) || (value == 0 && number.signum() != 0)) {
      throw new VarveException(ErrorCode.NUMERIC_OUT_OF_RANGE, type + " out of range: " + number);
    }
  }

  /** The milliseconds and the digits of the text beyond them. */
  private static long micros(long millis, String text) {
    int point = text.indexOf('.');
    String digits = point < 0 ? "" : text.substring(point + 1);
    String beyond = (digits + "000000").substring(3, 6);
    return millis * 1000 + Integer.parseInt(beyond);
  }

  private static UUID uuid(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  /** A dynamic parameter's value, converted to the type that the statement gives it. */
  static PhysicalExpr parameter(@Nullable Object value, DataType type) {
    DataType own =
        switch (value) {
          case null -> type;
          case String text -> DataType.VARCHAR;
          case Boolean flag -> DataType.BOOLEAN;
          case Short number -> DataType.SMALLINT;
          case Integer number -> DataType.INTEGER;
          case Long number -> DataType.BIGINT;
          case Float number -> DataType.REAL;
          case Double number -> DataType.DOUBLE;
          case BigDecimal number ->
              DataType.decimal(
                  Math.max(number.precision(), Math.max(1, number.scale())),
                  Math.max(0, number.scale()));
          default -> type;
        };
    DataType target = type.kind() == TypeKind.NULL ? own : type;
    return cast(new LiteralExpr(value, own), target);
  }

  /** The expression in another type; a literal is converted at once where that cannot fail. */
  static PhysicalExpr cast(PhysicalExpr expr, DataType type) {
    PhysicalExpr cast = CastExpr.to(expr, type);
    return expr instanceof LiteralExpr && cast != expr ? folded(cast) : cast;
  }

  /**
   * The value of an expression without columns; the expression itself if its value may change or
   * computing it fails, so that it fails where a row needs it.
   */
  static PhysicalExpr folded(PhysicalExpr expr) {
    if (expr instanceof LiteralExpr || expr.volatility() != Volatility.IMMUTABLE) {
      return expr;
    }
    try {
      Column value = expr.evaluate(ONE_ROW, NO_CONTEXT);
      return LiteralExpr.of(value, 0);
    } catch (VarveException e) {
      return expr;
    }
  }

  /** A decimal literal at the scale of {@code other} if it has no more digits than that. */
  static PhysicalExpr atScaleOf(PhysicalExpr expr, DataType other) {
    if (!(expr instanceof LiteralExpr literal)
        || !(literal.value() instanceof BigDecimal value)
        || literal.type().equals(other)) {
      return expr;
    }
    BigDecimal stripped = value.stripTrailingZeros();
    boolean fits =
        stripped.scale() <= other.scale()
            && stripped.precision() - stripped.scale() <= other.precision() - other.scale();
    return fits ? new LiteralExpr(value, other) : expr;
  }
}
