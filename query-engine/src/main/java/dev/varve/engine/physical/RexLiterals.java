package dev.varve.engine.physical;

import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.kernel.Zones;
import dev.varve.engine.type.DataType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Values of the engine as literals of the logical plan. */
final class RexLiterals {
  private RexLiterals() {}

  /** A literal of the type of {@code original}; {@code original} where there is none for it. */
  static RexNode make(RexBuilder builder, LiteralExpr literal, RexNode original) {
    RelDataType type = original.getType();
    Object value = literal.value();
    if (value == null) {
      return builder.makeNullLiteral(type);
    }
    DataType own = literal.type();
    RexNode made =
        switch (own.kind()) {
          case BOOLEAN -> builder.makeLiteral((Boolean) value);
          case SMALLINT, INTEGER, BIGINT, DECIMAL ->
              type.getSqlTypeName().getFamily() == SqlTypeFamily.NUMERIC
                  ? builder.makeExactLiteral(
                      new BigDecimal(value.toString()), notNull(builder, type))
                  : original;
          case DOUBLE -> floating(builder, (Double) value, type, original);
          case DATE -> date(builder, column(literal), original);
          case TIMESTAMP -> timestamp(builder, column(literal), type, original);
          case TIME -> time(builder, column(literal), type, original);
          case VARCHAR -> text(builder, (String) value, type);
          case VARBINARY ->
              builder.makeLiteral(new ByteString((byte[]) value), notNull(builder, type), false);
          // What the logical plan has no exact literal for stays as it is.
          case REAL, TIMESTAMPTZ, INTERVAL_DAY, INTERVAL_MONTH, UUID, NULL -> original;
        };
    if (made == original || made.getType().equals(type)) {
      return made;
    }
    return builder.makeAbstractCast(type, made, false);
  }

  private static RelDataType notNull(RexBuilder builder, RelDataType type) {
    return builder.getTypeFactory().createTypeWithNullability(type, false);
  }

  private static long column(LiteralExpr literal) {
    return switch (literal.single()) {
      case IntColumn ints -> ints.get(0);
      case LongColumn longs -> longs.get(0);
      default -> throw new IllegalStateException("not an integer: " + literal);
    };
  }

  private static RexNode floating(
      RexBuilder builder, double value, RelDataType type, RexNode original) {
    // A literal cannot say NaN, infinity or minus zero.
    boolean plain = Double.isFinite(value) && !(value == 0 && 1 / value < 0);
    return plain
        ? builder.makeApproxLiteral(new BigDecimal(Double.toString(value)), notNull(builder, type))
        : original;
  }

  private static RexNode date(RexBuilder builder, long day, RexNode original) {
    boolean fits = day >= -719_162 && day <= 2_932_896;
    return fits ? builder.makeDateLiteral(DateString.fromDaysSinceEpoch((int) day)) : original;
  }

  private static RexNode timestamp(
      RexBuilder builder, long micros, RelDataType type, RexNode original) {
    long day = Math.floorDiv(micros, Zones.MICROS_PER_DAY);
    if (day < -719_162 || day > 2_932_896) {
      return original;
    }
    int nanos = (int) Math.floorMod(micros, Zones.MICROS_PER_SECOND) * 1000;
    if (losesDigits(nanos, type)) {
      return original;
    }
    TimestampString text =
        TimestampString.fromMillisSinceEpoch(Math.floorDiv(micros, Zones.MICROS_PER_SECOND) * 1000);
    return builder.makeTimestampLiteral(text.withNanos(nanos), type.getPrecision());
  }

  private static RexNode time(RexBuilder builder, long micros, RelDataType type, RexNode original) {
    int nanos = (int) (micros % Zones.MICROS_PER_SECOND) * 1000;
    if (losesDigits(nanos, type)) {
      return original;
    }
    TimeString text = TimeString.fromMillisOfDay((int) (micros / Zones.MICROS_PER_SECOND * 1000));
    return builder.makeTimeLiteral(text.withNanos(nanos), type.getPrecision());
  }

  private static RexNode text(RexBuilder builder, String value, RelDataType type) {
    NlsString text = new NlsString(value, StandardCharsets.UTF_8.name(), SqlCollation.IMPLICIT);
    return type.getSqlTypeName() == SqlTypeName.CHAR && value.length() == type.getPrecision()
        ? builder.makeCharLiteral(text)
        : builder.makeLiteral(text, notNull(builder, type), true);
  }

  /** Whether a literal of the type, which cuts at its precision, could not hold the fraction. */
  private static boolean losesDigits(int nanos, RelDataType type) {
    return nanos % (long) Math.pow(10, 9 - Math.min(9, type.getPrecision())) != 0;
  }
}
